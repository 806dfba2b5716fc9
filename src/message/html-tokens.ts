import { Tokenizer } from 'htmlparser2';
import { REMOVED_TAGS } from './allowed-tags.ts';

/** Receives HTML tokens. Missing end tags are not added. */
export interface HtmlHandler {
  onOpen(name: string, attributes: HtmlAttributes): void;
  onClose(name: string): void;
  /** Called with all text between two tags. Entities are decoded. */
  onText(text: string): void;
  /** @param media media query list. Empty if the style sheet applies to all media. */
  onStyleSheet?(text: string, media: string): void;
}

/** Attributes by lower-case name. If an attribute is repeated, the first value applies. */
export type HtmlAttributes = ReadonlyMap<string, string>;

/** Shared by tags without attributes, which are the majority. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** Soft hyphen and zero-width joiners. */
const INVISIBLE_CODES = new Set([0xad, 0x200c, 0x200d]);

const NO_BREAK_SPACE = 0xa0;

/**
 * Tokenizes HTML in linear time for any input. Uses only htmlparser2's tokenizer, because its parser searches all open
 * elements at each closing tag.
 */
export function tokenizeHtml(html: string, tokens: HtmlHandler): void {
  let text = '';
  let tag = '';
  let attributes: Map<string, string> | null = null;
  let attribute = '';
  let value = '';
  let silent = '';
  let silentDepth = 0;
  let media: string | null = null;
  const flush = () => {
    if (text && !silent) tokens.onText(text);
    else if (text && silent === 'style' && media !== null) tokens.onStyleSheet?.(text, media);
    text = '';
  };
  const open = () => {
    if (!silent) tokens.onOpen(tag, attributes ?? NO_ATTRIBUTES);
  };
  const reader = new Tokenizer(
    {},
    {
      ...IGNORED_TOKENS,
      ontext: (from, to) => {
        text += html.slice(from, to);
      },
      ontextentity: (code) => {
        text += decodeCharacter(code);
      },
      onopentagname: (from, to) => {
        flush();
        tag = html.slice(from, to).toLowerCase();
        attributes = null;
      },
      onattribname: (from, to) => {
        attribute = html.slice(from, to).toLowerCase();
        value = '';
      },
      onattribdata: (from, to) => {
        value += html.slice(from, to);
      },
      onattribentity: (code) => {
        value += decodeCharacter(code);
      },
      onattribend: () => {
        attributes ??= new Map();
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onselfclosingtag: open,
      onopentagend: () => {
        open();
        if (silent === tag) silentDepth += 1;
        if (silent || !REMOVED_TAGS.has(tag)) return;
        silent = tag;
        silentDepth = 1;
        media = tag === 'style' ? getStyleMedia(attributes ?? NO_ATTRIBUTES) : null;
      },
      onclosetag: (from, to) => {
        flush();
        const name = html.slice(from, to).toLowerCase();
        if (!silent) tokens.onClose(name);
        else if (name === silent && --silentDepth === 0) silent = '';
      },
      onend: flush,
    },
  );
  reader.write(html);
  reader.end();
}

/** Returns the media query list of a style element. Null if the element is not a CSS style sheet. */
function getStyleMedia(attributes: HtmlAttributes): string | null {
  const media = attributes.get('media')?.trim() ?? '';
  const isCss = /^(?:text\/css)?$/i.test(attributes.get('type')?.trim() ?? '');
  return isCss && !/[{};]/.test(media) ? media : null;
}

const ignore = () => {};

const IGNORED_TOKENS = {
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onprocessinginstruction: ignore,
};

const decodeCharacter = (code: number): string => {
  if (INVISIBLE_CODES.has(code)) return '';
  return code === NO_BREAK_SPACE ? ' ' : String.fromCodePoint(code);
};
