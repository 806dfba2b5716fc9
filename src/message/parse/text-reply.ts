import { MAX_TEXT } from '../text-limits.ts';
import { countAttributionLines, isCopiedHeader, isDivider } from './attribution.ts';

/** Lower-case beginnings of the lines that phones and clients append to messages. */
const ADVERT_OPENINGS = [
  ...[
    'sent from my ',
    'sent from mail for',
    'sent from outlook',
    'sent from yahoo',
    'sent via ',
    'sent with ',
  ],
  ...['get outlook for', 'von meinem ', 'gesendet von ', 'gesendet mit ', 'envoyé de mon ', 'envoyé depuis '],
  ...[
    'envoyé à partir',
    'enviado desde ',
    'enviado do meu ',
    'enviado de mi ',
    'enviado a partir',
    'inviato da ',
  ],
  ...[
    'inviato dal ',
    'verzonden vanaf ',
    'verstuurd vanaf ',
    'verstuurd met ',
    'outlook für ',
    'obtenir outlook',
  ],
  ...['obtener outlook', 'télécharger outlook', 'scarica outlook', 'download outlook'],
];

const MAX_ADVERT_CHARS = 100;

/**
 * Extracts the text that the author wrote. Omits quoted messages and their introductions ("On …, Ann wrote:" or
 * Outlook's copied headers, in English and other languages), a signature below `-- `, and "Sent from my …". Keeps text
 * between quotes. Returns an empty string if the message contains only quotes. Takes linear time and reads at most
 * `MAX_TEXT` characters.
 */
export function extractReply(text: string): string {
  const lines = text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .split(/\r\n|\r|\n/);
  const resultLines: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (isReplyEnd(lines, index)) break;
    if (isQuoteLine(line) || isAppSignature(lines, index)) continue;
    const attribution = countAttributionLines(lines, index);
    if (attribution === 0) resultLines.push(line.trimEnd());
    else if (!isFollowedByQuote(lines, index + attribution)) break;
    else index += attribution - 1;
  }
  return trimLines(resultLines);
}

function isReplyEnd(lines: readonly string[], index: number): boolean {
  const line = lines[index]!;
  return line === '-- ' || line === '--' || isDivider(line.trim()) || isCopiedHeader(lines, index);
}

const isQuoteLine = (line: string): boolean => /^\s{0,3}>/.test(line);

/** Returns true if the next nonempty line is quoted. The author's text may continue below the quote. */
function isFollowedByQuote(lines: readonly string[], index: number): boolean {
  for (let next = index; next < index + 3; next += 1)
    if (lines[next]?.trim()) return isQuoteLine(lines[next]!);
  return false;
}

function isAppSignature(lines: readonly string[], index: number): boolean {
  const line = lines[index]!.trim()
    .replace(/^[<[*_]+/, '')
    .toLowerCase();
  if (line.length > MAX_ADVERT_CHARS || (lines[index - 1] ?? '').trim() !== '') return false;
  return ADVERT_OPENINGS.some((start) => line.startsWith(start));
}

function trimLines(lines: string[]): string {
  let end = lines.length;
  while (end > 0 && /^[\s_*-]*$/.test(lines[end - 1]!)) end -= 1;
  const resultLines: string[] = [];
  for (const line of lines.slice(0, end))
    if (line.trim() !== '' || resultLines.at(-1)?.trim()) resultLines.push(line);
  return resultLines.join('\n');
}
