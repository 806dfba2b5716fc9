import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import type { ShapeParts } from '../../../src/engine/operation/shape.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { assertVersion, describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { isWithinDays } from '../../../src/message/auto-reply/settings.ts';
import { getMemberMailbox, type MemberMailbox } from '../accounts/member-access.ts';
import { lockForChange } from '../accounts/modseq.ts';
import {
  catchMailError,
  MAIL_READ_POLICY,
  MAIL_WRITE_POLICY,
  MailError,
  returnOutcome,
  returnShape,
} from '../kit/operation.ts';
import { requireFeature, requireFeatureToRead } from '../settings/features.ts';

const MAX_SUBJECT_CHARS = 150;
const MAX_BODY_CHARS = 4_000;

const AUTO_REPLY_SHAPE: ShapeParts = {
  active: { type: 'Boolean', description: 'True if the auto-reply is on.' },
  running: { type: 'Boolean', description: 'True if the auto-reply is on and active today.' },
  subject: {
    type: 'String',
    description: "Subject. If empty, `Auto: ` followed by the message's subject is used.",
  },
  body: { type: 'String', description: 'Plain text.' },
  from: {
    type: 'String',
    description: "First day (YYYY-MM-DD), in the owner's time zone. Empty if not set.",
  },
  until: {
    type: 'String',
    description: "Last day (YYYY-MM-DD), in the owner's time zone. Empty if not set.",
  },
};

const VERSION_SHAPE: ShapeParts = {
  version: {
    type: 'Int',
    description: 'Increases with each update. 0 if it was never set up. Pass it as `expectedVersion`.',
  },
};

const AutoReplyInput = builder.inputType('AutoReplyInput', {
  description: 'Changes to an auto-reply. Omitted fields keep their values.',
  fields: (t) => ({
    active: t.boolean({ description: 'True to turn the auto-reply on. Turning it off keeps the text.' }),
    subject: t.string({ description: `Subject, up to ${MAX_SUBJECT_CHARS} characters.` }),
    body: t.string({ description: `Plain text, up to ${MAX_BODY_CHARS} characters.` }),
    from: t.string({ description: 'First day (YYYY-MM-DD). An empty string clears it.' }),
    until: t.string({ description: 'Last day (YYYY-MM-DD). An empty string clears it.' }),
  }),
});

export const mailAutoReply = defineOperation('mailAutoReply', {
  effects: ['reads'],
  tool: 'mail_rules_get',
  address: 'svc.mail.account/autoreply_get',
  policy: MAIL_READ_POLICY,
  description: "Returns a mailbox's auto-reply, and whether it is active today.",
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  ...returnShape('MailAutoReply', "A mailbox's auto-reply.", { ...AUTO_REPLY_SHAPE, ...VERSION_SHAPE }),
  run: async (ctx, { accountId }) => {
    const account = await getMemberMailbox(ctx, accountId);
    await requireFeatureToRead(ctx, account.company_id, 'mail.rules');
    return toAutoReplyView(ctx, account, await loadAutoReply(ctx, accountId));
  },
});

export const mailAutoReplySave = defineOperation('mailAutoReplySave', {
  effects: ['writes', 'sends'],
  tool: 'mail_autoreply_set',
  address: 'svc.mail.account/autoreply_save',
  policy: MAIL_WRITE_POLICY,
  description:
    "Changes a mailbox's auto-reply. Each sender receives at most one auto-reply per week, unless " +
    'the text has changed since. Mailing lists, automated senders and spam receive no reply.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    data: arg({ type: AutoReplyInput, required: true, description: 'Changes to make.' }),
    expectedVersion: arg.int({ description: describeExpectedVersion('auto-reply') }),
  }),
  ...returnOutcome('MailAutoReplySaved', 'Result of changing an auto-reply.', {
    ...AUTO_REPLY_SHAPE,
    ...VERSION_SHAPE,
  }),
  run: async (ctx, { accountId, data, expectedVersion }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchMailError(async () => {
      await requireFeature(ctx, account.company_id, 'mail.rules');
      return ctx.tx(async (tx) => {
        await lockForChange(tx, accountId, { kind: 'folders' });
        const before = await loadAutoReply(tx, accountId);
        assertVersion('auto-reply', before.version, expectedVersion);
        const after = { ...applyAutoReplyChanges(before, data), version: before.version + 1 };
        await storeAutoReply(tx, accountId, after, before);
        return toAutoReplyView(tx, account, after);
      });
    });
  },
});

