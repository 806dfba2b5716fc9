import { escapeMarkup } from './plain-html.ts';

const URL_PATTERN = /https?:\/\/[^\s<>"\u0000-\u001f]{1,2000}/gi;

const TRAILING_PUNCTUATION = `.,;:!?'*_]}`;

/** Converts plain text to HTML with links. Takes linear time. */
export function linkifyText(text: string): string {
  let html = '';
  let position = 0;
  for (const { 0: matchedText, index } of text.matchAll(URL_PATTERN)) {
    const address = trimAddress(matchedText);
    html += `${escapeMarkup(text.slice(position, index))}${buildLink(address)}`;
    position = index + address.length;
  }
  return `<pre>${html}${escapeMarkup(text.slice(position))}</pre>`;
}

/** A closing bracket belongs to a URL that contains the opening one. */
function trimAddress(address: string): string {
  const opens = address.includes('(');
  let end = address.length;
  while (TRAILING_PUNCTUATION.includes(address[end - 1]!) || (address[end - 1] === ')' && !opens)) end--;
  return address.slice(0, end);
}

const buildLink = (address: string): string =>
  URL.canParse(address)
    ? `<a href="${escapeMarkup(address)}" target="_blank" rel="noopener noreferrer nofollow">` +
      `${escapeMarkup(address)}</a>`
    : escapeMarkup(address);
