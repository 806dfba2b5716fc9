import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { AppError } from '../../../src/errors.ts';
import { buildAutoReply } from '../../../src/message/auto-reply/auto-reply.ts';
import type { AutoReplyOutcome } from '../../../src/message/auto-reply/outcome.ts';
import { decideAutoReply } from '../../../src/message/auto-reply/should-reply.ts';
import type { ParsedMail } from '../../../src/message/parse/message.ts';
import { buildDraft } from '../../email/accept/email-draft.ts';
import { buildEmailRow, insertEmails } from '../../email/accept/email-insert.ts';
import { runPreflight } from '../../email/accept/preflight.ts';
import { formatRecipient } from '../compose/recipient-list.ts';
import { buildCopyFiling, type SentCopy, storeSentCopy } from '../compose/sent-copy.ts';
import { fileEntries } from '../messages/file-entries.ts';
import type { ClaimedDelivery } from './claim.ts';
import type { MailboxInfo } from './mailbox-facts.ts';

/** Per mailbox. */
const MAX_REPLIES_PER_HOUR = 100;

export interface DueAutoReply {
  /** In lower case. */
  to: string;
  revision: number;
  row: ReturnType<typeof buildEmailRow>;
  copy: SentCopy;
}

/**
 * Builds the auto-reply to a message, or returns the reason for not sending one. Returns null if auto-replies are off.
 */
export async function prepareAutoReply(
  ctx: Ctx,
  mailbox: MailboxInfo,
  mail: ParsedMail,
  { sender }: ClaimedDelivery,
  suspicion: { isSpam: boolean; isUnverified: boolean },
): Promise<DueAutoReply | AutoReplyOutcome | null> {
  const { autoReply: settings } = mailbox;
  if (!settings || !mailbox.features['mail.rules']) return null;
  const arrival = { sender, isLive: true, ...suspicion };
  const decision = decideAutoReply(mail, arrival, mailbox.addresses, settings, new Date());
  if ('reason' in decision) {
    const { reason } = decision;
    return reason === 'off' || reason === 'not_today' || reason === 'not_live' ? null : reason;
  }
  const to = decision.to.toLowerCase();
  if (await hasRepliedRecently(ctx, mailbox.id, to, settings.revision)) return 'recent';
  const { subject, text, headers } = buildAutoReply(mail, settings);
  const from = formatRecipient({ name: mailbox.name, address: mailbox.address });
  try {
    const draft = buildDraft({ from, to: [decision.to], subject, text, headers });
    const row = buildEmailRow(draft, await runPreflight(ctx, [draft]));
    if (row.state === 'suppressed') return 'unreachable';
    return { to, revision: settings.revision, row, copy: await storeSentCopy(ctx, draft) };
  } catch (error) {
    // For example, the domain is not verified.
    if (error instanceof AppError) return 'cannot_send';
    throw error;
  }
}

const WEEK_MS = 604_800_000;

/**
 * Sends an auto-reply unless the recipient received one in the last seven days. Requires a locked mailbox, so that no
 * reply is sent twice.
 */
export async function sendAutoReply(
  ctx: Ctx,
  { id: account }: MailboxInfo,
  { to, revision, row, copy }: DueAutoReply,
): Promise<AutoReplyOutcome> {
  if ((await countSentThisHour(ctx, account)) >= MAX_REPLIES_PER_HOUR) return 'limit';
  const workspace = sql.param(ctx.workspace.id);
  const since = new Date(Date.now() - WEEK_MS).toISOString();
  const grantedRows = await ctx.db.rows(
    sql`insert into svc_mail_autoreply_sent (workspace_id, account_id, sender, revision, week)
     select a.workspace_id, a.id, ${to}::text, ${revision}::int, ${Math.floor(Date.now() / WEEK_MS)}::int
     from svc_mail_account a where a.workspace_id = ${workspace} and a.id = ${account} and not exists (
       select 1 from svc_mail_autoreply_sent s where s.workspace_id = ${workspace}
         and s.account_id = a.id and s.sender = ${to} and s.revision = ${revision} and s.at > ${since}::timestamp)
     on conflict (workspace_id, account_id, sender, revision, week) do nothing returning 1`,
  );
  if (grantedRows.length === 0) return 'recent';
  const insertedEmails = await insertEmails(
    ctx,
    [{ ...row, mailbox_id: account }],
    { key: null, hash: '' },
    [],
  );
  if (!insertedEmails) return 'cannot_send';
  await fileEntries(ctx, account, [await buildCopyFiling(ctx, account, copy, row.public_id)]);
  return 'sent';
}

/** Avoids composing an auto-reply that would not be sent. `sendAutoReply` makes the authoritative check. */
async function hasRepliedRecently(ctx: Ctx, account: number, to: string, revision: number): Promise<boolean> {
  const since = new Date(Date.now() - WEEK_MS).toISOString();
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_autoreply_sent where workspace_id = ${ctx.workspace.id} and account_id = ${account}
       and sender = ${to} and revision = ${revision} and at > ${since}::timestamp limit 1`,
  );
  return rows.length > 0;
}

async function countSentThisHour(ctx: Ctx, account: number): Promise<number> {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  return ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_autoreply_sent
     where workspace_id = ${ctx.workspace.id} and account_id = ${account} and at > ${since}::timestamp`,
  );
}
