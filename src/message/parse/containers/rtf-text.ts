import { decodeText } from '../charset.ts';

interface RtfText {
  type: 'text/plain' | 'text/html';
  text: string;
}

/**
 * Extracts the HTML that Outlook encapsulates in RTF ([MS-OXRTFEX]), or the text of other RTF.
 * @param rtf one character per byte
 */
export function readRtf(rtf: string): RtfText {
  const isHtml = /\\fromhtml1?(?![a-z\d])/.test(rtf.slice(0, MAX_HEADER_CHARS));
  const state = createState(isHtml);
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rtf.length) {
    const token = TOKEN.exec(rtf);
    if (!token) break;
    interpretToken(state, token);
  }
  flush(state);
  return { type: isHtml ? 'text/html' : 'text/plain', text: state.out.join('') };
}

const MAX_HEADER_CHARS = 500;

/** Matches one RTF token, such as a control word with its parameter, an encoded byte or plain text. */
const TOKEN = /\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+|\\$/giy;

interface RtfGroup {
  /** True inside a destination that contains no message text. */
  isIgnored: boolean;
  /** True inside `htmlrtf`, which repeats the HTML of `htmltag` destinations as RTF. */
  repeatsHtml: boolean;
  isFontTable: boolean;
  charset: string;
  /** Number of fallback characters that follow a Unicode character. */
  fallbacks: number;
}

interface RtfState {
  isHtml: boolean;
  group: RtfGroup;
  outer: RtfGroup[];
  /** Number of open groups beyond the nesting limit. */
  tooDeep: number;
  /** True after `\*`, which marks a destination that readers may ignore. */
  isOptional: boolean;
  skipped: number;
  fonts: Map<number, string>;
  font: number;
  defaultCharset: string;
  /** Undecoded text in the group's charset, one character per byte. */
  pending: string[];
  out: string[];
}

const createState = (isHtml: boolean): RtfState => ({
  isHtml,
  group: { isIgnored: false, repeatsHtml: false, isFontTable: false, charset: '', fallbacks: 1 },
  outer: [],
  tooDeep: 0,
  isOptional: false,
  skipped: 0,
  fonts: new Map(),
  font: 0,
  defaultCharset: 'windows-1252',
  pending: [],
  out: [],
});

function interpretToken(state: RtfState, token: RegExpExecArray): void {
  const [match, word, parameter, hex, symbol, brace] = token;
  const isOptional = state.isOptional;
  state.isOptional = symbol === '*';
  if (brace) {
    state.skipped = 0;
    if (brace === '{') openGroup(state);
    else closeGroup(state);
  } else if (word === 'bin') TOKEN.lastIndex += Math.max(0, Number(parameter ?? 0));
  else if (word)
    interpretControlWord(state, word, parameter === undefined ? null : Number(parameter), isOptional);
  else if (hex) write(state, String.fromCharCode(Number.parseInt(hex, 16)));
  else if (symbol) write(state, SYMBOLS[symbol] ?? '');
  else if (match[0] !== '\r' && match[0] !== '\n' && match !== '\\') write(state, match);
}

const MAX_DEPTH = 200;

function openGroup(state: RtfState): void {
  if (state.outer.length >= MAX_DEPTH) {
    state.tooDeep++;
    return;
  }
  state.outer.push(state.group);
  state.group = { ...state.group };
}

function closeGroup(state: RtfState): void {
  if (state.tooDeep > 0) {
    state.tooDeep--;
    return;
  }
  const group = state.outer.pop();
  if (!group) return;
  if (group.charset !== state.group.charset) flush(state);
  state.group = group;
}

const SYMBOLS: Record<string, string> = {
  '{': '{',
  '}': '}',
  '\\': '\\',
  '~': '\u00a0',
  _: '\u2011',
  '\n': '\n',
  '\r': '\n',
};

// Control words of RTF.
// cspell:ignore fromhtml htmltag htmlrtf lquote rquote ldblquote rdblquote endash emdash emspace enspace colortbl
// cspell:ignore headerl headerr headerf footerl footerr footerf listtable fldinst fonttbl deff fcharset ansicpg

