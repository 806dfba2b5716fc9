import { sql } from '../../../src/db/sql.ts';
import { filterReadableIds } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { AccessKind } from '../../../src/engine/model/access-kind.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { read } from '../../../src/engine/read/records.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { processText } from '../../../src/text/process-text.ts';

/** Visible to the author, the recipients and everyone who may read the record. */
defineModel('mail.message', {
  group: 'data',
  graph: { type: 'Message', one: 'message', many: 'messages' },
  display: 'subject',
  searchNames: ['subject', 'body'],
  order: 'id desc',
  access: { 'base.group_user': 'crwu', 'base.group_portal': 'r' },
  rules: [
    {
      name: 'nothing internal',
      group: 'base.group_portal',
      domain:
        "[('is_internal', '=', False), '|', ('subtype_id', '=', False), ('subtype_id.internal', '=', False)]",
    },
    { name: 'also what is internal', group: 'base.group_user', domain: '[]' },
  ],
  follows: {
    model: 'model',
    id: 'res_id',
    also: ({ partnerId }, operation: AccessKind) => {
      const authorTerm = ['author_id', '=', partnerId ?? 0];
      // Posting on a record requires write access to it.
      if (operation === 'create') return ['&', authorTerm, ['res_id', 'in', [0, false]]];
      return operation === 'read' ? ['|', authorTerm, ['partner_ids', 'in', [partnerId ?? 0]]] : [authorTerm];
    },
  },
  beforeCreate: async (ctx, list) => {
    await fillAuthorDefaults(ctx, list);
    for (const values of list) await fillPreview(ctx, values);
  },
  beforeWrite: async (ctx, values, ids) => {
    if (!ctx.sudo && (values.model !== undefined || values.res_id !== undefined))
      throw errors.user('A message cannot be moved to another record. Post a new message there instead.');
    if (!ctx.sudo && SERVER_SET_FIELDS.some((name) => values[name] !== undefined))
      await rejectVerifiedMessages(ctx, ids);
    if (values.attachment_ids !== undefined) await keepFilesInternal(ctx, ids);
    if (values.body !== undefined) await fillPreview(ctx, values);
  },
  beforeUnlink: keepFilesInternal,
});

const SERVER_SET_FIELDS = [
  ...['body', 'subject', 'date', 'message_type', 'author_id', 'email_from'],
  ...['message_id', 'reply_to', 'parent_id', 'attachment_ids'],
];

/**
 * Rejects changes to messages exchanged with customers, so that users can neither write on a customer's behalf nor
 * alter a message that a customer received.
 * @throws USER_ERROR
 */
async function rejectVerifiedMessages(ctx: Ctx, ids: number[]): Promise<void> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select m.id from mail_message m where m.workspace_id = ${ctx.workspace.id} and m.id = any(${ids})
       and m.origin is not null limit 1`,
  );
  if (row) throw errors.user(`Message ${row.id} was exchanged with a customer and cannot be changed.`);
}

/** Keeps an internal note's files internal when they are detached from it. */
async function keepFilesInternal(ctx: Ctx, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  await ctx.db.rows(
    sql`update ir_attachment set is_internal = true
     where workspace_id = ${workspace} and not is_internal and id in (
       select r.attachment_id from message_attachment_rel r
       join mail_message m on m.workspace_id = ${workspace} and m.id = r.message_id
       left join mail_message_subtype k on k.workspace_id = ${workspace} and k.id = m.subtype_id
       where r.workspace_id = ${workspace} and r.message_id = any(${ids}) and (m.is_internal or k.internal))`,
  );
}

const MAX_PREVIEW_CHARS = 190;
/** Only the start of the body is converted for the preview. */
const MAX_PREVIEW_SOURCE_CHARS = 10_000;

async function fillPreview(ctx: Ctx, values: Values): Promise<void> {
  const html = typeof values.body === 'string' ? values.body.slice(0, MAX_PREVIEW_SOURCE_CHARS) : '';
  const text = (await processText(ctx.workspace.id, 'convertHtmlToText', html)).replace(/\s+/g, ' ');
  setHookValues(values, { preview: text.length > MAX_PREVIEW_CHARS ? cutText(text) : text });
}

/** Omits a link that does not fit, because agents must not see a part of its credential. */
const cutText = (text: string): string =>
  text
    .slice(0, MAX_PREVIEW_CHARS)
    .replace(/https?:\/\/\S*$/, '')
    .toWellFormed()
    .trimEnd();

async function fillAuthorDefaults(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) {
    if (values.author_id === undefined && values.email_from === undefined)
      values.author_id = ctx.principal?.partnerId ?? false;
    if (values.email_from === undefined && typeof values.author_id === 'number')
      values.email_from = await findAuthorAddress(ctx, values.author_id);
  }
}

/** Returns the author's address if the caller is the author or may read the contact. */
async function findAuthorAddress(ctx: Ctx, partner: number): Promise<string | false> {
  const isOwn = partner === ctx.principal?.partnerId;
  if (!isOwn && (await filterReadableIds(ctx, 'res.partner', [partner])).length === 0) return false;
  const rows = (
    await read(ctx.system(), { model: 'res.partner', ids: [partner], fields: ['email_formatted'] })
  ).value<{ email_formatted: string | false }[]>();
  return rows[0]?.email_formatted || false;
}
