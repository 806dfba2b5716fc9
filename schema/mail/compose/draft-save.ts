import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { allocateId } from '../../../src/engine/ctx/new-ids.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { sanitizeFieldHtml } from '../../../src/engine/value/sanitize-html.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { AppError } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { htmlToText } from '../../../src/mail/html-text.ts';
import { renderPreformatted } from '../../../src/mail/parse/plain-html.ts';
import { accountOf, entriesOf } from '../accounts/member-of.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { type DraftRow, ownDraft } from './draft-read.ts';

const Vals = builder.inputType('MailDraftVals', {
  description: 'Values of a draft. Omitted ones stay as they are; empty ones are cleared.',
  fields: (t) => ({
    to: t.string({ description: 'Recipients, as they are written.' }),
    cc: t.string({ description: 'Cc recipients.' }),
    bcc: t.string({ description: 'Bcc recipients.' }),
    subject: t.string({ description: `Subject line, up to ${limits.mail.subject} characters.` }),
    body: t.string({ description: 'Body; markup is made safe.' }),
    bodyText: t.string({ description: 'Plain text in place of `body`; markup becomes text.' }),
    mode: t.string({ description: '`new`, `reply`, `reply_all` or `forward`.' }),
    inReplyTo: t.recordId({ description: 'Message that it answers.' }),
    fromAccountId: t.recordId({ description: 'Mailbox of yours to send from, where it is another one.' }),
  }),
});

export const mailDraftSaveVerb = verb('mailDraftSave', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_draft_save',
  address: 'svc.mail.account/draft_save',
  policy: mailWrites,
  description: 'Creates a draft that you alone see, or changes it.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    vals: arg({ type: Vals, required: true, description: 'Its values.' }),
    draftId: arg.recordId({ description: 'Draft to change; without it a new one is created.' }),
    expectedVersion: arg.int({
      description:
        'Version of the draft that you have seen. Another one is refused with the code `changed`, and stays. A save ' +
        'raises the version by 1.',
    }),
  }),
  ...answersShape('MailDraftSaved', 'A draft that was saved.', {
    ...OUTCOME,
    draftId: { type: 'ID', nullable: true, description: 'Id of the draft; null when refused.' },
    code: {
      type: 'String',
      nullable: true,
      description: '`changed` where the draft has another version than the expected one; else null.',
    },
  }),
  run: (ctx, { accountId, vals, draftId, expectedVersion }) =>
    answering(() =>
      saveDraft(ctx, accountId, vals, { id: draftId ?? null, version: expectedVersion ?? null }),
    ),
});

export const mailDraftDeleteVerb = verb('mailDraftDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  address: 'svc.mail.account/draft_delete',
  policy: mailWrites,
  description: 'Deletes a draft of yours.',
  args: (arg) => ({ draftId: arg.recordId({ required: true, description: 'Draft.' }) }),
  ...answersShape('MailDraftDeleted', 'A draft that was deleted.', OUTCOME),
  run: (ctx, { draftId }) =>
    answering(async () => {
      await ownDraft(ctx, draftId);
      await ctx.db.rows(
        sql`delete from svc_mail_draft where workspace_id = ${ctx.workspace.id} and id = ${draftId}
         and user_id = ${ctx.principal!.userId}`,
      );
      return {};
    }),
});

type Given = typeof Vals.$inferInput;

/** Which draft is changed, and the version that it must have; null for a new one, and for any version. */
interface Wanted {
  id: number | null;
  version: number | null;
}

async function saveDraft(ctx: Ctx, accountId: number, vals: Given, { id: draftId, version }: Wanted) {
  await accountOf(ctx, accountId);
  const before = draftId === null ? null : await ownDraft(ctx, draftId);
  const values = await valuesOf(ctx, vals, before);
  const user = ctx.principal!.userId;
  if (before) {
    const saved = await ctx.db.rows(
      sql`update svc_mail_draft set account_id = ${accountId}, "to" = ${values.to}, cc = ${values.cc},
         bcc = ${values.bcc}, subject = ${values.subject}, body = ${values.body}, mode = ${values.mode},
         in_reply_to = ${values.in_reply_to}, from_account_id = ${values.from_account_id}, write_date = now(),
         version = version + 1
       where workspace_id = ${ctx.workspace.id} and id = ${before.draft_id} and user_id = ${user}
         and version = coalesce(${version}::int, version)
       returning id`,
    );
    if (saved.length === 0)
      throw new MailRefusal('The draft was changed meanwhile. Read it again.', { code: 'changed' });
    return { draft_id: before.draft_id };
  }
  await checkNumber(ctx, accountId);
  const id = await allocateId(ctx, 'svc_mail_draft');
  await ctx.db.rows(
    sql`insert into svc_mail_draft (workspace_id, id, account_id, user_id, "to", cc, bcc, subject, body, mode,
       in_reply_to, from_account_id)
     values (${ctx.workspace.id}, ${id}, ${accountId}, ${user}, ${values.to}, ${values.cc}, ${values.bcc},
       ${values.subject}, ${values.body}, ${values.mode}, ${values.in_reply_to}, ${values.from_account_id})`,
  );
  return { draft_id: id };
}

