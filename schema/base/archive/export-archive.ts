import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exportWorkspace } from '../../../src/db/archive/export.ts';
import type { JobHost } from '../../../src/engine/work/jobs.ts';
import { version } from '../../../src/version.ts';
import { computeKeyFingerprint } from './import-archive.ts';
import { ARCHIVE_PLAN } from './plan.ts';

interface ExportOptions {
  /** Seals secrets; null leaves them out. */
  passphrase: string | null;
  onProgress?(done: number, total: number): Promise<void> | void;
}

/** A workspace as a compressed archive, made as it is read. */
export function createArchiveStream(
  { db, config }: JobHost,
  workspaceId: number,
  { passphrase, onProgress }: ExportOptions,
): Readable {
  const host = { db, workspace: { id: workspaceId }, runtime: { config } };
  const pieces = exportWorkspace(db.directUrl, host, {
    plan: ARCHIVE_PLAN,
    version,
    mark: computeKeyFingerprint(config.secretKey),
    passphrase,
    onProgress,
  });
  const packed = createGzip({ level: 3 });
  // What fails on the way ends the archive with an error, which its reader gets.
  pipeline(Readable.from(pieces, { objectMode: false }), packed).catch((error) => packed.destroy(error));
  return packed;
}