export const mailAutoReplyPreview = defineOperation('mailAutoReplyPreview', {
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Checks changes to an auto-reply as `mailAutoReplySave` does, and returns a preview.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    data: arg({ type: AutoReplyInput, required: true, description: 'Changes to preview.' }),
  }),
  ...returnOutcome('MailAutoReplyPreview', 'Preview of an auto-reply.', AUTO_REPLY_SHAPE),
  run: async (ctx, { accountId, data }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchMailError(async () => {
      await requireFeature(ctx, account.company_id, 'mail.rules');
      const after = applyAutoReplyChanges(await loadAutoReply(ctx, accountId), data);
      const { version: _, ...preview } = await toAutoReplyView(ctx, account, after);
      return preview;
    });
  },
});

/** Unset values are empty strings. */
interface AutoReply {
  active: boolean;
  subject: string;
  body: string;
  from: string;
  until: string;
  version: number;
}

const NO_AUTO_REPLY: AutoReply = { active: false, subject: '', body: '', from: '', until: '', version: 0 };

async function loadAutoReply(ctx: Ctx, accountId: number): Promise<AutoReply> {
  const [row] = await ctx.db.rows<AutoReply>(
    sql`select is_active as active, subject, body, coalesce(date_from::text, '') as "from",
       coalesce(date_until::text, '') as until, row_version as version from svc_mail_autoreply
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}`,
  );
  return row ?? NO_AUTO_REPLY;
}

async function toAutoReplyView(ctx: Ctx, { owner_id }: MemberMailbox, reply: AutoReply) {
  const [owner] = await ctx.db.rows<{ tz: string | null }>(
    sql`select tz from res_users where workspace_id = ${ctx.workspace.id} and id = ${owner_id}`,
  );
  const isRunning = reply.active && isWithinDays({ ...reply, tz: owner?.tz ?? 'UTC' }, new Date());
  return { ...reply, running: isRunning };
}

/** @throws MailError if the settings are invalid */
function applyAutoReplyChanges(before: AutoReply, data: typeof AutoReplyInput.$inferInput): AutoReply {
  const after = {
    active: data.active ?? before.active,
    subject: data.subject?.trim() ?? before.subject,
    body: data.body ?? before.body,
    from: parseDay('from', data.from ?? before.from),
    until: parseDay('until', data.until ?? before.until),
    version: before.version,
  };
  if (isLonger(after.subject, MAX_SUBJECT_CHARS))
    throw new MailError(`subject: must have at most ${MAX_SUBJECT_CHARS} characters.`);
  if (/[\x00-\x1f\x7f]/.test(after.subject)) throw new MailError('subject: must be a single line.');
  if (isLonger(after.body, MAX_BODY_CHARS))
    throw new MailError(`body: must have at most ${MAX_BODY_CHARS.toLocaleString('en')} characters.`);
  if (!after.body.isWellFormed() || !after.subject.isWellFormed() || after.body.includes('\0'))
    throw new MailError('The subject or the body contains invalid characters.');
  if (after.from && after.until && after.from > after.until)
    throw new MailError('until: must not be before the first day.');
  if (after.active && after.body.trim() === '') throw new MailError('body: an auto-reply requires text.');
  return after;
}

/** @throws MailError if the string is not a date */
function parseDay(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const date = /^\d{4}-\d{2}-\d{2}$/.test(trimmed) ? new Date(`${trimmed}T00:00:00Z`) : null;
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== trimmed)
    throw new MailError(`${name}: must be a date as YYYY-MM-DD, or empty.`);
  return trimmed;
}

/** Stores the auto-reply. If its text changes or it is turned on again, previous recipients receive it again. */
async function storeAutoReply(
  ctx: Ctx,
  accountId: number,
  after: AutoReply,
  before: AutoReply,
): Promise<void> {
  const { active, subject, body, from, until } = after;
  const isNew = subject !== before.subject || body !== before.body || (active && !before.active);
  const author = ctx.principal?.userId ?? null;
  const id = await allocateId(ctx, 'svc_mail_autoreply');
  await ctx.db.rows(
    sql`insert into svc_mail_autoreply (workspace_id, id, account_id, is_active, subject, body, date_from, date_until,
       create_uid, write_uid)
     values (${ctx.workspace.id}, ${id}, ${accountId}, ${active}, ${subject}, ${body}, ${from || null}::date,
       ${until || null}::date, ${author}, ${author})
     on conflict (workspace_id, account_id) do update set is_active = excluded.is_active, subject = excluded.subject,
       body = excluded.body, date_from = excluded.date_from, date_until = excluded.date_until,
       row_version = svc_mail_autoreply.row_version + 1, write_date = excluded.write_date,
       write_uid = excluded.write_uid, revision = svc_mail_autoreply.revision + ${isNew ? 1 : 0}`,
  );
}
