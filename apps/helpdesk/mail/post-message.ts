import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { findRecordIds } from '../../../src/engine/write/first-records.ts';
import { create } from '../../../src/engine/write/write.ts';

/** A message between a customer and a team. */
export interface TicketPost {
  /** Of the customer, of the team, or of the team without anybody's doing. */
  type: 'email' | 'email_outgoing' | 'auto_comment';
  /** What proves it: anyone who may write to the ticket can choose a type. */
  origin: 'mail' | 'page' | 'sent';
  subject?: string;
  /** Safe HTML. */
  body: string;
  author: number | null;
  /** Address of the author. */
  from: string;
  messageId: string | null;
  files?: number[];
}

/** Adds a message to a ticket, for the customer to see. @returns its id */
export async function postToTicket(ctx: Ctx, ticket: number, post: TicketPost): Promise<number> {
  const subtypes = await findRecordIds(ctx, 'mail', ['mt_comment']);
  const values: Values = {
    model: 'helpdesk.ticket',
    res_id: ticket,
    message_type: post.type,
    origin: post.origin,
    subtype_id: subtypes.get('mt_comment') ?? false,
    subject: post.subject ?? false,
    body: post.body,
    author_id: post.author ?? false,
    email_from: post.from,
    message_id: post.messageId ?? false,
    ...(post.files?.length && { attachment_ids: [[6, 0, post.files]] }),
  };
  const [id] = await create(ctx.system(), 'mail.message', [values]);
  return id!;
}
