import { inMarkup } from './plain-html.ts';

const ADDRESS = /https?:\/\/[^\s<>"\u0000-\u001f]{1,2000}/gi;

/** What ends a sentence and no address. */
const AFTER = `.,;:!?'*_]}`;

/** Plain text as HTML that looks the same, in which addresses of the web lead there. Takes linear time. */
export function linkedText(text: string): string {
  let html = '';
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutEnd(found);
    html += `${inMarkup(text.slice(at, index))}${linked(address)}`;
    at = index + address.length;
  }
  return `<pre>${html}${inMarkup(text.slice(at))}</pre>`;
}

/** A bracket that the address has opened belongs to it. */
function withoutEnd(found: string): string {
  const opens = found.includes('(');
  let end = found.length;
  while (AFTER.includes(found[end - 1]!) || (found[end - 1] === ')' && !opens)) end--;
  return found.slice(0, end);
}

const linked = (address: string): string =>
  URL.canParse(address)
    ? `<a href="${inMarkup(address)}" target="_blank" rel="noopener noreferrer nofollow">${inMarkup(address)}</a>`
    : inMarkup(address);
