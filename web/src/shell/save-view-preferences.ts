import { runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { applyViewPreferences, getViewPreferences, type ViewPreferences } from '../ui/view-preferences.ts';
import { ViewPreferencesSaveDocument } from './generated.ts';

/** Applies and stores the changes. Restores the previous preferences if the server rejects them. */
export async function saveViewPreferences(changes: Partial<ViewPreferences>): Promise<void> {
  const before = getViewPreferences();
  applyViewPreferences({ ...before, ...changes });
  try {
    await runMutation(ViewPreferencesSaveDocument, changes);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    applyViewPreferences(before);
    showErrorToast(error.failure.message);
  }
}
