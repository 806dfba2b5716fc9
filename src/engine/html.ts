import sanitize from 'sanitize-html';

/**
 * HTML of a caller as it may be stored and shown: structure, links, images and inline style stay; scripts, event
 * handlers, forms and foreign documents go. A text without any markup is a paragraph.
 */
export function sanitized(html: string): string {
  if (html.trim() === '') return html;
  const clean = sanitize(html, RULES);
  return html.includes('<') ? clean : `<p>${clean}</p>`;
}

const RULES: sanitize.IOptions = {
  allowedTags: sanitize.defaults.allowedTags.concat([
    'img',
    'h1',
    'h2',
    'font',
    'center',
    'del',
    'ins',
    'details',
    'summary',
    'picture',
    'source',
    'video',
    'audio',
  ]),
  allowedAttributes: {
    '*': [
      'style',
      'class',
      'id',
      'title',
      'dir',
      'lang',
      'align',
      'data-*',
      'role',
      'aria-*',
      'contenteditable',
    ],
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
