import { createHash } from 'node:crypto';
import sanitize from 'sanitize-html';
import { ALLOWED_TAGS, UNWRAPPED_TAGS } from '../allowed-tags.ts';
import { readVisibleText } from '../html-text.ts';
import { toSafeStyle } from '../style/safe-style.ts';
import { parseClasses, scopeName } from '../style/selector.ts';
import { formatStyleSheet, type MailStyleSheet } from '../style/style-sheet.ts';
import { readWithStyleSheet, VisibleElements } from '../visible-elements.ts';
import { renderPreformatted } from './plain-html.ts';

/** How the HTML of a message is to be shown. */
export interface SanitizeOptions {
  /** Where the file is to be had that the message names by `cid:`; null when it has none. */
  cid(contentId: string): string | null;
  /** Where an image of another server is to be had; null for one that is not shown. */
  remoteImage(address: string): string | null;
  /** Whether the HTML keeps the style sheets of the message, which apply to nothing around it. */
  keepsStyleSheets?: boolean;
}

/** HTML that can be shown within a page. */
export interface SanitizedHtml {
  html: string;
  /** Whether the message has images of other servers, shown or not. */
  remoteImages: boolean;
  /** Set where the HTML is so large or deep that only its text is shown. */
  asText: boolean;
  /** Whether it holds text that no person sees. */
  hasHiddenText: boolean;
  /** Set where a part of the style sheets is left out because they are too large or take too long. */
  isStyleCut: boolean;
}

/** What takes longer to make safe than a reader waits. */
const MAX_HTML_CHARS = 1024 * 1024;
const MAX_TAGS = 30_000;
const MAX_DEPTH = 256;

/**
 * HTML of a stranger as it may be shown: no scripts, handlers, forms or frames; links open elsewhere and give no
 * referrer. Takes a bounded time, whatever it is given.
 */
export function sanitizeHtml(given: string, options: SanitizeOptions): SanitizedHtml {
  if (given.length > MAX_HTML_CHARS || countTags(given) > MAX_TAGS) return sanitizeAsText(given);
  try {
    return readWithStyleSheet(given, (sheet) => sanitizeStyled(given, sheet, options));
  } catch (error) {
    if (error instanceof TooDeepError) return sanitizeAsText(given);
    throw error;
  }
}

function sanitizeStyled(given: string, sheet: MailStyleSheet, options: SanitizeOptions): SanitizedHtml {
  const keeps = (options.keepsStyleSheets ?? false) && sheet.rules.length > 0;
  const look: SanitizeState = {
    options,
    elements: new VisibleElements(sheet),
    hides: false,
    hidden: keeps ? 'display:none!important' : 'display:none',
    isRemote: false,
    classes: keeps ? sheet.names.classes : new Set(),
    ids: keeps ? sheet.names.ids : new Set(),
    anchors: findAnchors(given),
  };
  const html = sanitize(given, {
    ...SANITIZE_OPTIONS,
    ...trackElements(look),
    transformTags: buildTransforms(look),
  });
  return {
    html: keeps ? addStyleSheet(html, sheet, look) : html,
    remoteImages: look.isRemote,
    asText: false,
    hasHiddenText: look.elements.hasHiddenText,
    isStyleCut: sheet.isCut,
  };
}

/** The HTML below its style sheet. Two messages in one page have scopes of their own. */
function addStyleSheet(html: string, sheet: MailStyleSheet, look: SanitizeState): string {
  const hash = createHash('sha256').update(html);
  for (const { style } of sheet.rules) hash.update(style);
  const scope = `mail-message-${hash.digest('hex').slice(0, 12)}`;
  const { text, isRemote } = formatStyleSheet(sheet, scope, (address) => resolveImage(address, look.options));
  look.isRemote ||= isRemote;
  if (text === '') return html;
  return `<style>${text}</style><div class="${scope}">${html}</div>`;
}

/** What is known of a message while it is made safe. */
interface SanitizeState {
  options: SanitizeOptions;
  elements: VisibleElements;
  /** Whether the element that has just been opened hides its content. */
  hides: boolean;
  /** The style of such an element. */
  hidden: string;
  /** Whether something of other servers was met. */
  isRemote: boolean;
  /** The classes and ids that the style sheet names. */
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
  /** Ids to which links of the message lead. */
  anchors: ReadonlySet<string>;
}

