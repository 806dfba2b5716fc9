import { convertHtmlToText } from './html-text.ts';
import { countAttributionLines, isCopiedHeader, isDivider } from './parse/attribution.ts';

interface MessageBodies {
  text: string;
  html: string | null;
}

export type SignaturePlacement = 'above_quote' | 'below_quote';

/**
 * Inserts a signature above or below the trailing quote, unless the body already contains it, for example from a
 * composer that displays it.
 * @param signature sanitized HTML
 */
export function insertSignature(
  bodies: MessageBodies,
  signature: string,
  placement: SignaturePlacement,
): MessageBodies {
  const phrase = convertHtmlToText(signature);
  if (phrase === '' && !/<img\b/i.test(signature)) return bodies;
  const { text, html } = bodies;
  if (html === null) {
    if (phrase === '' || extractOwnText(text, placement).includes(phrase)) return bodies;
    return {
      text: insertIntoText(text, phrase, placement === 'above_quote' ? findTextQuote(text) : null),
      html,
    };
  }
  if (extractOwnHtml(html, placement).includes(signature)) return bodies;
  const signedHtml = insertIntoHtml(
    html,
    signature,
    placement === 'above_quote' ? findHtmlQuote(html) : null,
  );
  return { text: convertHtmlToText(signedHtml) || '\n', html: signedHtml };
}

/** Removes quoted lines. For `above_quote`, also removes text below the quote, because its author is unknown. */
function extractOwnText(text: string, placement: SignaturePlacement): string {
  const aboveText = text.slice(0, findTextQuote(text) ?? undefined);
  const authorText = placement === 'above_quote' ? aboveText : text;
  return authorText.replace(/^\s{0,3}>.*$/gm, '');
}

function extractOwnHtml(html: string, placement: SignaturePlacement): string {
  const end = placement === 'above_quote' ? findHtmlQuote(html) : null;
  return removeQuotes(html.slice(0, end ?? undefined));
}

function removeQuotes(html: string): string {
  let depth = 0;
  let from = 0;
  let authorText = '';
  for (const { 0: tag, 1: slash, index } of html.matchAll(/<(\/?)blockquote\b[^>]*>/gi)) {
    if (depth === 0) authorText += html.slice(from, index);
    depth = slash ? Math.max(0, depth - 1) : depth + 1;
    from = index + tag.length;
  }
  return depth === 0 ? authorText + html.slice(from) : authorText;
}

/** A signature starts with two hyphens and a space (RFC 3676 4.3). */
function insertIntoText(text: string, phrase: string, index: number | null): string {
  const authorText = (index === null ? text : text.slice(0, index)).trimEnd();
  const quote = index === null ? '' : `\n\n${text.slice(index)}`;
  return `${authorText}\n\n-- \n${phrase}${quote || '\n'}`;
}

function insertIntoHtml(html: string, signature: string, index: number | null): string {
  const block = `<div class="signature">-- <br />${signature}</div>`;
  return index === null ? `${html}${block}` : `${html.slice(0, index)}${block}${html.slice(index)}`;
}

/** Returns the position of the trailing quote, including its introduction, or null if there is none. */
function findTextQuote(text: string): number | null {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const copied = lines.findIndex((line, index) => isDivider(line.trim()) || isCopiedHeader(lines, index));
  const from = copied >= 0 ? copied : findLastQuote(lines);
  if (from === null) return null;
  return text.split('\n', from).reduce((sum, line) => sum + line.length + 1, 0);
}

const MAX_ATTRIBUTION_LINES = 6;

function findLastQuote(lines: readonly string[]): number | null {
  let from = lines.length;
  let isQuoted = false;
  while (from > 0 && /^\s{0,3}(?:>|$)/.test(lines[from - 1]!)) {
    from--;
    if (lines[from]!.trim() !== '') isQuoted = true;
  }
  if (!isQuoted) return null;
  while (lines[from]?.trim() === '') from++;
  for (let index = Math.max(0, from - MAX_ATTRIBUTION_LINES); index < from; index++) {
    const length = countAttributionLines(lines, index);
    if (length > 0 && lines.slice(index + length, from).every((line) => line.trim() === '')) return index;
  }
  return from;
}

/** Classes of the elements that mail clients wrap around a quote and its introduction. */
const QUOTE_WRAPPER =
  /<div\b[^>]{0,1000}\bclass="[^"]{0,1000}\b(?:gmail_quote|moz-cite-prefix|quote-wrapper)\b/gi;

function findHtmlQuote(html: string): number | null {
  const quote = findLastBlockquote(html);
  const wrapper = [...html.matchAll(QUOTE_WRAPPER)].at(-1)?.index ?? null;
  if (quote === null) return wrapper;
  const { from, before } = quote;
  if (wrapper !== null && wrapper >= before && wrapper < from) return wrapper;
  return findIntroduction(html, before, from);
}

/** Finds the last top-level quote, unless text follows it. */
function findLastBlockquote(html: string): { from: number; before: number } | null {
  let depth = 0;
  let from = -1;
  let before = 0;
  let end = 0;
  for (const { 0: tag, 1: slash, index } of html.matchAll(/<(\/?)blockquote\b[^>]*>/gi)) {
    if (slash) {
      depth = Math.max(0, depth - 1);
      if (depth === 0) end = index + tag.length;
    } else if (depth++ === 0) {
      before = end;
      from = index;
    }
  }
  if (from < 0 || (depth === 0 && convertHtmlToText(html.slice(end)) !== '')) return null;
  return { from, before };
}

const MAX_INTRODUCTION_CHARS = 1_000;

/** A paragraph before a quote introduces the quote if it ends with a colon. */
function findIntroduction(html: string, before: number, from: number): number {
  const start = Math.max(before, from - MAX_INTRODUCTION_CHARS);
  const aboveHtml = html.slice(start, from);
  const at = Math.max(aboveHtml.lastIndexOf('<p'), aboveHtml.lastIndexOf('<div'));
  if (at < 0) return from;
  return /[:：]$/.test(convertHtmlToText(aboveHtml.slice(at))) ? start + at : from;
}
