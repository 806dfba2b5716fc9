import { type BlobHead, type BlobHost, DamagedBlobError, MissingBlobError } from './host.ts';
import { loadBlobKeys } from './keys.ts';
import { loadHeadsAfter } from './move.ts';
import { readBlob } from './read.ts';

export interface BlobCheckResult {
  contents: number;
  bytes: number;
  missing: number;
  wrong: number;
}

export async function checkBlobs(host: BlobHost): Promise<BlobCheckResult> {
  const result: BlobCheckResult = { contents: 0, bytes: 0, missing: 0, wrong: 0 };
  for (let last = ''; ; ) {
    const heads = await loadHeadsAfter(host, last);
    if (heads.length === 0) return result;
    for (const head of heads.filter(({ hash }) => !/^[~-]/.test(hash))) {
      result.contents++;
      result.bytes += head.size;
      const fault = await findFault(host, head);
      if (fault) result[fault]++;
    }
    last = heads.at(-1)!.hash;
  }
}

async function findFault(host: BlobHost, { hash }: BlobHead): Promise<'missing' | 'wrong' | null> {
  const name = (await loadBlobKeys(host)).createNameHmac();
  try {
    for await (const chunk of readBlob(host, hash)) name.update(chunk);
  } catch (error) {
    if (error instanceof MissingBlobError) return 'missing';
    if (error instanceof DamagedBlobError) return 'wrong';
    throw error;
  }
  return name.digest('hex') === hash ? null : 'wrong';
}
