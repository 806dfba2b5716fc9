import sanitize from 'sanitize-html';
import { errors } from '../../errors.ts';

export const MAX_SANITIZED_BYTES = 2 * 1024 * 1024;
/** Maximum number of `<` characters in the HTML. */
export const MAX_SANITIZED_TAGS = 100_000;
export const MAX_SANITIZED_DEPTH = 2_000;

/**
 * Sanitizes a caller's HTML for storage and display. Keeps structure, links, images and inline styles. Removes scripts,
 * event handlers, forms and embedded documents. Wraps text without markup in a paragraph.
 * @param where the field, such as `crm.lead.description`
 * @throws BAD_VALUE if the HTML exceeds the limits, because parsing it would block the process
 */
export function sanitizeFieldHtml(html: string, where: string): string {
  if (html.trim() === '') return html;
  assertHtmlSize(html, where);
  const cleanHtml = sanitize(html, { ...SANITIZE_OPTIONS, ...createDepthGuard(where) });
  return html.includes('<') ? cleanHtml : `<p>${cleanHtml}</p>`;
}

const buildHtmlError = (where: string, problem: string) =>
  errors.badValue(`Wrong value for ${where}: the HTML ${problem}`);

/**
 * Checks the limits that do not require parsing.
 * @throws BAD_VALUE
 */
export function assertHtmlSize(html: string, where: string): void {
  if (Buffer.byteLength(html) > MAX_SANITIZED_BYTES)
    throw buildHtmlError(where, `is larger than ${MAX_SANITIZED_BYTES} bytes`);
  let tags = 0;
  for (let index = html.indexOf('<'); index >= 0; index = html.indexOf('<', index + 1))
    if (++tags > MAX_SANITIZED_TAGS) throw buildHtmlError(where, `has more than ${MAX_SANITIZED_TAGS} tags`);
}

/**
 * Counts depth during parsing, because only the parser knows which tag a closing tag closes. Each level slows down
 * every tag below it.
 */
function createDepthGuard(where: string): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag: () => {
      if (++depth > MAX_SANITIZED_DEPTH)
        throw buildHtmlError(where, `is nested more than ${MAX_SANITIZED_DEPTH} levels deep`);
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
}

const SANITIZE_OPTIONS: sanitize.IOptions = {
  allowedTags: sanitize.defaults.allowedTags.concat(
    'img h1 h2 font center del ins details summary picture source video audio'.split(' '),
  ),
  allowedAttributes: {
    '*': 'style class id title dir lang align data-* role aria-* contenteditable'.split(' '),
    a: ['href', 'name', 'target', 'rel'],
    img: ['src', 'srcset', 'alt', 'width', 'height', 'loading'],
    source: ['src', 'srcset', 'type', 'media'],
    video: ['src', 'controls', 'poster', 'width', 'height'],
    audio: ['src', 'controls'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing', 'width', 'bgcolor'],
    td: ['colspan', 'rowspan', 'width', 'height', 'valign', 'bgcolor'],
    th: ['colspan', 'rowspan', 'width', 'height', 'valign', 'bgcolor', 'scope'],
    ol: ['start', 'type'],
    li: ['value'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel', 'cid', 'ftp'],
  allowedSchemesByTag: { img: ['http', 'https', 'cid', 'data'] },
  allowProtocolRelative: true,
  disallowedTagsMode: 'discard',
  parser: { lowerCaseAttributeNames: true },
};
