import { Tokenizer } from 'htmlparser2';

/** What is met while HTML is read. Tags come as they are written: nothing is closed that the text does not close. */
export interface HtmlHandler {
  onOpen(name: string, attributes: HtmlAttributes): void;
  onClose(name: string): void;
  /** All that stands between two tags, with its entities decoded. */
  onText(text: string): void;
  /** The text of a style sheet. */
  onStyleSheet?(text: string): void;
}

/** By lower-case name. Of two with the same name the first counts. */
export type HtmlAttributes = ReadonlyMap<string, string>;

/** Elements of which nothing is read. */
const SKIPPED_ELEMENTS = new Set(
  'script style title template noscript svg select iframe noembed noframes audio video datalist'.split(' '),
);

/** Entities that say where a word may be broken or joined. */
const INVISIBLE_CODES = new Set([0xad, 0x200c, 0x200d]);

const NO_BREAK_SPACE = 0xa0;

/**
 * Reads HTML in time proportional to its length, whatever it is given. It is the tokenizer and not the parser of
 * htmlparser2, because the parser looks through all open elements at each closing tag.
 */
export function readHtml(html: string, tokens: HtmlHandler): void {
  let text = '';
  let tag = '';
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  /** The element that is being skipped. */
  let silent = '';
  let isSheet = false;
  const flush = () => {
    if (text && !silent) tokens.onText(text);
    else if (text && silent === 'style' && isSheet) tokens.onStyleSheet?.(text);
    text = '';
  };
  const open = () => {
    if (!silent) tokens.onOpen(tag, attributes);
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
        attributes = new Map();
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
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onselfclosingtag: open,
      onopentagend: () => {
        open();
        if (silent || !SKIPPED_ELEMENTS.has(tag)) return;
        silent = tag;
        isSheet = tag === 'style' && isScreenStyle(attributes);
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

/** Whether a `<style>` element holds CSS for every page on a screen. */
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
