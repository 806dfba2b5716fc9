import { createHash } from 'node:crypto';
import type { Db } from '../db.ts';
import { sql } from '../sql.ts';
import { type BlobHead, type BlobLocation, MissingBlobError } from './host.ts';
import type { BlobStore } from './store.ts';

const CHUNKS_PER_QUERY = 4;

/** Stores chunks in `svc_blob_chunk`. Outside a transaction, each chunk is committed separately. */
export const pgStore: BlobStore = {
  async write(db, location, chunks) {
    const digest = createHash('sha256');
    let chunkNumber = 0;
    for await (const chunk of chunks) {
      digest.update(chunk);
      await db.rows(INSERT_CHUNK({ ...location, chunkNumber: chunkNumber++, content: chunk }));
    }
    return digest.digest('hex');
  },
  read: readChunks,
  async remove(db, { workspaceId, place }) {
    await db.rows(sql`delete from svc_blob_chunk where workspace_id = ${workspaceId} and place = ${place}`);
  },
};

interface ChunkRow extends BlobLocation {
  chunkNumber: number;
  content: Buffer;
}

/** An interrupted copy may have left chunks, which are overwritten. */
const INSERT_CHUNK = sql.prepare<ChunkRow>(
  (p) => sql`
  insert into svc_blob_chunk (workspace_id, place, no, content)
  values (${p.workspaceId}, ${p.place}, ${p.chunkNumber}, ${p.content})
  on conflict (workspace_id, place, no) do update set content = excluded.content`,
);

async function* readChunks(
  db: Db,
  location: BlobLocation,
  head: BlobHead,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  for (let from = first; from <= last; from += CHUNKS_PER_QUERY) {
    const to = Math.min(from + CHUNKS_PER_QUERY - 1, last);
    const rows = await db.rows<{ content: Buffer }>(SELECT_CHUNKS({ ...location, from, to }));
    if (rows.length <= to - from) throw new MissingBlobError(head.hash);
    for (const { content } of rows) yield content;
  }
}

const SELECT_CHUNKS = sql.prepare<BlobLocation & { from: number; to: number }>(
  (p) => sql`
  select c.content from svc_blob_chunk c
  where c.workspace_id = ${p.workspaceId} and c.place = ${p.place} and c.no >= ${p.from} and c.no <= ${p.to}
  order by c.no`,
);