function findAnchors(html: string): Set<string> {
  const links = new Set<string>();
  for (const [, id] of html.matchAll(/\bhref\s{0,9}=\s{0,9}["']?\s{0,9}#([^\s"'<>&]{1,100})/gi))
    links.add(id!);
  const anchors = new Set<string>();
  if (links.size === 0) return anchors;
  for (const [, id] of html.matchAll(/\b(?:id|name)\s{0,9}=\s{0,9}["']?([^\s"'<>&]{1,100})/gi))
    if (links.has(id!)) anchors.add(id!);
  return anchors;
}

class TooDeepError extends Error {}

function countTags(html: string): number {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags += 1;
  return tags;
}

const sanitizeAsText = (given: string): SanitizedHtml => {
  const { text, leftOut } = readVisibleText(given.slice(0, MAX_HTML_CHARS));
  return {
    html: renderPreformatted(text.slice(0, MAX_HTML_CHARS)),
    remoteImages: false,
    asText: true,
    hasHiddenText: leftOut,
    isStyleCut: false,
  };
};

/** Follows what is seen, and how deep elements are: each level costs every tag below it time. */
function trackElements(
  look: SanitizeState,
): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag' | 'textFilter'> {
  let depth = 0;
  return {
    onOpenTag: (name, attribs) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeepError();
      look.hides = look.elements.openElement(name, new Map(Object.entries(attribs))).hides;
    },
    onCloseTag: (name, isImplied) => {
      depth -= 1;
      if (!isImplied) look.elements.closeElement(name);
    },
    textFilter: (text) => {
      look.elements.text(text);
      return text;
    },
  };
}

const CELL_ATTRIBUTES = ['colspan', 'rowspan', 'width', 'height', 'valign', 'bgcolor', 'nowrap'];

const SANITIZE_OPTIONS: sanitize.IOptions = {
  allowedTags: ALLOWED_TAGS,
  allowedAttributes: {
    '*': ['style', 'class', 'id', 'title', 'dir', 'lang', 'align'],
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'border', 'hspace', 'vspace'],
    font: ['color', 'face', 'size'],
    table: ['border', 'cellpadding', 'cellspacing', 'width', 'height', 'bgcolor'],
    tr: ['bgcolor', 'valign', 'height'],
    td: CELL_ATTRIBUTES,
    th: CELL_ATTRIBUTES,
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
function buildTransforms(look: SanitizeState): sanitize.IOptions['transformTags'] {
  return {
    '*': (tagName, attribs) => ({
      tagName: look.hides && UNWRAPPED_TAGS.has(tagName) ? 'div' : tagName,
      attribs: { ...scopeNames(attribs, look), ...sanitizeStyle(attribs, look) },
    }),
    a: (tagName, attribs) => ({ tagName, attribs: sanitizeLink(attribs, look) }),
    img: (tagName, attribs) => {
      const { src, ...rest } = attribs;
      const shown = resolveImageSource(src ?? '', look);
      return { tagName, attribs: shown === null ? rest : { ...rest, src: shown } };
    },
  };
}

function sanitizeStyle(attribs: sanitize.Attributes, look: SanitizeState): sanitize.Attributes {
  const { style, background, class: _, id: __, ...rest } = attribs;
  const image = background ? resolveBackground(background, look) : null;
  // Whatever hides it: much of that is not left in its style, and what is not read must not be seen.
  if (look.hides) return { ...rest, style: look.hidden };
  const safe = toSafeStyle(style ?? '', (address) => resolveImage(address, look.options));
  look.isRemote ||= safe.isRemote;
  const own = [...(image ? [`background-image:url('${image}')`] : []), ...(safe.style ? [safe.style] : [])];
  return own.length > 0 ? { ...rest, style: own.join(';') } : rest;
}

/** Classes and ids by names of their own. */
function scopeNames(
  attribs: sanitize.Attributes,
  { classes, ids, anchors }: SanitizeState,
): sanitize.Attributes {
  const own: sanitize.Attributes = {};
  const kept = parseClasses(attribs.class ?? '').filter((name) => classes.has(name));
  if (kept.length > 0) own.class = [...new Set(kept)].map(scopeName).join(' ');
  const { id = '', name = '' } = attribs;
  if (ids.has(id) || anchors.has(id)) own.id = scopeName(id);
  else if (anchors.has(name) && !ids.has(name)) own.id = scopeName(name);
  return own;
}

/** An address as browsers read it, which leave out control characters. */
const cleanAddress = (address: string): string => address.replace(/[\x00-\x1f\x7f]/g, '').trim();

const REMOTE_ADDRESS = /^(?:https?:)?\/\//i;
const LINK_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)/i;
const DATA_IMAGE = /^data:image\/(?:png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=\s]*$/i;

function sanitizeLink(attribs: sanitize.Attributes, look: SanitizeState): sanitize.Attributes {
  const { href, rel: _, target: __, ...rest } = attribs;
  const address = cleanAddress(href ?? '');
  if (address.startsWith('#') && look.anchors.has(address.slice(1)))
    return { ...rest, href: `#${scopeName(address.slice(1))}`, target: '_self' };
  if (!LINK_ADDRESS.test(address)) return rest;
  return {
    ...rest,
    href: address.replaceAll(' ', '%20'),
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
}

/** Null for an image that is not shown. */
function resolveImageSource(given: string, look: SanitizeState): string | null {
  const { options } = look;
  const address = cleanAddress(given);
  if (/^cid:/i.test(address)) return resolveImage(address, options);
  if (DATA_IMAGE.test(address)) return address;
  if (!REMOTE_ADDRESS.test(address)) return null;
  look.isRemote = true;
  return options.remoteImage(address.startsWith('//') ? `https:${address}` : address);
}

/** Of a `background` attribute. */
function resolveBackground(given: string, look: SanitizeState): string | null {
  const image = resolveImageSource(given, look);
  return image !== null && /^[^\s"'()\\<>]{1,10000}$/.test(image) ? image : null;
}

/** Of an address that begins with `cid:` or names another server. Some programs encode ids in both places. */
function resolveImage(address: string, { cid, remoteImage }: SanitizeOptions): string | null {
  if (!/^cid:/i.test(address)) return remoteImage(address);
  const id = address.slice('cid:'.length);
  return cid(decodeContentId(id)) ?? cid(id);
}

/** RFC 2392: the id is percent-encoded. */
function decodeContentId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
