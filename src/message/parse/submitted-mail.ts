import { escapeMarkup } from '../html/plain-html.ts';
import { convertHtmlToText } from '../html-text.ts';
import { type MailAddress, parseAddresses } from './addresses.ts';
import { type BodyParts, findBodyParts } from './body-parts.ts';
import { decodeHeaderBytes } from './charset.ts';
import { getFirstValue, type HeaderField, parseHeaderFields } from './header-fields.ts';
import { decodeWords } from './header-words.ts';
import { decodePart, findCharset } from './message.ts';
import { readWholePart } from './part-content.ts';
import { parseContentFields } from './part-header.ts';
import type { RawMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';

/** A message received from a mail client, with all data needed to send it. */
export interface SubmittedMail {
  from: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  replyTo: MailAddress[];
  subject: string;
  messageId: string;
  /** All fields in order. The values contain encoded words. */
  headers: (HeaderField & { value: string })[];
  text: string | null;
  html: string | null;
  files: SubmittedFile[];
}

type SubmittedText = Pick<SubmittedMail, 'text' | 'html'>;

export interface SubmittedFile extends Pick<ScannedPart, 'contentId' | 'disposition'> {
  /** As written. Empty if the file has no name. */
  filename: string;
  contentType: string;
  /** Parameters of Content-Type, by lower-case name. */
  parameters: ReadonlyMap<string, string>;
  /** Base64. */
  content: string;
}

export interface TextSource {
  body: BodyParts;
  /** Decoded bytes by part path. */
  texts: Map<string, Uint8Array>;
}

/**
 * @param fields fields of the message's header
 * @param buildText calls `buildSubmittedText`, in a worker thread if the texts are large
 */
export async function readSubmittedMail(
  raw: RawMail,
  parts: readonly ScannedPart[],
  fields: HeaderField[],
  buildText: (source: TextSource) => SubmittedText | Promise<SubmittedText>,
): Promise<SubmittedMail> {
  const charset = findCharset(parts);
  const body = findBodyParts(parts);
  const texts = new Map<string, Uint8Array>();
  for (const part of [...body.text, ...body.html])
    if (!texts.has(part.path)) texts.set(part.path, await readWholePart(raw, part));
  const files: SubmittedFile[] = [];
  for (const part of body.attachments) files.push(await readFile(raw, part, charset));
  return { ...parseHead(fields, charset), ...(await buildText({ body, texts })), files };
}

function parseHead(fields: HeaderField[], charset: string | null) {
  const people = (name: string): MailAddress[] =>
    fields
      .filter((field) => field.name === name)
      .flatMap(({ latin1 }) => parseAddresses(latin1, charset))
      .filter(({ address }) => address !== '');
  return {
    from: people('from'),
    to: people('to'),
    cc: people('cc'),
    replyTo: people('reply-to'),
    subject: decodeWords(getFirstValue(fields, 'subject'), charset),
    messageId: getFirstValue(fields, 'message-id'),
    headers: fields.map((field) => ({ ...field, value: decodeHeaderBytes(field.latin1, charset) })),
  };
}

async function readFile(raw: RawMail, part: ScannedPart, charset: string | null): Promise<SubmittedFile> {
  const { headerFrom, bodyFrom, contentId, disposition } = part;
  const header = await readWholePart(raw, { bodyFrom: headerFrom, bodyTo: bodyFrom, encoding: 'binary' });
  const { contentType, filename } = parseContentFields(parseHeaderFields(header), charset);
  return {
    filename,
    contentType: contentType.value || part.type,
    parameters: contentType.parameters,
    contentId,
    disposition,
    content: (await readWholePart(raw, part)).toString('base64'),
  };
}

/**
 * Decodes the text and the HTML. A single part remains unchanged. Several parts are joined, each converted to the other
 * format if necessary, so that the text and the HTML both contain all of them. May run in a worker thread, started by
 * `src/thread.ts`.
 */
export default function buildSubmittedText({ body, texts }: TextSource): SubmittedText {
  const join = (parts: ScannedPart[], type: string, convert: (text: string) => string, separator: string) => {
    if (!parts.some((part) => part.type === type)) return null;
    const forms = parts.map((part) => {
      const text = decodePart({ texts }, part);
      return part.type === type ? text : convert(text);
    });
    return forms.filter((form) => form.trim() !== '').join(separator) || null;
  };
  return {
    text: join(body.text, 'text/plain', convertHtmlToText, '\n'),
    html: join(body.html, 'text/html', textToHtml, '<br>\n'),
  };
}

const textToHtml = (text: string): string => escapeMarkup(text).replaceAll('\n', '<br>\n');
