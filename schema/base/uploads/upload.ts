import { defineBlobUse } from '../../../src/db/blobs/uses.ts';
import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { type ReceivedUpload, receiveUpload } from './receive-upload.ts';

const MAX_UPLOAD_NAME_CHARS = 255;
const UPLOAD_TTL_HOURS = 24;

/** Uploaded files that no record uses yet. Only the uploader can use them. */
defineModel('svc.upload', {
  group: 'data',
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  rules: [{ name: 'own uploads', domain: "[('user_id', '=', user.id)]" }],
  graph: { type: 'Upload', one: 'upload', many: 'uploads', writes: false },
});

defineBlobUse({ table: 'svc_upload', column: 'hash' });

/** Deletes unused uploads. Their content is deleted once nothing else uses it. */
definePurgeJob('upload-purge', '17 * * * *', {
  table: 'svc_upload',
  time: 'create_date',
  before: sql`now() - make_interval(hours => ${sql.literal(UPLOAD_TTL_HOURS)})`,
  key: { id: 'bigint' },
});

const MEGABYTES = limits.upload.fileBytes / 1_000_000;

interface UploadTarget {
  path: string;
  maxBytes: number;
  /** Stores the bytes as they arrive. @param announcedBytes size declared by the client, if any */
  take(bytes: AsyncIterable<Buffer>, announcedBytes: number | null): Promise<ReceivedUpload>;
}

const UploadTargetType = builder.objectRef<UploadTarget>('UploadPlace').implement({
  description: 'Destination of a file upload.',
  fields: (t) => ({
    path: t.exposeString('path', {
      description:
        'Path on this server. Send the content in a `PUT` request, which returns the `id` of the upload as JSON.',
    }),
    maxBytes: t.exposeInt('maxBytes', { description: 'Maximum file size in bytes.' }),
  }),
});

export const fileUpload = defineOperation('fileUpload', {
  effects: ['writes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    `Returns the path for uploading a file of up to ${MEGABYTES} MB. Pass the id of the upload as ` +
    `\`uploadId\` of an attachment within ${UPLOAD_TTL_HOURS} hours. Otherwise, the upload is deleted.`,
  args: (arg) => ({ filename: arg.string({ required: true, description: 'Name of the file.' }) }),
  type: UploadTargetType,
  run: async (ctx, { filename }): Promise<UploadTarget> => {
    assertModelAccess(ctx, getModel(ctx, 'ir.attachment'), 'create');
    const name = sanitizeFileName(filename);
    return {
      path: `/web/uploads?filename=${encodeURIComponent(name)}`,
      maxBytes: limits.upload.fileBytes,
      take: (bytes, announcedBytes) => receiveUpload(ctx, name, bytes, announcedBytes),
    };
  },
});

/** Strips directories, control characters and bidirectional characters. Returns '' if no name remains. */
export function cleanFileName(fileName: string): string {
  const name = fileName
    .toWellFormed()
    .replace(/^.*[/\\]/s, '')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();
  return /^\.+$/.test(name) ? '' : name;
}

/** @throws BAD_VALUE if the name is empty or too long */
function sanitizeFileName(fileName: string): string {
  const name = cleanFileName(fileName);
  if (name === '') throw errors.wrongArgument('filename', 'a name is required');
  if (name.length > MAX_UPLOAD_NAME_CHARS)
    throw errors.wrongArgument('filename', `must have at most ${MAX_UPLOAD_NAME_CHARS} characters`);
  return name;
}

export const fileUploadDiscard = defineOperation('fileUploadDiscard', {
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Deletes one of your uploads, unless a record already uses it.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Upload.' }) }),
  type: 'Boolean',
  run: async (ctx, { id }) => {
    const droppedRows = await ctx.db.rows(
      sql`delete from svc_upload where workspace_id = ${ctx.workspace.id} and id = ${id}
       and user_id = ${ctx.principal!.userId} returning 1`,
    );
    if (droppedRows.length === 0) throw errors.missing('svc.upload', [id]);
    return true;
  },
});
