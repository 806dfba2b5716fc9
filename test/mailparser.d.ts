/** Types for the parts used here, because the package has none. */
declare module 'mailparser' {
  interface ParsedAddresses {
    value: { name: string; address?: string }[];
  }
  interface ParsedFile {
    filename?: string;
    contentType: string;
    contentDisposition?: string;
    cid?: string;
    content: Buffer;
  }
  interface ParsedMail {
    from?: ParsedAddresses;
    replyTo?: ParsedAddresses;
    messageId?: string;
    inReplyTo?: string;
    references?: string | string[];
    subject?: string;
    text?: string;
    html?: string | false;
    headers: Map<string, unknown>;
    attachments: ParsedFile[];
  }
  export function simpleParser(
    source: Buffer | string,
    options?: Record<string, boolean>,
  ): Promise<ParsedMail>;
}
