import type { MailSource } from '../../../src/mail/parse/material.ts';
import { buildPlaceholder, type ParsedMail } from '../../../src/mail/parse/message.ts';
import { runInThread, type TaskOwner } from '../../../src/thread.ts';

const THREAD_URL = new URL('../../../src/mail/parse/parse-thread.ts', import.meta.url);

/** The thread may have died of something else. */
const MAX_ATTEMPTS = 2;

/**
 * Reads a message beside the event loop, of what was taken from it on a first pass. One of which the reading takes too
 * long or too much memory becomes a placeholder.
 * @param ms milliseconds that one attempt may take; there are two
 */
export async function parseMaterialInThread(
  material: MailSource,
  { ms, holder }: { ms: number; holder: TaskOwner },
): Promise<ParsedMail> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const mail = await runInThread<ParsedMail>(THREAD_URL, material, holder, { ms }).catch(() => null);
    if (mail) return mail;
  }
  return buildPlaceholder(omitTexts(material));
}

/** Without the texts, which may be what cannot be read. */
const omitTexts = ({ texts: _, ...head }: MailSource): Omit<MailSource, 'texts'> => head;
