/** A file of an email as it is stored. */
export interface EmailFile {
  filename: string;
  /** base64 */
  content: string;
  /** Taken from the file name when absent. */
  contentType?: string;
  /** Set for a file that the HTML shows by `cid:`. */
  contentId?: string;
}

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
  attachments: EmailFile[] | null;
}
