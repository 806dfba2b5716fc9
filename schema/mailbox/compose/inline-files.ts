import type { Attachment } from '../../../src/message/attachment.ts';
import type { ComposedMessage } from './send-input.ts';

export interface MessageFile extends Attachment {
  /** Id used in the HTML to refer to the staged file. */
  stagedId?: number;
}

/**
 * Replaces references to staged files in the HTML (`cid:12`) with globally unique Content-IDs (RFC 2392), and makes
 * those files inline attachments.
 */
export function linkInlineFiles(
  message: ComposedMessage,
  candidates: readonly MessageFile[],
): { message: ComposedMessage; files: Attachment[] } {
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
  return { message: { ...message, html: html ?? null }, files };
}

/** The sanitizer writes all attributes in this format. */
const CID_IMAGE = /\bsrc="cid:(\d{1,15})"/g;
