import type { MailSource } from '../../../src/message/parse/material.ts';
import { buildPlaceholder, type ParsedMail } from '../../../src/message/parse/message.ts';
import { runInThread, type TaskOwner } from '../../../src/thread.ts';

const THREAD_URL = new URL('../../../src/message/parse/message.ts', import.meta.url);

/** Retries, because the worker thread may have died for an unrelated reason. */
const MAX_ATTEMPTS = 2;

/**
 * Parses a message in a worker thread. Returns a placeholder for a message that takes too much time or memory.
 * @param ms milliseconds per attempt
 */
export async function parseMaterialInThread(
  mailSource: MailSource,
  { ms, holder }: { ms: number; holder: TaskOwner },
): Promise<ParsedMail> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const mail = await runInThread<ParsedMail>(THREAD_URL, mailSource, holder, { ms }).catch(() => null);
    if (mail) return mail;
  }
  return buildPlaceholder(omitTexts(mailSource));
}

/** The body may be the part that cannot be parsed. */
const omitTexts = ({ texts: _, ...head }: MailSource): Omit<MailSource, 'texts'> => head;
