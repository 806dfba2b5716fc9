import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { runInSavepoint } from '../../../src/engine/ctx/savepoint.ts';
import { loadWorkspace } from '../../../src/engine/work/load-workspace.ts';
import { onReceivedMail } from '../../../src/engine/work/received-mail.ts';
import { AppError, convertPostgresError } from '../../../src/errors.ts';
import { loadMailTeam } from './mail-team.ts';
import { processTicketMessage } from './process-message.ts';
import { toTicketMessage } from './ticket-message.ts';

// An email to a team's mailbox becomes a new ticket or a message on an existing one, in the transaction that files the
// email.
onReceivedMail(async (mail, ctx) => {
  if (mail.from === null || mail.isAutomatic) return null;
  const team = await loadMailTeam(ctx, mail.mailboxId);
  if (!team) return null;
  const message = await toTicketMessage(ctx.workspace.id, mail, mail.from);
  const workspace = await loadWorkspace(ctx.runtime, ctx.workspace.id);
  return (tx) => runOrDiscard(tx.with({ workspace }), (inner) => processTicketMessage(inner, team, message));
});

/**
 * Runs `fn`, and discards its changes if it fails. The message then remains in its mailbox, and other messages are
 * still filed.
 */
async function runOrDiscard(ctx: Ctx, fn: (ctx: Ctx) => Promise<void>): Promise<void> {
  try {
    await runInSavepoint(ctx, () => fn(ctx));
  } catch (error) {
    const rejection = error instanceof AppError ? error : convertPostgresError(error);
    if (!rejection || rejection.status >= 500) throw error;
    ctx.log.warn({ err: rejection, workspace: ctx.workspace.id }, 'could not create a ticket from a message');
  }
}
