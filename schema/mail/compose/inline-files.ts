import type { Attachment } from '../../../src/mail/attachment.ts';
import type { Letter } from './send-input.ts';

/** A file of a message. */
export interface LetterFile extends Attachment {
  /** Of one that was staged, its id, by which the HTML names it. */
  stagedId?: number;
}

/**
 * A message whose HTML names staged files by their ids, as `cid:12`, and the files: those are shown in their place, by
 * Content-IDs that no other message has (RFC 2392). Pure.
 */
export function withInlineFiles(
  letter: Letter,
  given: readonly LetterFile[],
): { letter: Letter; files: Attachment[] } {
  const domain = letter.from.address.slice(letter.from.address.lastIndexOf('@') + 1);
  const contentIds = new Map(
    given.flatMap(({ stagedId: id }) => (id ? [[String(id), `staged-${id}@${domain}`]] : [])),
  );
  const shown = new Set<string>();
  const html = letter.html?.replace(NAMED, (whole, id: string) => {
    const contentId = contentIds.get(id);
    if (!contentId) return whole;
    shown.add(id);
    return `src="cid:${contentId}"`;
  });
  const files = given.map(({ stagedId, ...file }) =>
    shown.has(String(stagedId)) ? { ...file, contentId: contentIds.get(String(stagedId))! } : file,
  );
  return { letter: { ...letter, html: html ?? null }, files };
}

/** The HTML has been made safe, which writes each attribute this way. */
const NAMED = /\bsrc="cid:(\d{1,15})"/g;
