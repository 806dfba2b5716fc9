import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { MailError } from '../kit/operation.ts';
import type { SendInput } from './send-input.ts';

/** Kind of due work in `svc_due`. */
export const OUTGOING_KIND = 'outgoing';

export interface OutgoingRow {
  id: number;
  account_id: number;
  user_id: number;
  from_address: string;
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body: string;
  body_html: string;
  mode: string;
  in_reply_to: number | null;
  attachment_ids: number[];
  add_signature: boolean;
  attempts: number;
}

/** Columns of a row `t`. */
export const OUTGOING_COLUMNS: Sql = sql`t.id, t.account_id, t.user_id, t.from_address, t."to", t.cc, t.bcc,
  t.subject, t.body, t.body_html, t.mode, t.in_reply_to, t.attachment_ids, t.add_signature, t.attempts`;

export const toSendInput = (row: OutgoingRow): SendInput => ({
  fromAddress: row.from_address,
  to: row.to,
  cc: row.cc,
  bcc: row.bcc,
  subject: row.subject,
  body: row.body,
  bodyHtml: row.body_html,
  inReplyTo: row.in_reply_to,
  attachmentIds: row.attachment_ids,
  addSignature: row.add_signature,
});

/**
 * Withdraws a message before it is sent, in the caller's transaction.
 * @throws MailError if it does not exist, has been sent, or belongs to another user
 */
export async function withdrawOutgoing(ctx: Ctx, id: number): Promise<OutgoingRow> {
  const [row] = await ctx.db.rows<OutgoingRow>(
    sql`delete from svc_mail_outgoing t where t.workspace_id = ${ctx.workspace.id} and t.id = ${id}
       and t.user_id = ${ctx.principal?.userId ?? 0} returning ${OUTGOING_COLUMNS}`,
  );
  if (!row) throw new MailError('The message is not waiting to be sent. It may already have been sent.');
  return row;
}
