import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getMemberEntries, type MemberEntry } from '../accounts/member-access.ts';
import { MailError } from '../kit/operation.ts';

const MAX_REFERENCES = 50;

export interface RepliedMessage extends MemberEntry {
  message_id: string | null;
  references: string[];
}

/**
 * @throws ACCESS_ERROR if the caller cannot read the message
 * @throws MailError if it is not in the mailbox that sends the reply
 */
export async function getRepliedMessage(ctx: Ctx, accountId: number, id: number): Promise<RepliedMessage> {
  const [entry] = await getMemberEntries(ctx, [id]);
  if (entry!.account_id !== accountId)
    throw new MailError('in_reply_to: the message is not in the mailbox that you reply from.');
  const [content] = await ctx.db.rows<Pick<RepliedMessage, 'message_id' | 'references'>>(
    sql`select c.message_id, c."references" from svc_mail_message c
     where c.workspace_id = ${ctx.workspace.id} and c.id = ${entry!.content_id}`,
  );
  return { ...entry!, ...content! };
}

/**
 * Builds `In-Reply-To` and `References` (RFC 5322 3.6.4). A long list of references keeps the first and the newest
 * ones.
 */
export function buildThreadHeaders({ message_id: id, references }: RepliedMessage): Record<string, string> {
  if (!id) return {};
  const previousIds = references.filter((reference) => reference !== id);
  const maxReferences = MAX_REFERENCES - 1;
  const truncated =
    previousIds.length > maxReferences
      ? [previousIds[0]!, ...previousIds.slice(1 - maxReferences)]
      : previousIds;
  return { 'In-Reply-To': `<${id}>`, References: [...truncated, id].map((item) => `<${item}>`).join(' ') };
}
