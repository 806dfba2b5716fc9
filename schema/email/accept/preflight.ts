import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { getBoundDomain, isInBoundDomain } from '../kit/bound-domain.ts';
import { buildSuppressedSql } from '../suppressions/is-suppressed.ts';
import { type EmailDraft, getBareRecipients } from './email-draft.ts';
import { getSenderDomains } from './email-insert.ts';
import { checkSender, type SenderDomain } from './sender-domain.ts';

/**
 * Checks that the senders' domains are verified, and finds suppressed recipients.
 * @returns the suppressed addresses, bare and in lower case
 * @throws BAD_REQUEST if a domain is not in the workspace or not verified, or a replied-to email does not exist
 * @throws FORBIDDEN for a domain other than the API key's
 */
export async function runPreflight(ctx: Ctx, drafts: EmailDraft[]): Promise<ReadonlySet<string>> {
  const [row] = await ctx.db.rows<{
    domains: SenderDomain[] | null;
    suppressed: string[];
  }>(
    sql`select
       (select json_agg(json_build_object('id', id, 'name', name, 'status', status)) from svc_domain
        where workspace_id = ${ctx.workspace.id} and name = any(${getSenderDomains(drafts)})) as domains,
       array(${buildSuppressedSql(ctx.workspace.id, getBareRecipients(drafts))}) as suppressed`,
  );
  const domainsByName = new Map(row!.domains?.map((domain) => [domain.name, domain]));
  for (const name of getSenderDomains(drafts))
    checkSender(name, domainsByName.get(name), getBoundDomain(ctx));
  await checkRepliedEmails(ctx, drafts);
  return new Set(row!.suppressed);
}

async function checkRepliedEmails(ctx: Ctx, drafts: EmailDraft[]): Promise<void> {
  const repliedIds = [...new Set(drafts.flatMap((draft) => draft.in_reply_to_id ?? []))];
  if (repliedIds.length === 0) return;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_email m where m.workspace_id = ${ctx.workspace.id} and m.public_id = any(${repliedIds})
       and m.mailbox_id is null
       and ${isInBoundDomain(ctx, sql`m.domain_id`)}`,
  );
  if (rows.length < repliedIds.length) throw errors.badRequest('inReplyToId: the email does not exist.');
}
