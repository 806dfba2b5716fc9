import { type Sql, sql } from '../../../src/db/sql.ts';
import { readableIds } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Operation, Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { read } from '../../../src/engine/read/records.ts';
import { errors } from '../../../src/errors.ts';

/** Tags and the blanks around them as one blank. */
const previewSql = (row: Sql): Sql =>
  sql`left(btrim(regexp_replace(regexp_replace(coalesce(${row}.body, ''), '<[^>]*>', ' ', 'g'),
    '\\s+', ' ', 'g')), 190)`;

/** Messages on records. Visible to everyone who may read the record, and to author and recipients. */
defineModel('mail.message', {
  graph: { type: 'Message', one: 'message', many: 'messages' },
  display: 'subject',
  searchNames: ['subject', 'body'],
  order: 'id desc',
  access: { 'base.group_user': 'crwu', 'base.group_portal': 'r' },
  rules: [
    { name: 'nothing internal', group: 'base.group_portal', domain: "[('is_internal', '=', False)]" },
    { name: 'also what is internal', group: 'base.group_user', domain: '[]' },
  ],
  follows: {
    model: 'model',
    id: 'res_id',
    also: ({ partnerId }, operation: Operation) => {
      const own = ['author_id', '=', partnerId ?? 0];
      // To say something about a record takes the right to write there.
      if (operation === 'create') return ['&', own, ['res_id', 'in', [0, false]]];
      return operation === 'read' ? ['|', own, ['partner_ids', 'in', [partnerId ?? 0]]] : [own];
    },
  },
  computed: {
    preview: {
      type: 'char',
      label: 'Preview',
      help: 'Start of the content, as plain text.',
      sql: previewSql,
    },
  },
  beforeCreate: completeNew,
  beforeWrite: (ctx, values) => {
    if (!ctx.sudo && (values.model !== undefined || values.res_id !== undefined))
      throw errors.user('A message stays with its record: post another one.');
  },
});

/** A message is its caller's unless it says otherwise. */
async function completeNew(ctx: Ctx, list: Values[]): Promise<void> {
  for (const values of list) {
    if (values.author_id === undefined && values.email_from === undefined)
      values.author_id = ctx.principal?.partnerId ?? false;
    if (values.email_from === undefined && typeof values.author_id === 'number')
      values.email_from = await addressOf(ctx, values.author_id);
  }
}

/** The address of an author the caller may know; everybody knows their own. */
async function addressOf(ctx: Ctx, partner: number): Promise<string | false> {
  const isOwn = partner === ctx.principal?.partnerId;
  if (!isOwn && (await readableIds(ctx, 'res.partner', [partner])).length === 0) return false;
  const rows = (
    await read(ctx.system(), { model: 'res.partner', ids: [partner], fields: ['email_formatted'] })
  ).value<{ email_formatted: string | false }[]>();
  return rows[0]?.email_formatted || false;
}
