import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { createMailAccessError, getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY, returnShape } from '../kit/operation.ts';

const DRAFT_SHAPE: ShapeParts = {
  draftId: { type: 'ID', description: 'Id of the draft.' },
  accountId: { type: 'ID', description: "Id of the draft's mailbox." },
  to: { type: 'String', description: 'Recipients, as entered.' },
  cc: { type: 'String', description: 'Cc recipients.' },
  bcc: { type: 'String', description: 'Bcc recipients.' },
  subject: { type: 'String', description: 'Subject.' },
  body: { type: 'String', description: 'Body.' },
  mode: { type: 'String', description: '`new`, `reply`, `reply_all` or `forward`.' },
  inReplyTo: {
    type: 'ID',
    nullable: true,
    description: 'Id of the message to reply to. Null if the draft is not a reply.',
  },
  fromAccountId: {
    type: 'ID',
    nullable: true,
    description: "Id of the mailbox to send from, if different from the draft's mailbox.",
  },
  version: { type: 'Int', description: 'Number of times the draft was saved.' },
  writeDate: { type: 'DateTime', description: 'When the draft was last saved.' },
};

export interface DraftRow {
  draft_id: number;
  account_id: number;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body: string;
  mode: string;
  in_reply_to: number | null;
  from_account_id: number | null;
  version: number;
  write_date: string;
}

export const mailDraftRead = defineOperation('mailDraftRead', {
  effects: ['reads'],
  address: 'svc.mail.account/draft_get',
  policy: MAIL_READ_POLICY,
  description: 'Returns one of your drafts.',
  args: (arg) => ({ draftId: arg.recordId({ required: true, description: 'Draft.' }) }),
  ...returnShape('MailDraftContent', 'A draft.', DRAFT_SHAPE),
  run: (ctx, { draftId }) => getOwnDraft(ctx, draftId),
});

const DraftListItem = defineTypedShape('MailDraftRow', 'A draft in a list.', DRAFT_SHAPE);

export const mailDraftList = defineOperation('mailDraftList', {
  effects: ['reads'],
  address: 'svc.mail.account/draft_list',
  policy: MAIL_READ_POLICY,
  description: `Lists up to ${limits.mail.rows} of your drafts in a mailbox, most recently saved first.`,
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    search: arg.string({
      defaultValue: '',
      description: 'Only drafts that contain these words in the subject, recipients or body.',
    }),
  }),
  ...returnShape('MailDraftPage', 'Drafts in a mailbox.', {
    drafts: { type: [DraftListItem], description: 'The drafts.' },
    count: { type: 'Int', description: 'Number of matching drafts.' },
  }),
  run: async (ctx, { accountId, search }) => {
    await getMemberMailbox(ctx, accountId);
    return loadDrafts(ctx, accountId, search ?? '', 0, limits.mail.rows);
  },
});

/** Lists the caller's drafts in a mailbox that contain all words in `search`. */
export async function loadDrafts(ctx: Ctx, accountId: number, search: string, offset: number, limit: number) {
  const words = search.slice(0, limits.mail.subject).toLowerCase().split(/\s+/).filter(Boolean);
  const { id } = ctx.workspace;
  const user = ctx.principal?.userId ?? 0;
  const conditions = words
    .slice(0, 20)
    .map(
      (word) => sql` and strpos(lower(concat_ws(' ', d.subject, d."to", d.cc, d.bcc, d.body)), ${word}) > 0`,
    );
  const from = sql`from svc_mail_draft d
    where d.workspace_id = ${id} and d.account_id = ${accountId} and d.user_id = ${user}${sql.join(conditions, '')}`;
  const drafts = await ctx.db.rows<DraftRow>(
    sql`select ${DRAFT_COLUMNS} ${from} order by d.write_date desc, d.id desc offset ${offset} limit ${limit}`,
  );
  const count = await ctx.db.value<number>(sql`select count(*)::int ${from}`);
  return { drafts, count };
}

/** @throws ACCESS_ERROR if the draft does not exist, or belongs to another user, even in a shared mailbox */
export async function getOwnDraft(ctx: Ctx, id: number): Promise<DraftRow> {
  const user = ctx.principal?.userId ?? 0;
  const [draft] = await ctx.db.rows<DraftRow>(
    sql`select ${DRAFT_COLUMNS} from svc_mail_draft d
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = d.account_id
       and m.user_id = ${user}
     where d.workspace_id = ${ctx.workspace.id} and d.id = ${id} and d.user_id = ${user}`,
  );
  if (!draft) throw createMailAccessError(ctx, 'Mail draft', 'svc.mail.draft');
  return draft;
}

const DRAFT_COLUMNS: Sql = sql`d.id as draft_id, d.account_id, d."to", d.cc, d.bcc, d.subject, d.body, d.mode,
  d.in_reply_to,
  d.from_account_id, d.version, to_char(d.write_date, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as write_date`;
