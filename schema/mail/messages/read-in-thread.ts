import type { MailMaterial } from '../../../src/mail/parse/material.ts';
import { type ParsedMail, placeholderMail } from '../../../src/mail/parse/message.ts';
import { type Holder, inThread } from '../../../src/thread.ts';

const THREAD = new URL('../../../src/mail/parse/parse-thread.ts', import.meta.url);

/** The thread may have died of something else. */
const ATTEMPTS = 2;

/**
 * Reads a message beside the event loop, of what was taken from it on a first pass. One of which the reading takes too
 * long or too much memory becomes a placeholder.
 * @param ms milliseconds that one attempt may take; there are two
 */
export async function readInThread(
  material: MailMaterial,
  { ms, holder }: { ms: number; holder: Holder },
): Promise<ParsedMail> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const mail = await inThread<ParsedMail>(THREAD, material, holder, { ms }).catch(() => null);
    if (mail) return mail;
  }
  return placeholderMail(headOf(material));
}

/** Without the texts, which may be what cannot be read. */
const headOf = ({ texts: _, ...head }: MailMaterial): Omit<MailMaterial, 'texts'> => head;
