import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import type { StyleSheetForm } from '../../../src/message/html/sanitize.ts';
import { decodeText } from '../../../src/message/parse/charset.ts';
import { type PartLocation, readPartContent } from '../../../src/message/parse/part-content.ts';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import { type ImageUrls, sanitizeMessage } from '../../../src/text/sanitize-message.ts';
import { loadRawMail } from '../messages/raw.ts';
import { buildFileLink } from './file-link.ts';
import { locateParts, type PartRow } from './parts.ts';

interface HtmlSource {
  raw_hash: string;
  size: number;
}

/** Sanitized HTML that is safe to embed in a page. */
export interface HtmlView {
  body_html: string;
  /** True if the HTML refers to remote images, whether or not they are shown. */
  has_remote_images: boolean;
  has_hidden_text: boolean;
}

interface RenderedHtml {
  view: HtmlView;
  /** True if the end of the message is omitted. */
  isCut: boolean;
}

const MAX_HTML_BYTES = 2 * 1024 * 1024;

export const countHtmlBytes = (parts: readonly PartRow[]): number =>
  parts.reduce((sum, { role, size }) => sum + (role === 'html' ? Math.min(size, MAX_HTML_BYTES) : 0), 0);

const isHtmlTruncated = (parts: readonly PartRow[]): boolean =>
  parts.some(({ role, size }) => role === 'html' && size > MAX_HTML_BYTES);

/** @param url of the raw message */
export const renderDownloadLink = (url: string): string =>
  `<p><a href="${escapeHtml(url)}" target="_blank">The message is longer. Download it to read the rest.</a></p>`;

interface HtmlForm {
  /** URL of a part, or of the raw message for 0. */
  file(number: number): string;
  remote: ImageUrls['remote'];
  styles: StyleSheetForm;
}

/**
 * Chooses signed links to files, direct links to remote images, and inline styles, for replies and for programs that
 * display messages themselves.
 * @param remote true to load remote images, so that the sender can detect that the message was read
 */
export const buildExternalForm = (ctx: Ctx, entryId: number, remote: boolean): HtmlForm => ({
  file: (number) => buildFileLink(ctx, entryId, number),
  remote: remote ? 'direct' : 'hidden',
  styles: 'inline',
});

/** Returns null for a message without HTML. */
export async function renderHtml(
  ctx: Ctx,
  message: HtmlSource,
  parts: readonly PartRow[],
  form: HtmlForm,
): Promise<RenderedHtml | null> {
  const htmlParts = parts.filter(({ role }) => role === 'html');
  if (htmlParts.length === 0) return null;
  const texts: string[] = [];
  const raw = await loadRawMail(ctx, message.raw_hash, message.size);
  const locations = locateParts(parts);
  for (const { number, charset } of htmlParts)
    texts.push(await readPartText(raw, locations.get(number)!, charset));
  const files = new Map(parts.flatMap(({ cid, number }) => (cid ? [[cid, form.file(number)] as const] : [])));
  const { html, remoteImages, hasHiddenText, isCut } = await sanitizeMessage(
    ctx.workspace.id,
    texts.join('\n'),
    { files, remote: form.remote },
    form.styles,
  );
  const isShortened = isCut || isHtmlTruncated(parts);
  const body_html = html + (isShortened ? renderDownloadLink(form.file(0)) : '');
  return {
    view: { body_html, has_remote_images: remoteImages, has_hidden_text: hasHiddenText },
    isCut: isShortened,
  };
}

async function readPartText(raw: RawMail, location: PartLocation, charset: string | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readPartContent(raw, location)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_HTML_BYTES) break;
  }
  return decodeText(Buffer.concat(chunks).subarray(0, MAX_HTML_BYTES), charset);
}
