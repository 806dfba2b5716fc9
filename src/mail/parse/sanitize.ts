import sanitize from 'sanitize-html';
import { htmlToText } from '../html-text.ts';
import { visibilityOfPage, visibilityWithin } from '../html-visibility.ts';
import { preformatted } from './plain-html.ts';
import { safeStyle } from './safe-style.ts';

/** How the HTML of a message is to be shown. */
export interface DisplayOptions {
  /** Where the file is to be had that the message names by `cid:`; null when it has none. */
  cid(contentId: string): string | null;
  /** Where an image of another server is to be had; null for one that is not shown. */
  remoteImage(address: string): string | null;
}

/** HTML that can be shown within a page. */
export interface DisplayHtml {
  html: string;
  /** Whether the message has images of other servers, shown or not. */
  remoteImages: boolean;
  /** Set where the HTML is so large or deep that only its text is shown. */
  asText: boolean;
}

/** What takes longer to make safe than a reader waits. */
const MOST_CHARACTERS = 1024 * 1024;
const MOST_TAGS = 30_000;
const MOST_DEPTH = 256;

/**
 * HTML of a stranger as it may be shown: no scripts, handlers, forms, frames or style sheets; links open elsewhere and
 * give no referrer. Takes a bounded time, whatever it is given.
 */
export function displayHtml(given: string, options: DisplayOptions): DisplayHtml {
  const seen = { remote: false };
  if (given.length > MOST_CHARACTERS || tagsOf(given) > MOST_TAGS) return textOnly(given);
  try {
    const html = sanitize(given, { ...RULES, ...depthGuard(), transformTags: transforms(options, seen) });
    return { html, remoteImages: seen.remote, asText: false };
  } catch (error) {
    if (error instanceof TooDeep) return textOnly(given);
    throw error;
  }
}

class TooDeep extends Error {}

function tagsOf(html: string): number {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags += 1;
  return tags;
}

const textOnly = (given: string): DisplayHtml => {
  const text = htmlToText(given.slice(0, MOST_CHARACTERS)).slice(0, MOST_CHARACTERS);
  return { html: preformatted(text), remoteImages: false, asText: true };
};

/** Each level costs every tag below it time. */
function depthGuard(): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let depth = 0;
  return {
    onOpenTag: () => {
      depth += 1;
      if (depth > MOST_DEPTH) throw new TooDeep();
    },
    onCloseTag: () => {
      depth -= 1;
    },
  };
}

const TAGS = [
  ...[
    'a',
    'abbr',
    'address',
    'article',
    'aside',
    'b',
    'bdi',
    'bdo',
    'big',
    'blockquote',
    'br',
    'caption',
    'center',
  ],
  ...['cite', 'code', 'col', 'colgroup', 'dd', 'del', 'dfn', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure'],
  ...[
    'font',
    'footer',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'hr',
    'i',
    'img',
    'ins',
    'kbd',
    'li',
    'main',
  ],
  ...[
    'mark',
    'ol',
    'p',
    'pre',
    'q',
    's',
    'samp',
    'section',
    'small',
    'span',
    'strike',
    'strong',
    'sub',
    'sup',
  ],
  ...['table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr', 'tt', 'u', 'ul', 'var', 'wbr'],
];

const CELL = ['colspan', 'rowspan', 'width', 'height', 'valign', 'bgcolor', 'nowrap'];

const RULES: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    '*': ['style', 'title', 'dir', 'lang', 'align'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'border', 'hspace', 'vspace'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing', 'width', 'height', 'bgcolor'],
    tr: ['bgcolor', 'valign', 'height'],
    td: CELL,
    th: CELL,
    col: ['span', 'width'],
    colgroup: ['span', 'width'],
    ol: ['start', 'type'],
    li: ['value'],
    hr: ['size', 'width', 'color'],
  },
  // The transforms have let through what they know; this is a second look at it.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data', 'blob'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: [
    ...['script', 'style', 'textarea', 'option', 'select', 'noscript', 'title', 'template', 'svg', 'math'],
    ...['iframe', 'object', 'applet', 'embed', 'noembed', 'noframes', 'xmp', 'plaintext', 'audio', 'video'],
  ],
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
};

/** What is left of attributes: first that of the tag, then that of all. */
function transforms(options: DisplayOptions, seen: { remote: boolean }): sanitize.IOptions['transformTags'] {
  const styled = (name: string, attribs: sanitize.Attributes): sanitize.Attributes => {
    const { style, background, ...rest } = attribs;
    if (background && REMOTE.test(bare(background))) seen.remote = true;
    // Whatever hides it: much of that is not left in its style, and what is not read must not be seen.
    if (hidesContent(name, attribs)) return { ...rest, style: 'display:none' };
    if (!style) return rest;
    const safe = safeStyle(style, options.remoteImage);
    seen.remote ||= safe.isRemote;
    return safe.style ? { ...rest, style: safe.style } : rest;
  };
  return {
    '*': (tagName, attribs) => ({ tagName, attribs: styled(tagName, attribs) }),
    a: (tagName, attribs) => ({ tagName, attribs: link(attribs) }),
    img: (tagName, attribs) => {
      const { src, ...rest } = attribs;
      const shown = imageSource(src ?? '', options, seen);
      return { tagName, attribs: shown === null ? rest : { ...rest, src: shown } };
    },
  };
}

const PAGE = visibilityOfPage(true);

const hidesContent = (name: string, attribs: sanitize.Attributes): boolean =>
  ('style' in attribs || 'hidden' in attribs) &&
  visibilityWithin(name, new Map(Object.entries(attribs)), PAGE).isGone;

/** An address as browsers read it, which leave out control characters. */
const bare = (address: string): string => address.replace(/[\x00-\x1f\x7f]/g, '').trim();

const REMOTE = /^(?:https?:)?\/\//i;
const LINK = /^(?:https?:\/\/|mailto:|tel:)/i;
const IMAGE_DATA = /^data:image\/(?:png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=\s]*$/i;

function link(attribs: sanitize.Attributes): sanitize.Attributes {
  const { href, rel: _, target: __, ...rest } = attribs;
  const address = bare(href ?? '');
  if (!LINK.test(address)) return rest;
  return {
    ...rest,
    href: address.replaceAll(' ', '%20'),
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
}

/** Null for an image that is not shown. */
function imageSource(given: string, options: DisplayOptions, seen: { remote: boolean }): string | null {
  const address = bare(given);
  if (/^cid:/i.test(address)) return options.cid(decoded(address.slice('cid:'.length)));
  if (IMAGE_DATA.test(address)) return address;
  if (!REMOTE.test(address)) return null;
  seen.remote = true;
  return options.remoteImage(address.startsWith('//') ? `https:${address}` : address);
}

/** RFC 2392: the id is percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
