/** The package brings no types; these are the parts that are read. */
declare module 'mailparser' {
  import type { Readable, Transform } from 'node:stream';

  export interface ParsedAddress {
    name: string;
    address?: string;
    group?: ParsedAddress[];
  }
  export interface ParsedAddresses {
    value: ParsedAddress[];
    html?: string;
    text?: string;
  }
  /** Values by names in lower case; some come several times. */
  export interface ParsedHeaders extends Map<string, unknown> {
    get(name: 'from' | 'to' | 'cc' | 'reply-to'): ParsedAddresses | ParsedAddresses[] | undefined;
    get(name: 'subject' | 'message-id'): string | undefined;
    get(name: 'content-type'): { value: string; params: Record<string, string> } | undefined;
    get(name: string): unknown;
  }
  /** A field as it came; its key in lower case. */
  export interface HeaderLine {
    key: string;
    line: string;
  }
  export interface ParsedText {
    type: 'text';
    text?: string;
    html?: string;
  }
  export interface ParsedAttachment {
    type: 'attachment';
    filename?: string;
    contentType: string;
    contentDisposition?: string;
    headers: ParsedHeaders;
    content: Readable;
    /** Content-ID without its brackets. */
    cid?: string;
    /** Must be called once the content has been read: only then does parsing go on. */
    release(): void;
  }
  /** A part that was looked into, with those it is made of. */
  export interface ParsedPart {
    contentType: string | false;
    children: ParsedPart[];
  }
  /** Bytes in; attachments and at last the texts out. */
  export class MailParser extends Transform {
    constructor(options?: Record<string, boolean | number>);
    /** Reads the header of the message or of a part; not documented. */
    protected processHeaders(lines: HeaderLine[]): ParsedHeaders;
    protected getAddressesHTML(addresses: ParsedAddress[]): string;
    protected getAddressesText(addresses: ParsedAddress[]): string;
    /** false before the first part. */
    readonly tree: ParsedPart | false;
    on(event: 'headers', listener: (headers: ParsedHeaders) => void): this;
    on(event: 'headerLines', listener: (lines: HeaderLine[]) => void): this;
    on(event: 'data', listener: (part: ParsedText | ParsedAttachment) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }
}
