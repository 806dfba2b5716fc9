import type { Attachment } from '../../../src/mail/attachment.ts';

/** What composing a message takes of an email. Column names of `svc_email`. */
export interface EmailContent {
  public_id: string;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  reply_to: string[];
  subject: string;
  html: string | null;
  text: string | null;
  headers: Record<string, string> | null;
  attachments: Attachment[] | null;
}
