import type { Attachment } from '../../../src/mail/attachment.ts';
import type { ComposedMessage } from './send-input.ts';

/** A file of a message. */
export interface MessageFile extends Attachment {
  /** Of one that was staged, its id, by which the HTML names it. */
  stagedId?: number;
}

/**
 * A message whose HTML names staged files by their ids, as `cid:12`, and the files: those are shown in their place, by
 * Content-IDs that no other message has (RFC 2392). Pure.
 */
export function linkInlineFiles(
  message: ComposedMessage,
  candidates: readonly MessageFile[],
): { letter: ComposedMessage; files: Attachment[] } {
  const domain = message.from.address.slice(message.from.address.lastIndexOf('@') + 1);
  const contentIds = new Map(
    candidates.flatMap(({ stagedId: id }) => (id ? [[String(id), `staged-${id}@${domain}`]] : [])),
  );
  const referencedIds = new Set<string>();
  const html = message.html?.replace(CID_IMAGE, (match, id: string) => {
    const contentId = contentIds.get(id);
    if (!contentId) return match;
    referencedIds.add(id);
    return `src="cid:${contentId}"`;
  });
  const files = candidates.map(({ stagedId, ...file }) =>
    referencedIds.has(String(stagedId)) ? { ...file, contentId: contentIds.get(String(stagedId))! } : file,
  );
  return { letter: { ...message, html: html ?? null }, files };
}

/** The HTML has been made safe, which writes each attribute this way. */
const CID_IMAGE = /\bsrc="cid:(\d{1,15})"/g;
