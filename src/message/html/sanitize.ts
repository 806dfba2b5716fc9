import { createHash } from 'node:crypto';
import sanitize from 'sanitize-html';
import { ALLOWED_TAGS, isAllowedTag, REMOVED_TAGS, UNWRAPPED_TAGS } from '../allowed-tags.ts';
import { readVisibleText } from '../html-text.ts';
import { formatColor, parseLegacyColor } from '../style/color.ts';
import { toSafeStyle } from '../style/safe-style.ts';
import { parseClasses, scopeName } from '../style/selector.ts';
import { formatStyleSheet, type MailStyleSheet, type MatchedStyle } from '../style/style-sheet.ts';
import { readWithStyleSheet, VisibleElements } from '../visible-elements.ts';
import { escapeMarkup, renderPreformatted } from './plain-html.ts';

export interface SanitizeOptions {
  /** Returns the URL of the file with this Content-ID. Null if there is none. */
  cid(contentId: string): string | null;
  /** Returns the URL of the file with this Content-Location. Null if there is none. */
  location?(address: string): string | null;
  /** Returns the URL of a remote image. Null to hide it. */
  remoteImage(address: string): string | null;
  /** `scoped` style sheets apply to this HTML only. `inline` moves their rules to the elements, and is the default. */
  styles?: StyleSheetForm;
}

export type StyleSheetForm = 'scoped' | 'inline';

export interface SanitizedHtml {
  html: string;
  /** True if the message contains remote images, shown or not. */
  remoteImages: boolean;
  /** True if the HTML is so large or deep that only its text is shown. */
  asText: boolean;
  isCut: boolean;
  hasHiddenText: boolean;
  /** True if some style sheets were omitted because they are too large or too slow. */
  isStyleCut: boolean;
}

/** Larger HTML would take too long to sanitize. */
const MAX_HTML_CHARS = 1024 * 1024;
const MAX_TAGS = 30_000;
const MAX_DEPTH = 256;

/**
 * Sanitizes untrusted HTML. Removes scripts, event handlers, forms and frames. Links open in a new window without a
 * referrer. Takes bounded time for any input.
 */
export function sanitizeHtml(html: string, options: SanitizeOptions): SanitizedHtml {
  if (html.length > MAX_HTML_CHARS || countTags(html) > MAX_TAGS) return sanitizeAsText(html);
  try {
    return readWithStyleSheet(html, (sheet) => sanitizeStyled(html, sheet, options));
  } catch (error) {
    if (error instanceof TooDeepError) return sanitizeAsText(html);
    throw error;
  }
}

function sanitizeStyled(text: string, sheet: MailStyleSheet, options: SanitizeOptions): SanitizedHtml {
  const keeps = options.styles === 'scoped' && sheet.rules.length > 0;
  const state: SanitizeState = {
    options,
    elements: new VisibleElements(sheet),
    hides: false,
    isPage: false,
    sheetStyle: '',
    inlineChars: 0,
    hidden: keeps ? 'display:none!important' : 'display:none',
    isRemote: false,
    classes: keeps ? sheet.names.classes : new Set(),
    ids: keeps ? sheet.names.ids : new Set(),
    anchors: findAnchors(text),
  };
  const html = sanitize(text, {
    ...SANITIZE_OPTIONS,
    ...trackElements(state),
    transformTags: buildTransforms(state),
  });
  return {
    html: keeps ? addStyleSheet(html, sheet, state) : addPageStyle(html, state),
    remoteImages: state.isRemote,
    asText: false,
    isCut: false,
    hasHiddenText: state.elements.hasHiddenText,
    isStyleCut: sheet.isCut || state.inlineChars > MAX_INLINE_CHARS,
  };
}

function addPageStyle(html: string, state: SanitizeState): string {
  const style = sanitizeStyleText(takeInlineStyle(state, state.elements.pageStyle), state);
  return style === '' ? html : `<div style="${escapeMarkup(style)}">${html}</div>`;
}

/** Maximum characters of inline style that a message's style sheets add. */
const MAX_INLINE_CHARS = MAX_HTML_CHARS;
/** Page width of inline styles. */
const INLINE_WIDTH_PX = 1_024;