async function checkNumber(ctx: Ctx, accountId: number): Promise<void> {
  const [count] = await ctx.db.rows<{ n: number }>(
    sql`select count(*)::int as n from svc_mail_draft where workspace_id = ${ctx.workspace.id}
     and account_id = ${accountId} and user_id = ${ctx.principal!.userId}`,
  );
  if (count!.n >= limits.mail.drafts)
    throw new MailRefusal(`You have ${limits.mail.drafts} drafts in this mailbox and cannot have more.`);
}

type Values = Omit<DraftRow, 'draft_id' | 'account_id' | 'version' | 'write_date'>;

const EMPTY: Values = {
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  body: '',
  mode: 'new',
  in_reply_to: null,
  from_account_id: null,
};

const MODES = ['new', 'reply', 'reply_all', 'forward'];

/** undefined keeps what there was, and null clears it. */
const kept = <T>(given: T | null | undefined, before: T, empty: T): T =>
  given === undefined ? before : (given ?? empty);

async function valuesOf(ctx: Ctx, vals: Given, before: Values | null): Promise<Values> {
  const old = before ?? EMPTY;
  const values: Values = {
    to: kept(vals.to, old.to, ''),
    cc: kept(vals.cc, old.cc, ''),
    bcc: kept(vals.bcc, old.bcc, ''),
    subject: kept(vals.subject, old.subject, ''),
    body: bodyOf(vals, old),
    mode: kept(vals.mode, old.mode, 'new') || 'new',
    in_reply_to: kept(vals.inReplyTo, old.in_reply_to, null),
    from_account_id: kept(vals.fromAccountId, old.from_account_id, null),
  };
  check(values);
  if (vals.inReplyTo) await entriesOf(ctx, [vals.inReplyTo]);
  if (vals.fromAccountId) await accountOf(ctx, vals.fromAccountId);
  return values;
}

/** @throws MailRefusal for two bodies */
function bodyOf({ body, bodyText }: Given, old: Values): string {
  if (typeof body === 'string' && typeof bodyText === 'string')
    throw new MailRefusal('Give either body or body_text.');
  if (typeof bodyText === 'string') return safe(plain(bodyText));
  return typeof body === 'string' ? safe(body) : kept(body, old.body, '');
}

/** Text as a body has it, in which `<` begins markup; what is HTML becomes text. Pure. */
function plain(text: string): string {
  const read = ELEMENT.test(text) ? htmlToText(text) : text;
  return read.includes('<') ? renderPreformatted(read) : read;
}

const NAMES =
  'a b i u p br hr em ol ul li tr td th h[1-6] div img pre font span body html style table tbody script strong ' +
  'blockquote';

/** An element of HTML as mail has it, and not an address or a comparison. */
const ELEMENT = new RegExp(`</?(?:${NAMES.replaceAll(' ', '|')})(?:\\s[^<>]*)?/?>`, 'i');

/** @throws MailRefusal */
function check({ to, cc, bcc, subject, mode }: Values): void {
  for (const [name, text] of Object.entries({ to, cc, bcc }))
    if (isLonger(text, limits.mail.recipientText))
      throw new MailRefusal(`${name}: at most ${limits.mail.recipientText} characters.`);
  if (isLonger(subject, limits.mail.subject))
    throw new MailRefusal(`subject: at most ${limits.mail.subject} characters.`);
  if (!MODES.includes(mode)) throw new MailRefusal(`mode: one of ${MODES.join(', ')}.`);
  for (const text of [to, cc, bcc, subject])
    if (text.includes('\0') || !text.isWellFormed()) throw new MailRefusal('The values are not plain text.');
}

/** Text without markup stays as it is. @throws MailRefusal for what is too large */
function safe(body: string): string {
  if (isLonger(body, limits.mail.body))
    throw new MailRefusal(`body: at most ${limits.mail.body.toLocaleString('en')} characters.`);
  const text = body.replaceAll('\0', '').toWellFormed();
  if (!text.includes('<')) return text;
  try {
    return sanitizeFieldHtml(text, 'body');
  } catch (error) {
    if (error instanceof AppError) throw new MailRefusal(error.message);
    throw error;
  }
}
