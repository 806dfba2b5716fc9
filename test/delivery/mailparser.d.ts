/** The package brings no types; these are the parts the tests read. */
declare module 'mailparser' {
  export interface ParsedMail {
    from?: { value: { name: string; address: string }[] };
    subject?: string;
    text?: string;
    html?: string | false;
    headers: Map<string, unknown>;
    attachments: { filename?: string; content: Buffer }[];
  }
  export function simpleParser(
    source: Buffer | string,
    options?: Record<string, boolean>,
  ): Promise<ParsedMail>;
}
