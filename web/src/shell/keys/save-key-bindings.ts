import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import { KeptSaveDocument } from '../generated.ts';
import { applyKeyBindings, getKeyBindings, KEY_BINDINGS_NAME, type KeyBindings } from './key-bindings.ts';

export async function saveKeyBindings(next: KeyBindings): Promise<void> {
  const before = getKeyBindings();
  applyKeyBindings(next);
  try {
    await runMutation(KeptSaveDocument, { values: { [KEY_BINDINGS_NAME]: next } });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    applyKeyBindings(before);
    showErrorToast(error.failure.message);
  }
}
