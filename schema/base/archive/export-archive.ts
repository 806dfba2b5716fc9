import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exportWorkspace } from '../../../src/db/archive/export.ts';
import type { JobHost } from '../../../src/engine/work/jobs.ts';
import { version } from '../../../src/version.ts';
import { computeKeyFingerprint } from './import-archive.ts';
import { ARCHIVE_PLAN } from './plan.ts';

interface ExportOptions {
  /** Encrypts the secrets. If null, the archive contains no secrets. */
  passphrase: string | null;
  onProgress?(done: number, total: number): Promise<void> | void;
}

export function createArchiveStream(
  { db, config }: JobHost,
  workspaceId: number,
  { passphrase, onProgress }: ExportOptions,
): Readable {
  const host = { db, workspace: { id: workspaceId }, runtime: { config } };
  const chunks = exportWorkspace(db.directUrl, host, {
    plan: ARCHIVE_PLAN,
    version,
    mark: computeKeyFingerprint(config.secretKey),
    passphrase,
    onProgress,
  });
  const packedGzip = createGzip({ level: 3 });
  // Destroys the stream, so that its reader receives the error.
  pipeline(Readable.from(chunks, { objectMode: false }), packedGzip).catch((error) =>
    packedGzip.destroy(error),
  );
  return packedGzip;
}
