import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { decodeText } from '../../../src/mail/parse/charset.ts';
import { readPartContent } from '../../../src/mail/parse/part-content.ts';
import type { RawMail } from '../../../src/mail/parse/raw.ts';
import { sanitizeHtml } from '../../../src/mail/parse/sanitize.ts';
import type { TransferEncoding } from '../../../src/mail/parse/transfer.ts';
import { loadRawMail } from '../messages/raw.ts';
import { buildFileLink } from './file-link.ts';
import type { PartRow } from './parts.ts';

/** A message of which the HTML is shown. */
interface HtmlSource {
  raw_hash: string;
  size: number;
}

/** HTML that can be shown within a page. */
export interface HtmlView {
  body_html: string;
  /** Images of other servers are part of it, whether they are loaded or not. */
  has_remote_images: boolean;
  has_hidden_text: boolean;
}

/** Bytes of the HTML of one message that are shown. */
const MAX_HTML_BYTES = 2 * 1024 * 1024;

/** Bytes of the HTML of a message that are read to show it. */
export const countHtmlBytes = (parts: readonly PartRow[]): number =>
  parts.reduce((sum, { role, size }) => sum + (role === 'html' ? Math.min(size, MAX_HTML_BYTES) : 0), 0);

/** Whether an end of the HTML of a message is not shown. */
export const isHtmlTruncated = (parts: readonly PartRow[]): boolean =>
  parts.some(({ role, size }) => role === 'html' && size > MAX_HTML_BYTES);

/** Where the HTML of a message has its images from. */
export interface ImageSources {
  /** Of a file of the message. */
  file(number: number): string;
  /** Of an image of another server; null for one that is not shown. */
  remote(address: string): string | null;
}

/**
 * Signed links to files, and the other servers themselves, for programs that show messages by themselves.
 * @param remote whether images of other servers are loaded, which lets the sender know that the message is read
 */
export const buildImageSources = (ctx: Ctx, entryId: number, remote: boolean): ImageSources => ({
  file: (number) => buildFileLink(ctx, entryId, number),
  remote: (address) => (remote ? address : null),
});

/** The HTML of a message as it may be shown; null where it has none. */
export async function renderHtml(
  ctx: Ctx,
  message: HtmlSource,
  parts: readonly PartRow[],
  images: ImageSources,
): Promise<HtmlView | null> {
  const htmlParts = parts.filter(({ role }) => role === 'html');
  if (htmlParts.length === 0) return null;
  const texts: string[] = [];
  const raw = await loadRawMail(ctx, message.raw_hash, message.size);
  for (const part of htmlParts) texts.push(await readPartText(raw, part));
  const cids = new Map(parts.flatMap((part) => (part.cid ? [[part.cid, part.number] as const] : [])));
  const { html, remoteImages, hasHiddenText } = sanitizeHtml(texts.join('\n'), {
    keepsStyleSheets: true,
    cid: (id) => (cids.has(id) ? images.file(cids.get(id)!) : null),
    remoteImage: images.remote,
  });
  return { body_html: html, has_remote_images: remoteImages, has_hidden_text: hasHiddenText };
}

async function readPartText(raw: RawMail, part: PartRow): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const partLocation = {
    bodyFrom: part.body_from,
    bodyTo: part.body_to,
    encoding: part.encoding as TransferEncoding,
  };
  for await (const piece of readPartContent(raw, partLocation)) {
    pieces.push(piece);
    length += piece.length;
    if (length >= MAX_HTML_BYTES) break;
  }
  return decodeText(Buffer.concat(pieces).subarray(0, MAX_HTML_BYTES), part.charset);
}
