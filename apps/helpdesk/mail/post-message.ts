import { type Ctx, create, findRecordIds, type Values } from '../../kit/surface.ts';

interface TicketPost {
  type: 'email' | 'email_outgoing' | 'auto_comment';
  /**
   * Verified origin. The type does not prove it, because anyone with write access to the ticket can choose the type.
   */
  origin: 'mail' | 'page' | 'sent';
  subject?: string;
  /** Sanitized HTML. */
  body: string;
  author: number | null;
  from: string;
  messageId: string | null;
  files?: number[];
}

/** Adds a message to a ticket, visible to the customer. @returns its id */
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
