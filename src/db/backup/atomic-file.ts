import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Time without a write after which a draft file is considered abandoned. */
const ABANDONED_DRAFT_MS = 3_600_000;

/** Writes a file with mode 0600 and renames it into place when it is complete. Deletes abandoned drafts. */
export async function writeAtomically(
  file: string,
  streams: [Readable, ...NodeJS.ReadWriteStream[]],
): Promise<void> {
  await deleteAbandonedDrafts(dirname(file));
  const draft = `${file}.${process.pid}.atrium-part`;
  await rm(draft, { force: true });
  try {
    await pipeline([...streams, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })]);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Deletes drafts of any file left by killed commands, because they contain confidential data. */
async function deleteAbandonedDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!/\.\d+\.atrium-part$/.test(name)) continue;
    const draft = join(folder, name);
    const draftStat = await stat(draft).catch(() => null);
    if (draftStat && draftStat.mtimeMs < Date.now() - ABANDONED_DRAFT_MS) await rm(draft, { force: true });
  }
}
