/** Elements of which nothing is read. */
const SILENT = new Set(['head', 'script', 'style', 'title', 'template', 'noscript', 'svg', 'select']);

/** Line breaks before and after an element. */
const BREAKS: Record<string, number> = {
  ...Object.fromEntries(
    ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'blockquote'].map((n) => [n, 2]),
  ),
  ...Object.fromEntries(
    ['table', 'dl', 'figure', 'section', 'article', 'header', 'footer'].map((n) => [n, 2]),
  ),
  ...Object.fromEntries(['div', 'tr', 'li', 'dt', 'dd', 'address', 'caption', 'center'].map((n) => [n, 1])),
};

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  deg: '°',
  times: '×',
  rarr: '→',
  larr: '←',
  shy: '',
  zwnj: '',
  zwj: '',
};

/** The text as it grows. */
interface Page {
  parts: string[];
  /** Line breaks that come before the next word. */
  breaks: number;
  space: boolean;
  pre: number;
  /** Counters of open lists; null for one with dots. */
  lists: (number | null)[];
  /** The open link: where it leads, and where its words begin. */
  link: { href: string; from: number } | null;
}

/**
 * What an HTML body says, as plain text: paragraphs, lists, addresses of links behind their words. Takes time in
 * proportion to its length, whatever it is given.
 */
export function htmlToText(html: string): string {
  const page: Page = { parts: [], breaks: 0, space: false, pre: 0, lists: [], link: null };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    if (open > at) write(page, html.slice(at, open));
    at = readTag(page, html, open);
  }
  if (at < html.length) write(page, html.slice(at));
  linkEnd(page);
  return page.parts
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** Reads what begins with the `<` at `open`. @returns where it ends */
function readTag(page: Page, html: string, open: number): number {
  if (html.startsWith('<!--', open)) return past(html, '-->', open + 4);
  const second = html[open + 1] ?? '';
  if (!/[a-z/!?]/i.test(second)) {
    write(page, '<');
    return open + 1;
  }
  const end = tagEnd(html, open + 1);
  const tag = html.slice(open + 1, end);
  const name = /^\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
  if (tag.startsWith('/')) closed(page, name);
  else {
    opened(page, name, tag);
    if (SILENT.has(name) && !tag.endsWith('/')) return closingOf(html, name, end + 1);
  }
  return end + 1;
}

function past(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

/** A `>` inside of quotes does not end a tag. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let at = from; at < html.length; at++) {
    const c = html[at]!;
    if (quote) quote = c === quote ? '' : quote;
    else if (c === '>') return at;
    else if ((c === '"' || c === "'") && html[at - 1] === '=') quote = c;
  }
  return html.length;
}

function closingOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = from;
  return close.test(html) ? past(html, '>', close.lastIndex) : html.length;
}

function opened(page: Page, name: string, tag: string): void {
  breakLine(page, BREAKS[name] ?? 0);
  if (name === 'br') page.breaks = page.parts.length === 0 ? 0 : Math.min(page.breaks + 1, 2);
  else if (name === 'pre') page.pre++;
  else if (name === 'ul' || name === 'ol') page.lists.push(name === 'ol' ? 1 : null);
  else if (name === 'li') bullet(page);
  else if (name === 'td' || name === 'th') page.space = true;
  else if (name === 'a') linkStart(page, attribute(tag, 'href'));
  else if (name === 'img') write(page, attribute(tag, 'alt'), true);
  else if (name === 'hr') rule(page);
}

function closed(page: Page, name: string): void {
  if (name === 'a') linkEnd(page);
  if (name === 'pre') page.pre = Math.max(0, page.pre - 1);
  const isList = name === 'ul' || name === 'ol';
  if (isList) page.lists.pop();
  breakLine(page, isList && page.lists.length > 0 ? 1 : (BREAKS[name] ?? 0));
}

const breakLine = (page: Page, count: number): void => {
  page.breaks = Math.max(page.breaks, page.parts.length === 0 ? 0 : count);
};

/** Lists inside of lists stay together. */
function bullet(page: Page): void {
  page.breaks = Math.min(page.breaks, page.lists.length > 1 ? 1 : 2);
  const last = page.lists.length - 1;
  const number = page.lists[last] ?? null;
  if (number !== null) page.lists[last] = number + 1;
  put(page, `${'  '.repeat(Math.min(Math.max(last, 0), 8))}${number === null ? '-' : `${number}.`} `);
  page.space = false;
}

function rule(page: Page): void {
  breakLine(page, 2);
  put(page, '-'.repeat(20));
  page.breaks = 2;
}

/** A link that is not closed ends where the next one begins. */
function linkStart(page: Page, href: string): void {
  linkEnd(page);
  page.link = { href, from: page.parts.length };
}

function linkEnd(page: Page): void {
  const { link } = page;
  page.link = null;
  if (!link || !/^(?:https?|mailto|tel):/i.test(link.href)) return;
  const words = page.parts.slice(link.from).join('').trim();
  const bare = link.href.replace(/^(?:mailto|tel):/i, '');
  if (words !== link.href && words !== bare) put(page, words ? ` (${bare})` : bare);
}

function attribute(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return match ? decode(match[1] ?? match[2] ?? match[3] ?? '').trim() : '';
}

/** @param plain the text is decoded already */
function write(page: Page, given: string, plain = false): void {
  const text = plain ? given : decode(given);
  if (page.pre > 0) {
    put(page, text.replace(/\r\n?/g, '\n'));
    return;
  }
  const words = text.replace(/[ \t\r\n\f]+/g, ' ');
  if (words === ' ' || words === '') {
    page.space ||= words === ' ';
    return;
  }
  page.space ||= words.startsWith(' ');
  put(page, words.trim());
  page.space = words.endsWith(' ');
}

function put(page: Page, text: string): void {
  const before = page.parts.at(-1) ?? '';
  if (page.breaks > 0) page.parts.push('\n'.repeat(page.breaks));
  else if (page.space && before !== '' && !/\s/.test(before.slice(-1))) page.parts.push(' ');
  page.breaks = 0;
  page.space = false;
  if (text) page.parts.push(text);
}

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : '';
  });
}