/** Prepends the style sheet, scoped to this HTML, so that messages on one page do not affect each other. */
function addStyleSheet(html: string, sheet: MailStyleSheet, state: SanitizeState): string {
  const hash = createHash('sha256').update(html);
  for (const { style } of sheet.rules) hash.update(style);
  const scope = `mail-message-${hash.digest('hex').slice(0, 12)}`;
  const { text, isRemote } = formatStyleSheet(sheet, scope, (address) =>
    resolveImage(address, state.options),
  );
  state.isRemote ||= isRemote;
  if (text === '') return html;
  return `<style>${text}</style><div class="${scope}">${html}</div>`;
}

interface SanitizeState {
  options: SanitizeOptions;
  elements: VisibleElements;
  hides: boolean;
  /** True if the element just opened is the body of the message. */
  isPage: boolean;
  /** Declarations of the style sheet for the element just opened, if they become inline. */
  sheetStyle: string;
  /** Characters of inline style from style sheets. */
  inlineChars: number;
  hidden: string;
  isRemote: boolean;
  classes: ReadonlySet<string>;
  ids: ReadonlySet<string>;
  /** Ids that are link targets in the message. */
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
  for (let index = html.indexOf('<'); index >= 0; index = html.indexOf('<', index + 1)) tags += 1;
  return tags;
}

/** Maximum characters of HTML whose text is shown. */
const MAX_TEXT_HTML_CHARS = 4 * MAX_HTML_CHARS;

const sanitizeAsText = (html: string): SanitizedHtml => {
  const { text, leftOut } = readVisibleText(html.slice(0, MAX_TEXT_HTML_CHARS));
  return {
    html: renderPreformatted(text.slice(0, MAX_HTML_CHARS)),
    remoteImages: false,
    asText: true,
    isCut: html.length > MAX_TEXT_HTML_CHARS || text.length > MAX_HTML_CHARS,
    hasHiddenText: leftOut,
    isStyleCut: false,
  };
};

/** The time per tag grows with the depth, so the depth is limited. */
function trackElements(
  state: SanitizeState,
): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag' | 'textFilter'> {
  let depth = 0;
  return {
    onOpenTag: (name, attribs) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeepError();
      const { hides, isOpened, style } = state.elements.openElement(name, new Map(Object.entries(attribs)));
      state.hides = hides;
      state.isPage = isOpened && name === 'body';
      state.sheetStyle = takeInlineStyle(state, style);
    },
    onCloseTag: (name, isImplied) => {
      depth -= 1;
      if (!isImplied) state.elements.closeElement(name);
    },
    textFilter: (text) => {
      state.elements.text(text);
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
  // A second line of defense. The transforms have already filtered the URLs.
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data', 'blob'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nonTextTags: [...REMOVED_TAGS, 'embed'],
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
};

function buildTransforms(state: SanitizeState): sanitize.IOptions['transformTags'] {
  return {
    '*': (tagName, attribs) => ({
      tagName: replaceTag(tagName, attribs, state),
      attribs: { ...scopeNames(attribs, state), ...sanitizeStyle(attribs, state) },
    }),
    a: (tagName, attribs) => ({ tagName, attribs: sanitizeLink(attribs, state) }),
    img: (tagName, attribs) => {
      const { src, ...rest } = attribs;
      const source = resolveImageSource(src ?? '', state);
      return { tagName, attribs: source === null ? rest : { ...rest, src: source } };
    },
  };
}

/** Keeps an element that would be unwrapped if it hides its content, or if it is the body and styles the message. */
function replaceTag(name: string, attribs: sanitize.Attributes, { hides, isPage }: SanitizeState): string {
  if (isPage && PAGE_ATTRIBUTES.some((attribute) => attribute in attribs)) return 'div';
  if (!hides || isAllowedTag(name) || REMOVED_TAGS.has(name)) return name;
  return UNWRAPPED_TAGS.has(name) ? 'div' : 'span';
}

function sanitizeStyleText(text: string, state: SanitizeState): string {
  const { style, isRemote } = toSafeStyle(text, (address) => resolveImage(address, state.options));
  state.isRemote ||= isRemote;
  return style;
}

