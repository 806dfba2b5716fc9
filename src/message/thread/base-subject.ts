/** Reply and forward prefixes from RFC 5256 and from mail clients in other languages. */
const REPLY_PREFIXES = new Set([
  ...['re', 'fw', 'fwd'],
  ...['aw', 'antw', 'antwort', 'wg', 'sv', 'vs', 'vb', 'vl', 'rv', 'res', 'enc', 'tr', 'rif', 'i', 'r'],
  ...['doorst', 'odp', 'pd', 'ynt', 'ilt', '回复', '回覆', '答复', '转发', '轉寄', '返信', '転送'],
  // Subjects of receipts, replies to invitations, and automatic replies in Outlook, Exchange and Gmail.
  ...['automatic reply', 'auto reply', 'autoreply', 'out of office', 'undeliverable', 'read', 'not read'],
  ...[
    'accepted',
    'declined',
    'tentative',
    'tentatively accepted',
    'canceled',
    'cancelled',
    'updated invitation',
  ],
  ...[
    'automatische antwort',
    'abwesenheitsnotiz',
    'unzustellbar',
    'gelesen',
    'zugesagt',
    'angenommen',
    'abgelehnt',
  ],
  ...['mit vorbehalt', 'réponse automatique', 'non remis', 'lu', 'accepté', 'refusé', 'respuesta automática'],
  ...['aceptado', 'rechazado', 'risposta automatica', 'accettato', 'automatisch antwoord', 'geaccepteerd'],
]);

const MAX_SUBJECT_LENGTH = 2_000;

/**
 * Removes reply and forward prefixes (RFC 5256 2.1), lower-cases the rest and collapses white space, so that all
 * subjects of a conversation are equal. Empty if nothing remains.
 */
export function getBaseSubject(subject: string): string {
  let text = subject
    .slice(0, MAX_SUBJECT_LENGTH)
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .normalize('NFC');
  for (;;) {
    text = removeLeaders(getFormerSubject(removeTrailers(text)));
    if (!text.startsWith('[fwd:') || !text.endsWith(']')) return text;
    text = text.slice('[fwd:'.length, -1);
  }
}

/** `New subject (was: old subject)` belongs to the conversation of the old subject. */
function getFormerSubject(text: string): string {
  return /\(was: ?([^ ()][^()]*)\)$/.exec(text)?.[1]?.trimEnd() ?? text;
}

/** Removes trailing `(fwd)` (RFC 5256 2.1, step 2). */
function removeTrailers(text: string): string {
  let end = text.length;
  for (;;) {
    while (text[end - 1] === ' ') end -= 1;
    if (!text.startsWith('(fwd)', end - 5)) return text.slice(0, end);
    end -= 5;
  }
}

/** Removes `Re:` and the `[tags]` before it. Removes a leading tag unless nothing else would remain (steps 3 to 5). */
function removeLeaders(text: string): string {
  let start = 0;
  for (;;) {
    while (text[start] === ' ') start += 1;
    const after = skipReplyPrefix(text, start);
    if (after > start) {
      start = after;
      continue;
    }
    const rest = skipBracketTag(text, start);
    if (rest === start || rest === text.length) return text.slice(start);
    start = rest;
  }
}

/** Returns the position after `[tag] Re[2]:`, or `start` if there is no such prefix. */
function skipReplyPrefix(text: string, start: number): number {
  let position = start;
  for (let next = skipBracketTag(text, position); next > position; next = skipBracketTag(text, position))
    position = next;
  const pattern = /[^:：[\]()]{1,40}/y;
  pattern.lastIndex = position;
  const mark = pattern.exec(text)?.[0];
  if (!mark || !REPLY_PREFIXES.has(mark.trim())) return start;
  position = skipSpace(text, position + mark.length);
  position = skipBracketTag(text, position);
  return text[position] === ':' || text[position] === '：' ? position + 1 : start;
}

/** Returns the position after `[tag]` and white space, or `start` if there is no tag. */
function skipBracketTag(text: string, start: number): number {
  if (text[start] !== '[') return start;
  const close = text.indexOf(']', start);
  const inner = text.indexOf('[', start + 1);
  return close < 0 || (inner >= 0 && inner < close) ? start : skipSpace(text, close + 1);
}

function skipSpace(text: string, start: number): number {
  let position = start;
  while (text[position] === ' ') position += 1;
  return position;
}
