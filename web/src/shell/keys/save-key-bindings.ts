import { showErrorToast } from '../../ui/toasts.tsx';
import { saveUiState } from '../ui-state.ts';
import { applyKeyBindings, getKeyBindings, KEY_BINDINGS_NAME, type KeyBindings } from './key-bindings.ts';

export async function saveKeyBindings(next: KeyBindings): Promise<void> {
  const before = getKeyBindings();
  applyKeyBindings(next);
  const failure = await saveUiState(KEY_BINDINGS_NAME, next);
  if (!failure) return;
  applyKeyBindings(before);
  showErrorToast(failure.message);
}
