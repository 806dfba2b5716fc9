import { createHash } from 'node:crypto';
import sanitize from 'sanitize-html';
import { readText } from '../html-text.ts';
import { BARE_TAGS, SHOWN_TAGS } from '../shown-tags.ts';
import { safeStyle } from '../style/safe-style.ts';
import { classesIn, scopedName } from '../style/selector.ts';
import { type StyleSheet, styleSheetText } from '../style/style-sheet.ts';
import { VisibleElements, withStyleSheet } from '../visible-elements.ts';
import { preformatted } from './plain-html.ts';

/** How the HTML of a message is to be shown. */
export interface DisplayOptions {
  /** Where the file is to be had that the message names by `cid:`; null when it has none. */
  cid(contentId: string): string | null;
  /** Where an image of another server is to be had; null for one that is not shown. */
  remoteImage(address: string): string | null;
  /** Whether the HTML keeps the style sheets of the message, which apply to nothing around it. */
  keepsStyleSheets?: boolean;
}

/** HTML that can be shown within a page. */
export interface DisplayHtml {
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
const MOST_CHARACTERS = 1024 * 1024;
const MOST_TAGS = 30_000;
const MOST_DEPTH = 256;

/**
 * HTML of a stranger as it may be shown: no scripts, handlers, forms or frames; links open elsewhere and give no
 * referrer. Takes a bounded time, whatever it is given.
 */
export function displayHtml(given: string, options: DisplayOptions): DisplayHtml {
  if (given.length > MOST_CHARACTERS || tagsOf(given) > MOST_TAGS) return textOnly(given);
  try {
    return withStyleSheet(given, (sheet) => displayStyled(given, sheet, options));
  } catch (error) {
    if (error instanceof TooDeep) return textOnly(given);
    throw error;
  }
}

function displayStyled(given: string, sheet: StyleSheet, options: DisplayOptions): DisplayHtml {
  const keeps = (options.keepsStyleSheets ?? false) && sheet.rules.length > 0;
  const look: Look = {
    options,
    elements: new VisibleElements(sheet),
    hides: false,
    hidden: keeps ? 'display:none!important' : 'display:none',
    isRemote: false,
    classes: keeps ? sheet.names.classes : new Set(),
    ids: keeps ? sheet.names.ids : new Set(),
    anchors: anchorsOf(given),
  };
  const html = sanitize(given, { ...RULES, ...watch(look), transformTags: transforms(look) });
  return {
    html: keeps ? withSheet(html, sheet, look) : html,
    remoteImages: look.isRemote,
    asText: false,
    hasHiddenText: look.elements.hasHiddenText,
    isStyleCut: sheet.isCut,
  };
}

/** The HTML below its style sheet. Two messages in one page have scopes of their own. */
function withSheet(html: string, sheet: StyleSheet, look: Look): string {
  const hash = createHash('sha256').update(html);
  for (const { style } of sheet.rules) hash.update(style);
  const scope = `mail-message-${hash.digest('hex').slice(0, 12)}`;
  const { text, isRemote } = styleSheetText(sheet, scope, (address) => imageOf(address, look.options));
  look.isRemote ||= isRemote;
  if (text === '') return html;
  return `<style>${text}</style><div class="${scope}">${html}</div>`;
}

/** What is known of a message while it is made safe. */
interface Look {
  options: DisplayOptions;
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

function anchorsOf(html: string): Set<string> {
  const links = new Set<string>();
  for (const [, id] of html.matchAll(/\bhref\s{0,9}=\s{0,9}["']?\s{0,9}#([^\s"'<>&]{1,100})/gi))
    links.add(id!);
  const anchors = new Set<string>();
  if (links.size === 0) return anchors;
  for (const [, id] of html.matchAll(/\b(?:id|name)\s{0,9}=\s{0,9}["']?([^\s"'<>&]{1,100})/gi))
    if (links.has(id!)) anchors.add(id!);
  return anchors;
}

class TooDeep extends Error {}

function tagsOf(html: string): number {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags += 1;
  return tags;
}

const textOnly = (given: string): DisplayHtml => {
  const { text, leftOut } = readText(given.slice(0, MOST_CHARACTERS));
  return {
    html: preformatted(text.slice(0, MOST_CHARACTERS)),
    remoteImages: false,
    asText: true,
    hasHiddenText: leftOut,
    isStyleCut: false,
  };
};

/** Follows what is seen, and how deep elements are: each level costs every tag below it time. */
function watch(look: Look): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag' | 'textFilter'> {
  let depth = 0;
  return {
    onOpenTag: (name, attribs) => {
      depth += 1;
      if (depth > MOST_DEPTH) throw new TooDeep();
      look.hides = look.elements.opened(name, new Map(Object.entries(attribs))).hides;
    },
    onCloseTag: (name, isImplied) => {
      depth -= 1;
      if (!isImplied) look.elements.closed(name);
    },
    textFilter: (text) => {
      look.elements.text(text);
      return text;
    },
  };
}

const CELL = ['colspan', 'rowspan', 'width', 'height', 'valign', 'bgcolor', 'nowrap'];

const RULES: sanitize.IOptions = {
  allowedTags: SHOWN_TAGS,
  allowedAttributes: {
    '*': ['style', 'class', 'id', 'title', 'dir', 'lang', 'align'],
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
function transforms(look: Look): sanitize.IOptions['transformTags'] {
  return {
    '*': (tagName, attribs) => ({
      tagName: look.hides && BARE_TAGS.has(tagName) ? 'div' : tagName,
      attribs: { ...named(attribs, look), ...styled(attribs, look) },
    }),
    a: (tagName, attribs) => ({ tagName, attribs: link(attribs, look) }),
    img: (tagName, attribs) => {
      const { src, ...rest } = attribs;
      const shown = imageSource(src ?? '', look);
      return { tagName, attribs: shown === null ? rest : { ...rest, src: shown } };
    },
  };
}

function styled(attribs: sanitize.Attributes, look: Look): sanitize.Attributes {
  const { style, background, class: _, id: __, ...rest } = attribs;
  const image = background ? backgroundImage(background, look) : null;
  // Whatever hides it: much of that is not left in its style, and what is not read must not be seen.
  if (look.hides) return { ...rest, style: look.hidden };
  const safe = safeStyle(style ?? '', (address) => imageOf(address, look.options));
  look.isRemote ||= safe.isRemote;
  const own = [...(image ? [`background-image:url('${image}')`] : []), ...(safe.style ? [safe.style] : [])];
  return own.length > 0 ? { ...rest, style: own.join(';') } : rest;
}

/** Classes and ids by names of their own. */
function named(attribs: sanitize.Attributes, { classes, ids, anchors }: Look): sanitize.Attributes {
  const own: sanitize.Attributes = {};
  const kept = classesIn(attribs.class ?? '').filter((name) => classes.has(name));
  if (kept.length > 0) own.class = [...new Set(kept)].map(scopedName).join(' ');
  const { id = '', name = '' } = attribs;
  if (ids.has(id) || anchors.has(id)) own.id = scopedName(id);
  else if (anchors.has(name) && !ids.has(name)) own.id = scopedName(name);
  return own;
}

/** An address as browsers read it, which leave out control characters. */
const bare = (address: string): string => address.replace(/[\x00-\x1f\x7f]/g, '').trim();

const REMOTE = /^(?:https?:)?\/\//i;
const LINK = /^(?:https?:\/\/|mailto:|tel:)/i;
const IMAGE_DATA = /^data:image\/(?:png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=\s]*$/i;

function link(attribs: sanitize.Attributes, look: Look): sanitize.Attributes {
  const { href, rel: _, target: __, ...rest } = attribs;
  const address = bare(href ?? '');
  if (address.startsWith('#') && look.anchors.has(address.slice(1)))
    return { ...rest, href: `#${scopedName(address.slice(1))}`, target: '_self' };
  if (!LINK.test(address)) return rest;
  return {
    ...rest,
    href: address.replaceAll(' ', '%20'),
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
}

/** Null for an image that is not shown. */
function imageSource(given: string, look: Look): string | null {
  const { options } = look;
  const address = bare(given);
  if (/^cid:/i.test(address)) return imageOf(address, options);
  if (IMAGE_DATA.test(address)) return address;
  if (!REMOTE.test(address)) return null;
  look.isRemote = true;
  return options.remoteImage(address.startsWith('//') ? `https:${address}` : address);
}

/** Of a `background` attribute. */
function backgroundImage(given: string, look: Look): string | null {
  const image = imageSource(given, look);
  return image !== null && /^[^\s"'()\\<>]{1,10000}$/.test(image) ? image : null;
}

/** Of an address that begins with `cid:` or names another server. Some programs encode ids in both places. */
function imageOf(address: string, { cid, remoteImage }: DisplayOptions): string | null {
  if (!/^cid:/i.test(address)) return remoteImage(address);
  const id = address.slice('cid:'.length);
  return cid(decoded(id)) ?? cid(id);
}

/** RFC 2392: the id is percent-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
