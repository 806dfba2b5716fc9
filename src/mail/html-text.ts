import type { Attributes } from './html-tokens.ts';
import type { StyleSheet } from './style/style-sheet.ts';
import { withStyleSheet } from './visible-elements.ts';
import { readVisibleHtml } from './visible-html.ts';

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
 * What an HTML body says to a person who sees it, as plain text: paragraphs, lists, addresses of links behind their
 * words. Takes time in proportion to its length, whatever it is given.
 */
export const htmlToText = (html: string): string => readText(html).text;

/** The same, and whether the body has text that no person sees. */
export const readText = (html: string): { text: string; leftOut: boolean } =>
  withStyleSheet(html, (sheet) => readWithSheet(html, sheet));

function readWithSheet(html: string, sheet: StyleSheet): { text: string; leftOut: boolean } {
  const page: Page = { parts: [], breaks: 0, space: false, pre: 0, lists: [], link: null };
  const { leftOut } = readVisibleHtml(html, sheet, {
    opened: (name, attributes) => opened(page, name, attributes),
    closed: (name) => closed(page, name),
    text: (text) => write(page, text),
  });
  linkEnd(page);
  const lines = page.parts.join('').split('\n');
  const text = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  return { text, leftOut };
}

function opened(page: Page, name: string, attributes: Attributes): void {
  breakLine(page, BREAKS[name] ?? 0);
  if (name === 'br') page.breaks = page.parts.length === 0 ? 0 : Math.min(page.breaks + 1, 2);
  else if (name === 'pre') page.pre++;
  else if (name === 'ul' || name === 'ol') page.lists.push(name === 'ol' ? 1 : null);
  else if (name === 'li') bullet(page);
  else if (name === 'td' || name === 'th') page.space = true;
  else if (name === 'a') linkStart(page, attributes.get('href')?.trim() ?? '');
  else if (name === 'img') write(page, attributes.get('alt')?.trim() ?? '');
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

function write(page: Page, text: string): void {
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
