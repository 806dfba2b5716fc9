import { createHash } from 'node:crypto';
import type { Db } from '../db.ts';
import { sql } from '../sql.ts';
import { type BlobPlace, type Head, MissingBlob } from './host.ts';
import type { BlobStore } from './store.ts';

/** Chunks that are read with one statement. */
const TOGETHER = 4;

/** Rows of `svc_blob_chunk`. What is not part of a transaction is a transaction a chunk. */
export const pgStore: BlobStore = {
  async write(db, place, chunks) {
    const digest = createHash('sha256');
    let no = 0;
    for await (const chunk of chunks) {
      digest.update(chunk);
      await db.rows(KEEP({ ...place, no: no++, content: chunk }));
    }
    return digest.digest('hex');
  },
  read,
  async remove(db, { workspaceId, place }) {
    await db.rows(sql`delete from svc_blob_chunk where workspace_id = ${workspaceId} and place = ${place}`);
  },
};

interface Chunk extends BlobPlace {
  no: number;
  content: Buffer;
}

/** Where a copy was interrupted it begins again. */
const KEEP = sql.prepare<Chunk>(
  (p) => sql`
  insert into svc_blob_chunk (workspace_id, place, no, content)
  values (${p.workspaceId}, ${p.place}, ${p.no}, ${p.content})
  on conflict (workspace_id, place, no) do update set content = excluded.content`,
);

async function* read(
  db: Db,
  place: BlobPlace,
  head: Head,
  first: number,
  last: number,
): AsyncGenerator<Buffer> {
  for (let from = first; from <= last; from += TOGETHER) {
    const to = Math.min(from + TOGETHER - 1, last);
    const rows = await db.rows<{ content: Buffer }>(READ({ ...place, from, to }));
    if (rows.length <= to - from) throw new MissingBlob(head.hash);
    for (const { content } of rows) yield content;
  }
}

const READ = sql.prepare<BlobPlace & { from: number; to: number }>(
  (p) => sql`
  select c.content from svc_blob_chunk c
  where c.workspace_id = ${p.workspaceId} and c.place = ${p.place} and c.no >= ${p.from} and c.no <= ${p.to}
  order by c.no`,
);