/** Returns the matching declarations in ascending order of precedence. Empty if styles are scoped or too long. */
function takeInlineStyle(state: SanitizeState, matchedStyle: MatchedStyle | null): string {
  if (!matchedStyle || state.options.styles === 'scoped') return '';
  const declarations = matchedStyle.at(INLINE_WIDTH_PX);
  const style = declarations.map(([property, value]) => `${property}:${value}`).join(';');
  state.inlineChars += style.length;
  return state.inlineChars > MAX_INLINE_CHARS ? '' : style;
}

const PAGE_ATTRIBUTES = ['style', 'bgcolor', 'text', 'background'];

const formatPageColors = ({ bgcolor = '', text = '' }: sanitize.Attributes): string[] => {
  const colors = { 'background-color': parseLegacyColor(bgcolor), color: parseLegacyColor(text) };
  return Object.entries(colors).flatMap(([property, color]) =>
    color === null ? [] : [`${property}:${formatColor(color)}`],
  );
};

function sanitizeStyle(attribs: sanitize.Attributes, state: SanitizeState): sanitize.Attributes {
  const { style, background, class: _, id: __, ...rest } = attribs;
  const image = background ? resolveBackground(background, state) : null;
  // The sanitized style may no longer hide the element, and text that is treated as hidden must not be displayed.
  if (state.hides) return { ...rest, style: state.hidden };
  const declarations = [
    ...(state.isPage ? formatPageColors(attribs) : []),
    ...(image ? [`background-image:url('${image}')`] : []),
    ...[state.sheetStyle, style ?? '']
      .map((text) => sanitizeStyleText(text, state))
      .filter((text) => text !== ''),
  ];
  return declarations.length > 0 ? { ...rest, style: declarations.join(';') } : rest;
}

function scopeNames(
  attribs: sanitize.Attributes,
  { classes, ids, anchors }: SanitizeState,
): sanitize.Attributes {
  const scoped: sanitize.Attributes = {};
  const classNames = parseClasses(attribs.class ?? '').filter((name) => classes.has(name));
  if (classNames.length > 0) scoped.class = [...new Set(classNames)].map(scopeName).join(' ');
  const { id = '', name = '' } = attribs;
  if (ids.has(id) || anchors.has(id)) scoped.id = scopeName(id);
  else if (anchors.has(name) && !ids.has(name)) scoped.id = scopeName(name);
  return scoped;
}

/** Browsers ignore control characters in URLs. */
const cleanAddress = (address: string): string => address.replace(/[\x00-\x1f\x7f]/g, '').trim();

const REMOTE_ADDRESS = /^(?:https?:)?\/\//i;
const LINK_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)/i;
const DATA_IMAGE = /^data:image\/(?:png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=\s]*$/i;

function sanitizeLink(attribs: sanitize.Attributes, state: SanitizeState): sanitize.Attributes {
  const { href, rel: _, target: __, ...rest } = attribs;
  const address = cleanAddress(href ?? '');
  if (address.startsWith('#') && state.anchors.has(address.slice(1)))
    return { ...rest, href: `#${scopeName(address.slice(1))}`, target: '_self' };
  if (!LINK_ADDRESS.test(address)) return rest;
  return {
    ...rest,
    href: address.replaceAll(' ', '%20'),
    target: '_blank',
    rel: 'noopener noreferrer nofollow',
  };
}

function resolveImageSource(source: string, state: SanitizeState): string | null {
  const { options } = state;
  const address = cleanAddress(source);
  if (/^cid:/i.test(address)) return resolveImage(address, options);
  const ownUrl = options.location?.(address);
  if (ownUrl) return ownUrl;
  if (DATA_IMAGE.test(address)) return address;
  if (!REMOTE_ADDRESS.test(address)) return null;
  state.isRemote = true;
  return options.remoteImage(address.startsWith('//') ? `https:${address}` : address);
}

function resolveBackground(source: string, state: SanitizeState): string | null {
  const image = resolveImageSource(source, state);
  return image !== null && /^[^\s"'()\\<>]{1,10000}$/.test(image) ? image : null;
}

/** Some clients percent-encode Content-IDs in the header too, so both forms are tried. */
function resolveImage(address: string, { cid, remoteImage }: SanitizeOptions): string | null {
  if (!/^cid:/i.test(address)) return remoteImage(address);
  const id = address.slice('cid:'.length);
  return cid(decodeContentId(id)) ?? cid(id);
}

/** The id in a `cid:` URL is percent-encoded (RFC 2392). */
function decodeContentId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
