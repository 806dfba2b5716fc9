import type { MailSource } from './material.ts';
import { type ParsedMail, parseMailSource } from './message.ts';

/** Runs in a worker thread, started by `src/thread.ts`. */
export default function parseMailSourceInThread(material: MailSource): ParsedMail {
  return parseMailSource(material);
}
