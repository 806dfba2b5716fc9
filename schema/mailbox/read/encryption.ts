import { defineEnumShape } from '../../../src/engine/operation/shape.ts';
import type { PartRow } from './parts.ts';

export const EncryptionShape = defineEnumShape(
  'MailEncryption',
  "Encryption of a message that only a program with a recipient's key can read.",
  { smime: 'S/MIME (RFC 8551).', pgp: 'OpenPGP (RFC 9580).' },
);

export const ENCRYPTION_FIELD = {
  type: EncryptionShape,
  nullable: true,
  description:
    'Encryption of the message or of one of its parts. The attachments contain the encrypted ' +
    'content. Null if nothing is encrypted.',
} as const;

export function findEncryption(parts: readonly PartRow[]): 'smime' | 'pgp' | null {
  const part = parts.find(({ role }) => role === 'encrypted');
  if (!part) return null;
  return /pkcs7-mime$/.test(part.type) || /\.p7m$/i.test(part.filename) ? 'smime' : 'pgp';
}
