import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { renderPreformatted } from '../../../src/message/html/plain-html.ts';
import { processText } from '../../../src/text/process-text.ts';
import { getMemberEntries, getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { allocateDraftId } from './draft.ts';
import { type DraftRow, getOwnDraft } from './draft-read.ts';

/** Per user and mailbox. */
const MAX_DRAFTS = 1_000;
const MAX_RECIPIENT_CHARS = 40_000;

const DraftVals = builder.inputType('MailDraftVals', {
  description: 'Fields of a draft. Omitted fields keep their values. Empty values clear them.',
  fields: (t) => ({
    to: t.string({ description: 'Recipients, as entered.' }),
    cc: t.string({ description: 'Cc recipients.' }),
    bcc: t.string({ description: 'Bcc recipients.' }),
    subject: t.string({ description: `Subject line, up to ${limits.mail.subject} characters.` }),
    body: t.string({ description: 'HTML body, which is sanitized.' }),
    bodyText: t.string({
      description: 'Plain text body. HTML is converted to text. Cannot be combined with `body`.',
    }),
    mode: t.string({ description: '`new`, `reply`, `reply_all` or `forward`.' }),
    inReplyTo: t.recordId({ description: 'Message to reply to.' }),
    fromAccountId: t.recordId({
      description: "Mailbox to send from, if different from the draft's mailbox.",
    }),
  }),
});

export const mailDraftSave = defineOperation('mailDraftSave', {
  effects: ['writes'],
  tool: 'mail_draft_save',
  address: 'svc.mail.account/draft_save',
  policy: MAIL_WRITE_POLICY,
  description: 'Creates or changes a draft that only you can see.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    vals: arg({ type: DraftVals, required: true, description: 'Fields to save.' }),
    draftId: arg.recordId({ description: 'Draft to change. By default, a new draft is created.' }),
    expectedVersion: arg.int({
      description:
        'Version that you last read. If the draft has a different version, the call fails with `STALE`. ' +
        'Each save increments the version by 1.',
    }),
  }),
  ...returnOutcome('MailDraftSaved', 'Result of saving a draft.', {
    draftId: { type: 'ID', description: 'Id of the draft. Null if the call was rejected.' },
  }),
  run: (ctx, { accountId, vals, draftId, expectedVersion }) =>
    catchMailError(() =>
      saveDraft(ctx, accountId, vals, { id: draftId ?? null, version: expectedVersion ?? null }),
    ),
});

export const mailDraftDelete = defineOperation('mailDraftDelete', {
  effects: ['writes', 'deletes'],
  address: 'svc.mail.account/draft_delete',
  policy: MAIL_WRITE_POLICY,
  description: 'Deletes one of your drafts.',
  args: (arg) => ({ draftId: arg.recordId({ required: true, description: 'Draft.' }) }),
  ...returnOutcome('MailDraftDeleted', 'Result of deleting a draft.'),
  run: (ctx, { draftId }) =>
    catchMailError(async () => {
      await getOwnDraft(ctx, draftId);
      await ctx.db.rows(
        sql`delete from svc_mail_draft where workspace_id = ${ctx.workspace.id} and id = ${draftId}
         and user_id = ${ctx.principal!.userId}`,
      );
      return {};
    }),
});

type DraftInput = typeof DraftVals.$inferInput;

/** The id is null for a new draft; the version is null to accept any. */
interface DraftTarget {
  id: number | null;
  version: number | null;
}

async function saveDraft(
  ctx: Ctx,
  accountId: number,
  vals: DraftInput,
  { id: draftId, version }: DraftTarget,
) {
  await getMemberMailbox(ctx, accountId);
  const before = draftId === null ? null : await getOwnDraft(ctx, draftId);
  const values = await buildValues(ctx, vals, before);
  const user = ctx.principal!.userId;
  if (before) {
    const savedRows = await ctx.db.rows(
      sql`update svc_mail_draft set account_id = ${accountId}, "to" = ${values.to}, cc = ${values.cc},
         bcc = ${values.bcc}, subject = ${values.subject}, body = ${values.body}, mode = ${values.mode},
         in_reply_to = ${values.in_reply_to}, from_account_id = ${values.from_account_id}, write_date = now(),
         version = version + 1
       where workspace_id = ${ctx.workspace.id} and id = ${before.draft_id} and user_id = ${user}
         and version = coalesce(${version}::int, version)
       returning id`,
    );
    if (savedRows.length === 0)
      throw errors.stale('expectedVersion', 'The draft was changed in the meantime. Nothing was changed.');
    return { draft_id: before.draft_id };
  }
  await checkDraftCount(ctx, accountId);
  const id = await allocateDraftId(ctx);
  await ctx.db.rows(
    sql`insert into svc_mail_draft (workspace_id, id, account_id, user_id, "to", cc, bcc, subject, body, mode,
       in_reply_to, from_account_id)
     values (${ctx.workspace.id}, ${id}, ${accountId}, ${user}, ${values.to}, ${values.cc}, ${values.bcc},
       ${values.subject}, ${values.body}, ${values.mode}, ${values.in_reply_to}, ${values.from_account_id})`,
  );
  return { draft_id: id };
}

