import type { MailMaterial } from './material.ts';
import { type ParsedMail, readMaterial } from './message.ts';

/** Reads a message beside the event loop: what runs there (`src/thread.ts`) calls it. */
export default function read(material: MailMaterial): ParsedMail {
  return readMaterial(material);
}
