import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { runInSavepoint } from '../../../src/engine/ctx/savepoint.ts';
import { type MailboxMessage, setMailboxSender } from '../../../src/engine/work/mailbox-message.ts';
import { AppError, errors } from '../../../src/errors.ts';
import type { MemberMailbox } from '../accounts/member-access.ts';
import { MailError } from '../kit/operation.ts';
import { loadFeatures, requireFeature } from '../settings/features.ts';
import { sendMailboxMessage } from './send-message.ts';

// Messages that apps send from mailboxes pass the same checks as messages from users.
setMailboxSender(async (ctx, message) => {
  try {
    // Rolls back everything that the message wrote, because the app's transaction may continue after a rejection.
    return await ctx.tx((tx) => runInSavepoint(tx, () => sendAppMessage(tx, message)));
  } catch (error) {
    const isRefusal =
      error instanceof MailError || (error instanceof AppError && error.kind === 'BAD_REQUEST');
    throw isRefusal ? errors.user(error.message) : error;
  }
});

async function sendAppMessage(ctx: Ctx, input: MailboxMessage): Promise<string> {
  const { mailboxId, files, html, ...message } = input;
  const account = await getActiveMailbox(ctx, mailboxId);
  if (files.length > 0 || message.cc.length > 0)
    await requireFeature(ctx, account.company_id, 'mail.composer2');
  const features = await loadFeatures(ctx, account.company_id);
  const { message_id: id } = await sendMailboxMessage(ctx, {
    account,
    message: {
      ...message,
      from: account,
      bcc: [],
      html: features['mail.composer2'] ? html : null,
    },
    files,
    answered: null,
    draftId: null,
    attachmentIds: [],
    outgoingId: null,
  });
  return id.slice(1, -1);
}

/** @throws MailError if the mailbox does not exist or is archived */
async function getActiveMailbox(ctx: Ctx, id: number): Promise<MemberMailbox> {
  const [account] = await ctx.db.rows<MemberMailbox>(
    sql`select a.id, a.name, a.address, a.kind, a.owner_id, a.company_id, 'member' as role from svc_mail_account a
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${id} and a.active`,
  );
  if (!account) throw new MailError('The mailbox no longer exists.');
  return account;
}
