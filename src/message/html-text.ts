import type { HtmlAttributes } from './html-tokens.ts';
import { removeInvisibleCharacters } from './remove-invisible.ts';
import type { MailStyleSheet } from './style/style-sheet.ts';
import { readWithStyleSheet } from './visible-elements.ts';
import { readVisibleHtml } from './visible-html.ts';

const ELEMENT_BREAKS: Record<string, number> = {
  ...Object.fromEntries(
    ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'blockquote'].map((n) => [n, 2]),
  ),
  ...Object.fromEntries(
    ['table', 'dl', 'figure', 'section', 'article', 'header', 'footer'].map((n) => [n, 2]),
  ),
  ...Object.fromEntries(['div', 'tr', 'li', 'dt', 'dd', 'address', 'caption', 'center'].map((n) => [n, 1])),
};

interface TextPage {
  parts: string[];
  breaks: number;
  space: boolean;
  pre: number;
  /** Counters of open lists. Null for a bulleted list. */
  lists: (number | null)[];
  /** The open link, with the index of its first part. */
  link: { href: string; from: number } | null;
}

/**
 * Converts HTML to plain text with paragraphs, lists, and link targets after the link text. Takes linear time for any
 * input.
 */
export const convertHtmlToText = (html: string): string =>
  trimLines(removeInvisibleCharacters(readVisibleText(html).text));

/** Like `convertHtmlToText`, with invisible characters. `leftOut` is true if the body contains invisible text. */
export const readVisibleText = (html: string): { text: string; leftOut: boolean } =>
  readWithStyleSheet(html, (sheet) => readTextWithSheet(html, sheet));

function readTextWithSheet(html: string, sheet: MailStyleSheet): { text: string; leftOut: boolean } {
  const page: TextPage = { parts: [], breaks: 0, space: false, pre: 0, lists: [], link: null };
  const { leftOut } = readVisibleHtml(html, sheet, {
    onOpen: (name, attributes) => openElement(page, name, attributes),
    onClose: (name) => closeElement(page, name),
    onText: (text) => addText(page, text),
  });
  endLink(page);
  return { text: trimLines(page.parts.join('')), leftOut };
}

const trimLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

function openElement(page: TextPage, name: string, attributes: HtmlAttributes): void {
  breakLine(page, ELEMENT_BREAKS[name] ?? 0);
  if (name === 'br') page.breaks = page.parts.length === 0 ? 0 : Math.min(page.breaks + 1, 2);
  else if (name === 'pre') page.pre++;
  else if (name === 'ul' || name === 'ol') page.lists.push(name === 'ol' ? 1 : null);
  else if (name === 'li') addBullet(page);
  else if (name === 'td' || name === 'th') page.space = true;
  else if (name === 'a') startLink(page, attributes.get('href')?.trim() ?? '');
  else if (name === 'img') addText(page, attributes.get('alt')?.trim() ?? '');
  else if (name === 'hr') addRule(page);
}

function closeElement(page: TextPage, name: string): void {
  if (name === 'a') endLink(page);
  if (name === 'pre') page.pre = Math.max(0, page.pre - 1);
  const isList = name === 'ul' || name === 'ol';
  if (isList) page.lists.pop();
  breakLine(page, isList && page.lists.length > 0 ? 1 : (ELEMENT_BREAKS[name] ?? 0));
}

const breakLine = (page: TextPage, count: number): void => {
  page.breaks = Math.max(page.breaks, page.parts.length === 0 ? 0 : count);
};

/** Nested lists have no empty lines between them. */
function addBullet(page: TextPage): void {
  page.breaks = Math.min(page.breaks, page.lists.length > 1 ? 1 : 2);
  const last = page.lists.length - 1;
  const number = page.lists[last] ?? null;
  if (number !== null) page.lists[last] = number + 1;
  addPart(page, `${'  '.repeat(Math.min(Math.max(last, 0), 8))}${number === null ? '-' : `${number}.`} `);
  page.space = false;
}

function addRule(page: TextPage): void {
  breakLine(page, 2);
  addPart(page, '-'.repeat(20));
  page.breaks = 2;
}

/** An unclosed link ends where the next one starts. */
function startLink(page: TextPage, href: string): void {
  endLink(page);
  page.link = { href, from: page.parts.length };
}

function endLink(page: TextPage): void {
  const { link } = page;
  page.link = null;
  if (!link || !/^(?:https?|mailto|tel):/i.test(link.href)) return;
  const text = page.parts.slice(link.from).join('').trim();
  const bareAddress = link.href.replace(/^(?:mailto|tel):/i, '');
  if (text !== link.href && text !== bareAddress) addPart(page, text ? ` (${bareAddress})` : bareAddress);
}

function addText(page: TextPage, text: string): void {
  if (page.pre > 0) {
    addPart(page, text.replace(/\r\n?/g, '\n'));
    return;
  }
  const phrase = text.replace(/[ \t\r\n\f]+/g, ' ');
  if (phrase === ' ' || phrase === '') {
    page.space ||= phrase === ' ';
    return;
  }
  page.space ||= phrase.startsWith(' ');
  addPart(page, phrase.trim());
  page.space = phrase.endsWith(' ');
}

function addPart(page: TextPage, text: string): void {
  const before = page.parts.at(-1) ?? '';
  if (page.breaks > 0) page.parts.push('\n'.repeat(page.breaks));
  else if (page.space && before !== '' && !/\s/.test(before.slice(-1))) page.parts.push(' ');
  page.breaks = 0;
  page.space = false;
  if (text) page.parts.push(text);
}
