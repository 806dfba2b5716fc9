declare module 'mailparser' {
  interface ParsedFile extends Pick<ParsedAttachment, 'filename' | 'contentType' | 'cid'> {
    contentDisposition?: string;
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
    headers: ParsedHeaders;
    attachments: ParsedFile[];
  }
  export function simpleParser(
    source: Buffer | string,
    options?: Record<string, boolean>,
  ): Promise<ParsedMail>;
}
