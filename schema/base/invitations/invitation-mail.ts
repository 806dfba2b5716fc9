import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';
import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { buildDraft } from '../../email/accept/email-draft.ts';
import { buildEmailRow, insertEmails } from '../../email/accept/email-insert.ts';
import { runPreflight } from '../../email/accept/preflight.ts';

/** Part of the link's signature, so a change would invalidate the links that have been sent. */
export const INVITATION_LINK = 'user-invitation';

interface InvitationMail {
  id: number;
  email: string;
  /** Number of emails sent. The link contains this number, so a new email invalidates earlier links. */
  mail_count: number;
  expires: number;
}

const buildLinkSubject = ({ id, mail_count: mail }: Pick<InvitationMail, 'id' | 'mail_count'>): string =>
  `${id}.${mail}`;

export function readSubject(subject: string): { id: number; mail: number } {
  const [id, mail] = subject.split('.').map(Number);
  return { id: id!, mail: mail! };
}

/**
 * Sends an invitation in the current transaction. Its link grants access, so the email is hidden from all email lists
 * and webhooks, and appears only in the outbox of the local transport, which is for development.
 * @throws USER_ERROR if no domain may send or the address is suppressed
 */
export async function sendInvitation(ctx: Ctx, invitation: InvitationMail): Promise<void> {
  const [domain] = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id} and status = 'SUCCESS'
     order by id limit 1`,
  );
  if (!domain)
    throw errors.user('The workspace has no verified sending domain. Verify one before you invite people.');
  const from = `hello@${domain.name}`;
  const draft = buildDraft({ from, to: [invitation.email], ...buildTexts(ctx, invitation) });
  const suppressedAddresses = await runPreflight(ctx, [draft]);
  const isOpen = ctx.runtime.config.mailTransport === 'local';
  const row = { ...buildEmailRow(draft, suppressedAddresses), mailbox_id: isOpen ? null : NO_MAILBOX };
  if (row.state === 'suppressed')
    throw errors.user(`${invitation.email} is on the suppression list. Remove it from the list first.`);
  if (!(await insertEmails(ctx, [row], { key: null, hash: '' }, [])))
    throw errors.user('The sending domain has just changed. Try again.');
}

/** Hides an email from email lists, which exclude emails that belong to a mailbox. */
const NO_MAILBOX = 0;

function buildTexts(ctx: Ctx, invitation: InvitationMail) {
  const { name: workspace } = ctx.workspace;
  const url = buildInvitationUrl(ctx, invitation);
  const inviter = ctx.principal?.name ?? workspace;
  const sentence = `${inviter} invites you to join ${workspace}.`;
  const end = `The link works once, until ${new Date(invitation.expires).toISOString().slice(0, 10)}.`;
  return {
    subject: toSingleLine(`Invitation to ${workspace}`).slice(0, limits.email.subject).toWellFormed(),
    text: `${sentence}\n\nChoose a password to begin:\n${url}\n\n${end}\n`,
    html:
      `<p>${escapeHtml(sentence)}</p><p><a href="${escapeHtml(url)}">Choose a password to begin</a></p>` +
      `<p>${escapeHtml(end)}</p>`,
  };
}

function buildInvitationUrl({ runtime, workspace }: Ctx, invitation: InvitationMail): string {
  const { secretKey, publicUrl } = runtime.config;
  const { expires } = invitation;
  const link = signLink(secretKey, INVITATION_LINK, workspace.id, buildLinkSubject(invitation), expires);
  const query = new URLSearchParams({ id: link.id, hash: link.hash, expires: String(expires) });
  return `${publicUrl}/invitation?${query}`;
}
