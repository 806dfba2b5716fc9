import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model, Values } from '../../../src/engine/model/model.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { create, write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { findNamedRecord, getRecordId } from '../ir/data.ts';
import { subscribe } from './followers.ts';
import { getThreadModel } from './thread.ts';

export const recordMessagePost = defineOperation('recordMessagePost', {
  kind: 'mutation',
  effects: ['writes'],
  address: '*/message_post',
  needs: 'message_ids',
  policy: { auth: ['USER'], scope: 'write' },
  description:
    "Posts a message to a record's thread and returns a list that contains its id. Requires write access " +
    'to the record. The body is plain text unless `body_is_html` is true.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true, description: 'Record to post to. Pass exactly one id.' }),
    body: arg.string({ defaultValue: '', description: 'Body of the message.' }),
    subject: arg.string({ description: 'Subject of the message.' }),
    messageType: arg.string({
      defaultValue: 'notification',
      description: 'Type of the message, such as `comment` or `notification`.',
    }),
    emailFrom: arg.string({ description: 'Sender shown on the message.' }),
    authorId: arg.recordId({ description: "Author of the message. Defaults to the caller's contact." }),
    parentId: arg.recordId({ description: 'Message to reply to.' }),
    subtypeXmlid: arg.string({ description: 'External id of the message subtype.' }),
    subtypeId: arg.recordId({ description: 'Id of the message subtype. Alternative to `subtypeXmlid`.' }),
    partnerIds: arg.recordIds({ description: 'Contacts to mention.' }),
    attachments: arg({ type: 'JSON', description: 'New attachments as `[name, base64 content]` pairs.' }),
    attachmentIds: arg.recordIds({ description: 'Existing attachments to add.' }),
    bodyIsHtml: arg.boolean({
      defaultValue: false,
      description: 'True to treat the body as HTML, which is sanitized.',
    }),
  }),
  ...returnRecord('mail.message', facadeResult.ids, ([id]: number[]) => id ?? null),
  run: async (ctx, { model, ids, ...post }) => [
    await ctx.tx((tx) => postMessage(tx, getThreadModel(tx, model, 'message_post'), ids, post)),
  ],
});

interface MessagePost {
  body?: string | null;
  subject?: string | null;
  messageType?: string | null;
  emailFrom?: string | null;
  authorId?: number | null;
  parentId?: number | null;
  subtypeXmlid?: string | null;
  subtypeId?: number | null;
  partnerIds?: number[] | null;
  attachments?: unknown;
  attachmentIds?: number[] | null;
  bodyIsHtml?: boolean | null;
}

/** @returns the message's id @throws BAD_VALUE unless exactly one record is given */
async function postMessage(ctx: Ctx, model: Model, ids: number[], post: MessagePost): Promise<number> {
  const [id] = ids;
  if (id === undefined || ids.length > 1) throw errors.notSingle(model.name, ids);
  assertModelAccess(ctx, model, 'write');
  await assertRowsExist(ctx, model, [id], 'write');
  const document = { model: model.name, res_id: id };
  const files = await attachFiles(ctx, post, model.name, id);
  // Agents may not create messages directly, but they may post on records.
  const [message] = await create(ctx.with({ bounded: false }), 'mail.message', [
    {
      ...document,
      ...buildMessageValues(post),
      body: post.bodyIsHtml ? (post.body ?? '') : escapeHtml(post.body ?? ''),
      message_type: post.messageType || 'notification',
      subtype_id: await getSubtype(ctx, post),
      ...(post.partnerIds?.length && { partner_ids: [[6, 0, post.partnerIds]] }),
      ...(files.length && { attachment_ids: [[6, 0, files]] }),
    },
  ]);
  const author = post.authorId ?? ctx.principal?.partnerId;
  if (post.messageType === 'comment' && author) await subscribe(ctx, model.name, [id], [author], null);
  return message!;
}

const buildMessageValues = ({ subject, emailFrom, authorId, parentId }: MessagePost): Values =>
  Object.fromEntries(
    Object.entries({ subject, email_from: emailFrom, author_id: authorId, parent_id: parentId }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  );

async function getSubtype(
  ctx: Ctx,
  { subtypeId: id, subtypeXmlid: xmlid }: MessagePost,
): Promise<number | false> {
  if (id) return id;
  if (xmlid) return getRecordId(ctx, 'mail.message.subtype', xmlid);
  return (await findNamedRecord(ctx, 'mail', 'mt_note'))?.id ?? false;
}

/** Returns the message's files. New files and existing unattached files are attached to the record. */
async function attachFiles(
  ctx: Ctx,
  { attachments, attachmentIds }: MessagePost,
  model: string,
  id: number,
): Promise<number[]> {
  const createdIds = await create(
    ctx,
    'ir.attachment',
    parseAttachments(attachments).map(([name, datas]) => ({ name, datas, res_model: model, res_id: id })),
  );
  const existingIds = attachmentIds ?? [];
  if (existingIds.length) await assertRowsExist(ctx, getModel(ctx, 'ir.attachment'), existingIds, 'read');
  const looseRows = await ctx.db.rows<{ id: number }>(
    sql`select id from ir_attachment
     where workspace_id = ${ctx.workspace.id} and id = any(${existingIds}) and coalesce(res_id, 0) = 0`,
  );
  const ids = looseRows.map((row) => row.id);
  await write(ctx, 'ir.attachment', ids, { res_model: model, res_id: id });
  return [...createdIds, ...existingIds];
}

function parseAttachments(attachments: unknown): [string, string][] {
  if (!attachments) return [];
  const pairs = Array.isArray(attachments) ? attachments : [attachments];
  for (const pair of pairs)
    if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string')
      throw errors.wrongArgument('attachments', 'must be pairs of a name and base64 content');
  return pairs as [string, string][];
}