/** Control words that stand for a character. */
const CHARACTERS: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  bullet: '\u2022',
  endash: '\u2013',
  emdash: '\u2014',
  emspace: '\u2003',
  enspace: '\u2002',
};

/** Destinations to ignore because they contain no message text. Unknown optional destinations are ignored as well. */
const IGNORED_DESTINATIONS: ReadonlySet<string> = new Set(
  (
    'colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf ' +
    'footnote listtable fldinst'
  ).split(' '),
);

function interpretControlWord(
  state: RtfState,
  word: string,
  parameter: number | null,
  isOptional: boolean,
): void {
  const { group } = state;
  if (Object.hasOwn(CHARACTERS, word)) writeUnicode(state, CHARACTERS[word]!);
  else if (word === 'u') writeUnicode(state, String.fromCharCode((parameter ?? 0) & 0xffff), group.fallbacks);
  else if (word === 'uc') group.fallbacks = Math.min(Math.max(parameter ?? 1, 0), 100);
  else if (word === 'htmlrtf') group.repeatsHtml = state.isHtml && parameter !== 0;
  else if (word === 'fonttbl') group.isFontTable = true;
  else if (word === 'f' || word === 'deff') selectFont(state, parameter ?? 0);
  else if (word === 'fcharset') defineFont(state, parameter ?? 0);
  else if (word === 'ansicpg') state.defaultCharset = getCodePageCharset(parameter ?? 0);
  else if (word === 'htmltag' && state.isHtml) group.isIgnored = false;
  else if (isOptional || IGNORED_DESTINATIONS.has(word)) group.isIgnored = true;
}

function selectFont(state: RtfState, font: number): void {
  state.font = font;
  const charset = state.fonts.get(font) ?? '';
  if (state.group.isFontTable || charset === state.group.charset) return;
  flush(state);
  state.group.charset = charset;
}

const MAX_FONTS = 1_000;

function defineFont(state: RtfState, charset: number): void {
  const name = CHARSETS_BY_NUMBER[charset];
  if (state.group.isFontTable && name && state.fonts.size < MAX_FONTS) state.fonts.set(state.font, name);
}

const CHARSETS_BY_NUMBER: Record<number, string> = {
  0: 'windows-1252',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

const CHARSETS_BY_CODE_PAGE: Record<number, string> = {
  20127: 'us-ascii',
  20866: 'koi8-r',
  21866: 'koi8-u',
  28591: 'iso-8859-1',
  28592: 'iso-8859-2',
  28595: 'iso-8859-5',
  28597: 'iso-8859-7',
  28599: 'iso-8859-9',
  28605: 'iso-8859-15',
  50220: 'iso-2022-jp',
  51932: 'euc-jp',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  65001: 'utf-8',
};

export const getCodePageCharset = (codePage: number): string =>
  CHARSETS_BY_CODE_PAGE[codePage] ?? `windows-${codePage}`;

const isHidden = ({ group, tooDeep }: RtfState): boolean =>
  tooDeep > 0 || group.isIgnored || group.isFontTable || group.repeatsHtml;

function write(state: RtfState, bytes: string): void {
  const text = state.skipped > 0 ? bytes.slice(state.skipped) : bytes;
  state.skipped -= bytes.length - text.length;
  if (text !== '' && !isHidden(state)) state.pending.push(text);
}

function writeUnicode(state: RtfState, text: string, fallbacks = 0): void {
  state.skipped = fallbacks;
  if (isHidden(state)) return;
  flush(state);
  state.out.push(text);
}

function flush(state: RtfState): void {
  if (state.pending.length === 0) return;
  const text = state.pending.join('');
  state.pending = [];
  const charset = state.group.charset || state.defaultCharset;
  state.out.push(/[\x80-\xff]/.test(text) ? decodeText(Buffer.from(text, 'latin1'), charset) : text);
}
