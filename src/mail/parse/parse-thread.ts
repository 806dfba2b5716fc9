import type { MailSource } from './material.ts';
import { type ParsedMail, parseMailSource } from './message.ts';

/** Reads a message beside the event loop: what runs there (`src/thread.ts`) calls it. */
export default function parseMailSourceInThread(material: MailSource): ParsedMail {
  return parseMailSource(material);
}
