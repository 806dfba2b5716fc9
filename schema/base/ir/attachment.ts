import { randomUUID } from 'node:crypto';
import { defineBlobUse } from '../../../src/db/blobs/uses.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { invalidateSite } from '../../website/invalidate-site.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { copyContents, extractContents, storeAttachmentContents } from './attachment-content.ts';

const buildContentSql = (row: Sql): Sql => sql`${row}.store_hash`;

defineBlobUse({ table: 'ir_attachment', column: 'store_hash' });

/**
 * A file that is attached to a record has the record's access rules. External users cannot see internal files, and also
 * need access to the file's message, if any. Other files are public, or accessible only to their creator and
 * administrators.
 */
defineModel('ir.attachment', {
  group: 'data',
  graph: { type: 'Attachment', one: 'attachment', many: 'attachments' },
  order: 'id desc',
  access: { 'base.group_user': 'crwu', 'base.group_portal': 'r' },
  follows: {
    model: 'res_model',
    id: 'res_id',
    also: ({ userId, groups }, operation) => {
      const unattachedCondition = ['res_id', 'in', [0, false]];
      const loose = groups.has(ADMIN_GROUP)
        ? [unattachedCondition]
        : ['&', unattachedCondition, ['create_uid', '=', userId ?? 0]];
      return operation === 'read' ? ['|', ['public', '=', true], ...loose] : loose;
    },
    // Readers of the record may lack access to internal notes and their files.
    heldBy: ({ groups }) =>
      groups.has('base.group_user')
        ? null
        : { model: 'mail.message', list: 'attachment_ids', loose: [['is_internal', '=', false]] },
  },
  narrow: (domain) =>
    Array.isArray(domain) && !namesResourceField(domain) ? [['res_field', '=', false], ...domain] : domain,
  computed: {
    datas: { type: 'binary', label: 'File Content (base64)', kept: true, sql: buildContentSql },
    raw: {
      type: 'binary',
      label: 'File Content (raw)',
      help: 'Content as text, or as base64 if it is binary.',
      asText: true,
      kept: true,
      sql: buildContentSql,
    },
    upload_id: {
      type: 'many2one',
      relation: 'svc.upload',
      label: 'Upload',
      help: 'Your upload that becomes the content. Write-only.',
      sql: () => sql`null::int`,
    },
    store_fname: {
      type: 'char',
      label: 'Stored Filename',
      sql: (row) => sql`left(${row}.checksum, 2) || '/' || ${row}.checksum`,
    },
  },
  accepts: ['datas', 'raw', 'upload_id', 'mimetype'],
  prepare: rejectUnsafeUrls,
  beforeCreate: extractContents,
  afterCreate: storeAttachmentContents,
  afterCopy: copyContents,
  beforeWrite: (ctx, values) => extractContents(ctx, [values]),
  afterWrite: async (ctx, ids, values) => {
    // New content sets the media type. Pages contain the sizes of their images, so they must be rendered again.
    if ('mimetype' in values || 'public' in values) invalidateSite(ctx);
    await storeAttachmentContents(
      ctx,
      ids,
      ids.map(() => values),
    );
  },
});

const SAFE_URL_PATTERN = /^(?:https?:\/\/|\/(?!\/))[^\s\\]*$/i;

/** Browsers open the URL when a user clicks the file. @throws VALIDATION */
function rejectUnsafeUrls(_ctx: Ctx, list: Values[]): void {
  for (const { url } of list)
    if (url && !SAFE_URL_PATTERN.test(String(url)))
      throw errors.validation(
        'The URL of an attachment must begin with https:// or http://, or be a path on this server (url).',
      );
}

/** Returns true if the domain contains `res_field` or `id`. Only such domains find files of binary fields (Odoo 19). */
const namesResourceField = (domain: unknown[]): boolean =>
  domain.some((item) => Array.isArray(item) && (item[0] === 'res_field' || item[0] === 'id'));

export const attachmentToken = defineOperation('attachmentToken', {
  effects: ['writes', 'grants', 'secret'],
  address: 'ir.attachment/generate_access_token',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Returns an access token for each attachment, and creates missing tokens. Anyone with a token can read ' +
    'the attachment.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  type: ['String'],
  run: (ctx, { ids }) =>
    ctx.tx(async (tx) => {
      await assertRowsExist(tx, getModel(tx, 'ir.attachment'), ids, 'write');
      const tokens: string[] = [];
      for (const id of ids) {
        const [row] = await tx.db.rows<{ token: string | null }>(
          sql`select access_token as token from ir_attachment
           where workspace_id = ${tx.workspace.id} and id = ${id} for update`,
        );
        const token = row!.token ?? randomUUID();
        if (!row!.token) await write(tx, 'ir.attachment', [id], { access_token: token });
        tokens.push(token);
      }
      return tokens;
    }),
});
