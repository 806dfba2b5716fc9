/** The package brings no types; these are the parts that are read. */
declare module 'mailparser' {
  export interface ParsedAddress {
    name: string;
    address?: string;
    group?: ParsedAddress[];
  }
  export interface ParsedAddresses {
    value: ParsedAddress[];
  }
  export interface ParsedFile {
    filename?: string;
    contentType: string;
    contentDisposition?: string;
    content: Buffer;
    /** Content-ID without its brackets. */
    cid?: string;
  }
  export interface ParsedMail {
    from?: ParsedAddresses;
    to?: ParsedAddresses | ParsedAddresses[];
    cc?: ParsedAddresses | ParsedAddresses[];
    replyTo?: ParsedAddresses | ParsedAddresses[];
    subject?: string;
    messageId?: string;
    text?: string;
    html?: string | false;
    headers: Map<string, unknown>;
    /** Fields as they came, in their order; keys in lower case. */
    headerLines: { key: string; line: string }[];
    attachments: ParsedFile[];
  }
  export function simpleParser(
    source: Buffer | string,
    options?: Record<string, boolean>,
  ): Promise<ParsedMail>;
}
