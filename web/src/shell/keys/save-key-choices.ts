import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { sayWrong } from '../../ui/toasts.tsx';
import { KeptSaveDocument } from '../generated.ts';
import { applyKeyChoices, KEY_CHOICES, type KeyChoices, keyChoices } from './key-choices.ts';

/** Changes keys for all devices; a refusal is said, and they are as before. */
export async function saveKeyChoices(next: KeyChoices): Promise<void> {
  const before = keyChoices();
  applyKeyChoices(next);
  try {
    await change(KeptSaveDocument, { values: { [KEY_CHOICES]: next } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    applyKeyChoices(before);
    sayWrong(error.refusal.message);
  }
}
