import { createHash } from 'node:crypto';
import { putBlob, touchBlobs } from '../../../src/db/blobs/put.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { setHookValues, unquoteBytes } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { detectMimetype, isTextContent } from '../../../src/media/mimetype.ts';
import { countBase64Digits } from '../../../src/message/attachment.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { type CompleteUpload, claimUpload, readUploadStart } from '../uploads/claim-upload.ts';

/** File contents, kept separately from the values until the rows exist. */
const contents = new WeakMap<Values, Buffer | CompleteUpload | null>();

/** Derived from the content, so values from callers are ignored. */
const CONTENT_FIELDS = ['checksum', 'file_size', 'store_fname', 'index_content'];

/** Replaces contents in values with their checksum, size and media type. */
export async function extractContents(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) {
    for (const name of CONTENT_FIELDS) delete values[name];
    const content = (await findUpload(ctx, values)) ?? decodeContent(values);
    if (content !== undefined) contents.set(values, content);
    const { mimetype } = values;
    delete values.mimetype;
    if (content !== undefined || mimetype !== undefined)
      await setContentMetadata(ctx, values, content ?? null, mimetype);
  }
}

/** @throws BAD_VALUE if the id is invalid or content is also set, MISSING if the upload belongs to another user */
async function findUpload(ctx: Ctx, values: Values): Promise<CompleteUpload | undefined> {
  const { upload_id: id } = values;
  delete values.upload_id;
  if (id === undefined || id === null || id === false) return undefined;
  if (!Number.isSafeInteger(id) || 'datas' in values || 'raw' in values)
    throw errors.wrongValue('ir.attachment', 'upload_id', id);
  return claimUpload(ctx, id as number);
}

async function setContentMetadata(
  ctx: Ctx,
  values: Values,
  content: Buffer | CompleteUpload | null,
  mimetype: unknown,
): Promise<void> {
  const declaredType = typeof mimetype === 'string' ? mimetype : null;
  const name = typeof values.name === 'string' ? values.name : '';
  const isTrusted = ctx.sudo || (ctx.principal?.groups.has(ADMIN_GROUP) ?? false);
  const isUpload = content !== null && !Buffer.isBuffer(content);
  const head = isUpload ? await readUploadStart(ctx, content, MAX_INDEXED_CHARS) : content;
  setHookValues(values, { mimetype: detectMimetype(declaredType, name, head, isTrusted) });
  if (content === null || head === null) return;
  setHookValues(values, {
    file_size: isUpload ? content.size : content.length,
    checksum: isUpload ? content.checksum : createHash('sha1').update(content).digest('hex'),
    index_content: isTextContent(head)
      ? head.subarray(0, MAX_INDEXED_CHARS).toString('utf8').replaceAll('\0', '')
      : false,
  });
}

const MAX_INDEXED_CHARS = 100_000;

/** Decodes `datas` (base64) or `raw` (text). @returns undefined if neither is set @throws BAD_VALUE */
function decodeContent(values: Values): Buffer | null | undefined {
  const { datas, raw } = values;
  delete values.datas;
  delete values.raw;
  if (typeof raw === 'string' && raw !== '') return Buffer.from(raw, 'utf8');
  if (typeof datas === 'string') {
    const digits = unquoteBytes(datas);
    if (/[-_]/.test(digits) || countBase64Digits(digits) === null)
      throw errors.wrongValue('ir.attachment', 'datas', datas.slice(0, 40));
    return Buffer.from(digits.replace(/\s/g, ''), 'base64');
  }
  for (const [name, value] of Object.entries({ datas, raw }))
    if (value && typeof value === 'object') throw errors.wrongValue('ir.attachment', name, value);
  if (raw === '') return Buffer.alloc(0);
  return datas === undefined && raw === undefined ? undefined : null;
}

export async function storeAttachmentContents(ctx: Ctx, ids: number[], list: Values[]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const content = contents.get(list[index]!);
    if (content === undefined) continue;
    const storedContent = Buffer.isBuffer(content) ? await putBlob(ctx, content) : content;
    const hash = storedContent?.hash ?? null;
    const clearedSql =
      content === null ? sql`, file_size = 0, checksum = null, index_content = null` : sql.empty;
    await ctx.db.rows(
      sql`update ir_attachment set store_hash = ${hash}${clearedSql}
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
  }
}

/** Shares the originals' content with their copies unless the caller sets other content. */
export async function copyContents(ctx: Ctx, ids: number[], copies: number[], values: Values): Promise<void> {
  if ('raw' in values || 'datas' in values || 'upload_id' in values) return;
  const storedHashes = await ctx.db.rows<{ hash: string }>(
    sql`select a.store_hash as hash from ir_attachment a
     where a.workspace_id = ${ctx.workspace.id} and a.id = any(${ids}) and a.store_hash is not null`,
  );
  const hashes = storedHashes.map(({ hash }) => hash);
  await touchBlobs(ctx, hashes);
  await ctx.db.rows(
    sql`update ir_attachment c set store_hash = a.store_hash, file_size = a.file_size, checksum = a.checksum,
       mimetype = a.mimetype, index_content = a.index_content
     from unnest(${ids}::int8[], ${copies}::int8[]) p(id, copy)
     join ir_attachment a on a.workspace_id = ${ctx.workspace.id} and a.id = p.id
     where c.workspace_id = ${ctx.workspace.id} and c.id = p.copy`,
  );
}
