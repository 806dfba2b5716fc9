import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { type EntryPlace, entriesOf } from '../accounts/member-of.ts';
import { MailRefusal } from '../kit/refusal.ts';

/** The message that another one answers. */
export interface Answered extends EntryPlace {
  message_id: string | null;
  references: string[];
}

/**
 * @throws ACCESS_ERROR for a message that is not the caller's, MailRefusal for one of another mailbox than it is
 *   answered from
 */
export async function answeredOf(ctx: Ctx, accountId: number, id: number): Promise<Answered> {
  const [entry] = await entriesOf(ctx, [id]);
  if (entry!.account_id !== accountId)
    throw new MailRefusal('in_reply_to: the message lies in another mailbox than it is answered from.');
  const [content] = await ctx.db.rows<Pick<Answered, 'message_id' | 'references'>>(
    sql`select c.message_id, c."references" from svc_mail_message c
     where c.workspace_id = ${ctx.workspace.id} and c.id = ${entry!.content_id}`,
  );
  return { ...entry!, ...content! };
}

/** Header fields by which clients know what a message answers (RFC 5322 3.6.4). Pure. */
export function threadHeaders({ message_id: id, references }: Answered): Record<string, string> {
  if (!id) return {};
  const known = references.filter((each) => each !== id);
  const most = limits.mail.references - 1;
  const kept = known.length > most ? [known[0]!, ...known.slice(1 - most)] : known;
  return { 'In-Reply-To': `<${id}>`, References: [...kept, id].map((each) => `<${each}>`).join(' ') };
}
