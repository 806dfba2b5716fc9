import { type BlobHost, DamagedBlob, type Head, MissingBlob } from './host.ts';
import { keysOf } from './keys.ts';
import { headsAfter } from './move.ts';
import { readBlob } from './read.ts';

/** How many contents there are, and what is wrong with some. */
export interface Checked {
  contents: number;
  bytes: number;
  /** Of which nothing is left, or not all. */
  missing: number;
  /** That are not what was put. */
  wrong: number;
}

/** Reads all contents of a workspace and compares each with its name. */
export async function checkBlobs(host: BlobHost): Promise<Checked> {
  const checked: Checked = { contents: 0, bytes: 0, missing: 0, wrong: 0 };
  for (let last = ''; ; ) {
    const heads = await headsAfter(host, last);
    if (heads.length === 0) return checked;
    for (const head of heads.filter(({ hash }) => !/^[~-]/.test(hash))) {
      checked.contents++;
      checked.bytes += head.size;
      const fault = await faultOf(host, head);
      if (fault) checked[fault]++;
    }
    last = heads.at(-1)!.hash;
  }
}

async function faultOf(host: BlobHost, { hash }: Head): Promise<'missing' | 'wrong' | null> {
  const name = (await keysOf(host)).namer();
  try {
    for await (const piece of readBlob(host, hash)) name.update(piece);
  } catch (error) {
    if (error instanceof MissingBlob) return 'missing';
    if (error instanceof DamagedBlob) return 'wrong';
    throw error;
  }
  return name.digest('hex') === hash ? null : 'wrong';
}
