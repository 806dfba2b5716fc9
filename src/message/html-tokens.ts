import { Tokenizer } from 'htmlparser2';

/** Receives HTML tokens. Missing end tags are not added. */
export interface HtmlHandler {
  onOpen(name: string, attributes: HtmlAttributes): void;
  onClose(name: string): void;
  /** Called with all text between two tags. Entities are decoded. */
  onText(text: string): void;
  onStyleSheet?(text: string): void;
}

/** Attributes by lower-case name. If an attribute is repeated, the first value applies. */
export type HtmlAttributes = ReadonlyMap<string, string>;

/** Shared by tags without attributes, which are the majority. */
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const SKIPPED_ELEMENTS = new Set(
  'script style title template noscript svg select iframe noembed noframes audio video datalist'.split(' '),
);

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
  let isSheet = false;
  const flush = () => {
    if (text && !silent) tokens.onText(text);
    else if (text && silent === 'style' && isSheet) tokens.onStyleSheet?.(text);
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
        if (silent || !SKIPPED_ELEMENTS.has(tag)) return;
        silent = tag;
        isSheet = tag === 'style' && isScreenStyle(attributes ?? NO_ATTRIBUTES);
      },
      onclosetag: (from, to) => {
        flush();
        const name = html.slice(from, to).toLowerCase();
        if (!silent) tokens.onClose(name);
        else if (name === silent) silent = '';
      },
      onend: flush,
    },
  );
  reader.write(html);
  reader.end();
}

const isScreenStyle = (attributes: HtmlAttributes): boolean =>
  /^(?:text\/css)?$/i.test(attributes.get('type')?.trim() ?? '') &&
  /^(?:all|screen)?$/i.test(attributes.get('media')?.trim() ?? '');

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
