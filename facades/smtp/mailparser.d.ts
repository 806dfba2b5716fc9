/** Types for the parts used here, because the package has none. */
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
  /** Values by lowercase name. Some names occur several times. */
  export interface ParsedHeaders extends Map<string, unknown> {
    get(name: 'from' | 'to' | 'cc' | 'reply-to'): ParsedAddresses | ParsedAddresses[] | undefined;
    get(name: 'subject' | 'message-id'): string | undefined;
    get(name: 'content-type'): { value: string; params: Record<string, string> } | undefined;
    get(name: string): unknown;
  }
  /** An unparsed field with its lowercase key. */
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
    /** Content-ID without angle brackets. */
    cid?: string;
    /** Must be called after the content has been read. Parsing pauses until then. */
    release(): void;
  }
  export interface ParsedPart {
    contentType: string | false;
    children: ParsedPart[];
  }
  /** Accepts bytes. Emits attachments, then the text bodies. */
  export class MailParser extends Transform {
    constructor(options?: Record<string, boolean | number>);
    /** Parses the header of the message or of a part. Undocumented. */
    protected processHeaders(lines: HeaderLine[]): ParsedHeaders;
    protected getAddressesHTML(addresses: ParsedAddress[]): string;
    protected getAddressesText(addresses: ParsedAddress[]): string;
    /** False before the first part. */
    readonly tree: ParsedPart | false;
    on(event: 'headers', listener: (headers: ParsedHeaders) => void): this;
    on(event: 'headerLines', listener: (lines: HeaderLine[]) => void): this;
    on(event: 'data', listener: (part: ParsedText | ParsedAttachment) => void): this;
    on(event: 'end', listener: () => void): this;
    on(event: 'error', listener: (error: Error) => void): this;
  }
}
