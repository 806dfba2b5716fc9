import { createHash } from 'node:crypto';
import { type ByteRange, readBlob } from '../../../src/db/blobs/read.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getModel, getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsAllowed } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { read } from '../../../src/engine/read/records.ts';
import type { FileMetadata } from '../../../src/engine/sql/projection.ts';
import { errors } from '../../../src/errors.ts';
import { buildFieldFileName, detectFieldMimetype } from '../../../src/media/mimetype.ts';

export interface FileContent {
  name: string;
  mimetype: string;
  /** Changes whenever the content changes. */
  checksum: string;
  /** Computes the SHA-1 hash of the content. Absent if `checksum` is this hash. */
  hash?(): Promise<string>;
  /** In bytes. */
  size: number;
  /** Streams the content, or a range whose end is exclusive. */
  read(range?: ByteRange): AsyncIterable<Buffer>;
}

async function readWholeFile(file: FileContent): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const FileContentType = builder.objectRef<FileContent>('FileContent').implement({
  description: 'A file with its content.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the file.' }),
    mimetype: t.exposeString('mimetype', { description: 'Media type, such as `image/png`.' }),
    checksum: t.string({
      description: 'SHA-1 hash of the content, in hexadecimal.',
      resolve: (file) => file.hash?.() ?? file.checksum,
    }),
    size: t.exposeInt('size', { description: 'Size in bytes.' }),
    content: t.field({
      type: 'Bytes',
      description: 'Content, in base64.',
      resolve: readWholeFile,
    }),
  }),
});

export const fileContent = defineOperation('fileContent', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Returns a file with its content: an attachment or, with `field`, the content of a binary field.',
  args: (arg) => ({
    model: arg.string({ defaultValue: 'ir.attachment' }),
    id: arg.recordId({ required: true, description: 'Record id.' }),
    field: arg.string({ description: 'Binary field to read. Defaults to the content of the attachment.' }),
  }),
  type: FileContentType,
  run: async (ctx, { model, id, field }) => {
    const isAttachment = !model || model === 'ir.attachment';
    const wantsContent = isAttachment && (!field || field === 'raw' || field === 'datas');
    return wantsContent
      ? getAttachment(ctx, id)
      : getFieldFile(ctx, model ?? 'ir.attachment', id, field ?? '');
  },
});

export const publicFile = defineOperation('publicFile', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['ANYONE', 'USER', 'TEAM'], scope: 'read' },
  description:
    'Returns the file of a public attachment or, with its access token, of a private attachment. Returns ' +
    'null for other attachments.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Attachment id.' }),
    token: arg.string({ description: 'Access token of the attachment.' }),
  }),
  type: FileContentType,
  nullable: true,
  run: (ctx, { id, token }) =>
    findAttachmentFile(ctx, id, sql`(a.public or a.access_token = ${token || null})`),
});

/** Returns a public attachment if its content has this checksum, and null otherwise. */
export const findPublicAttachment = (ctx: Ctx, id: number, checksum: string): Promise<FileContent | null> =>
  findAttachmentFile(ctx, id, sql`a.public and a.checksum = ${checksum}`);

async function getAttachment(ctx: Ctx, id: number): Promise<FileContent> {
  const model = getReadableModel(ctx, 'ir.attachment');
  await assertRowsAllowed(ctx, model, [id], 'read');
  const file = await findAttachmentFile(ctx, id, sql`true`);
  if (!file) throw errors.missing('ir.attachment', [id]);
  return file;
}

interface AttachmentRow {
  name: string;
  mimetype: string | null;
  checksum: string;
  hash: string;
  size: number;
}

async function findAttachmentFile(ctx: Ctx, id: number, condition: Sql): Promise<FileContent | null> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<AttachmentRow>(
    sql`select a.name, a.mimetype, a.checksum, b.hash, b.size from ir_attachment a
     join svc_blob b on b.workspace_id = ${workspace} and b.hash = a.store_hash
     where a.workspace_id = ${workspace} and a.id = ${id} and a.type = 'binary' and ${condition}`,
  );
  if (!row) return null;
  const { hash, mimetype, ...file } = row;
  const readContent = (range?: ByteRange) => readBlob(ctx, hash, range);
  return { ...file, mimetype: mimetype ?? 'application/octet-stream', read: readContent };
}

/**
 * Returns a field's content as a file named after its record. The content is read on demand, because clients with a
 * cached copy and scaled images need only the metadata.
 */
async function getFieldFile(ctx: Ctx, name: string, id: number, field: string): Promise<FileContent> {
  const describedField = getModel(ctx, name).fields.get(field);
  if (describedField?.type !== 'binary') throw errors.unknownField(field, name, 'on');
  if (describedField.kept) return readFieldContent(ctx, name, id, field);
  const query = { model: name, ids: [id], fields: ['display_name', field] };
  const [row] = (await read(ctx, { ...query, flavour: 'graph' })).value<Values[]>();
  const metadata = row?.[toCamelCase(field)] as FileMetadata | string | null | undefined;
  if (!metadata || typeof metadata === 'string') throw errors.missing(name, [id]);
  const readWholeContent = () => readFieldContent(ctx, name, id, field);
  const mimetype = detectFieldMimetype(Buffer.from(metadata.head, 'base64'));
  return {
    name: buildFieldFileName(String(row!.displayName ?? ''), describedField.label, mimetype),
    mimetype,
    checksum: createHash('sha1')
      .update(`${name} ${id} ${field} ${JSON.stringify(metadata)}`)
      .digest('hex'),
    hash: async () => (await readWholeContent()).checksum,
    size: metadata.size,
    async *read(range) {
      const file = await readWholeContent();
      if (file.size !== metadata.size) throw errors.busy('The file has just changed. Try again.');
      yield* file.read(range);
    },
  };
}

async function readFieldContent(ctx: Ctx, name: string, id: number, field: string): Promise<FileContent> {
  const query = { model: name, ids: [id], fields: ['display_name', field] };
  const [row] = (await read(ctx, query)).value<Values[]>();
  const packed = row?.[field];
  // An empty string is a valid file.
  if (!row || typeof packed !== 'string') throw errors.missing(name, [id]);
  const bytes = Buffer.from(packed, 'base64');
  return buildFileFromBytes(String(row.display_name || field), detectFieldMimetype(bytes), bytes);
}

export function buildFileFromBytes(name: string, mimetype: string, bytes: Buffer): FileContent {
  const checksum = createHash('sha1').update(bytes).digest('hex');
  return { name, mimetype, checksum, size: bytes.length, read: (range) => readByteRange(bytes, range) };
}

async function* readByteRange(bytes: Buffer, { from, to }: ByteRange = {}): AsyncGenerator<Buffer> {
  yield bytes.subarray(from, to);
}