async function checkDraftCount(ctx: Ctx, accountId: number): Promise<void> {
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_draft where workspace_id = ${ctx.workspace.id}
     and account_id = ${accountId} and user_id = ${ctx.principal!.userId}`,
  );
  if (count >= MAX_DRAFTS)
    throw new MailError(
      `You already have ${MAX_DRAFTS} drafts in this mailbox (the maximum). Delete some first.`,
    );
}

type DraftValues = Omit<DraftRow, 'draft_id' | 'account_id' | 'version' | 'write_date'>;

const EMPTY_DRAFT: DraftValues = {
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  body: '',
  mode: 'new',
  in_reply_to: null,
  from_account_id: null,
};

const DRAFT_MODES = ['new', 'reply', 'reply_all', 'forward'];

/** Undefined keeps the previous value, null clears it. */
const mergeValue = <T>(value: T | null | undefined, before: T, empty: T): T =>
  value === undefined ? before : (value ?? empty);

async function buildValues(ctx: Ctx, vals: DraftInput, before: DraftValues | null): Promise<DraftValues> {
  const storedDraft = before ?? EMPTY_DRAFT;
  const values: DraftValues = {
    to: mergeValue(vals.to, storedDraft.to, ''),
    cc: mergeValue(vals.cc, storedDraft.cc, ''),
    bcc: mergeValue(vals.bcc, storedDraft.bcc, ''),
    subject: mergeValue(vals.subject, storedDraft.subject, ''),
    body: await buildBody(ctx, vals, storedDraft),
    mode: mergeValue(vals.mode, storedDraft.mode, 'new') || 'new',
    in_reply_to: mergeValue(vals.inReplyTo, storedDraft.in_reply_to, null),
    from_account_id: mergeValue(vals.fromAccountId, storedDraft.from_account_id, null),
  };
  checkValues(values);
  if (vals.inReplyTo) await getMemberEntries(ctx, [vals.inReplyTo]);
  if (vals.fromAccountId) await getMemberMailbox(ctx, vals.fromAccountId);
  return values;
}

/** @throws MailError if both body formats are given */
async function buildBody(
  ctx: Ctx,
  { body, bodyText }: DraftInput,
  storedDraft: DraftValues,
): Promise<string> {
  if (typeof body === 'string' && typeof bodyText === 'string')
    throw new MailError('Pass only one of body and body_text.');
  if (typeof bodyText === 'string') return sanitizeBody(ctx, await toPlainBody(ctx, bodyText));
  return typeof body === 'string' ? sanitizeBody(ctx, body) : mergeValue(body, storedDraft.body, '');
}

/** Converts plain text to a draft body, escaping `<` as needed. Converts HTML to plain text first. */
async function toPlainBody({ workspace }: Ctx, text: string): Promise<string> {
  const plainText = HTML_TAG.test(text) ? await processText(workspace.id, 'convertHtmlToText', text) : text;
  return plainText.includes('<') ? renderPreformatted(plainText) : plainText;
}

const HTML_ELEMENTS =
  'a b i u p br hr em ol ul li tr td th h[1-6] div img pre font span body html style table tbody script strong ' +
  'blockquote';

/** An HTML tag that occurs in mail, as opposed to an address or a comparison. */
const HTML_TAG = new RegExp(`</?(?:${HTML_ELEMENTS.replaceAll(' ', '|')})(?:\\s[^<>]*)?/?>`, 'i');

function checkValues({ to, cc, bcc, subject, mode }: DraftValues): void {
  for (const [name, text] of Object.entries({ to, cc, bcc }))
    if (isLonger(text, MAX_RECIPIENT_CHARS))
      throw new MailError(`${name}: must have at most ${MAX_RECIPIENT_CHARS} characters.`);
  if (isLonger(subject, limits.mail.subject))
    throw new MailError(`subject: must have at most ${limits.mail.subject} characters.`);
  if (!DRAFT_MODES.includes(mode)) throw new MailError(`mode: must be one of ${DRAFT_MODES.join(', ')}.`);
  for (const text of [to, cc, bcc, subject])
    if (text.includes('\0') || !text.isWellFormed())
      throw new MailError('The values contain invalid characters.');
}

/** Text without markup stays unchanged. @throws MailError if the body is too large */
async function sanitizeBody({ workspace }: Ctx, body: string): Promise<string> {
  if (isLonger(body, limits.mail.body))
    throw new MailError(`body: must have at most ${limits.mail.body.toLocaleString('en')} characters.`);
  const text = body.replaceAll('\0', '').toWellFormed();
  if (!text.includes('<')) return text;
  try {
    return await processText(workspace.id, 'sanitizeFieldHtml', text, 'body');
  } catch (error) {
    if (error instanceof AppError) throw new MailError(error.message);
    throw error;
  }
}
