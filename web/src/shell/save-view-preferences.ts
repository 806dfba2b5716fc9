import { runMutation } from '../graphql/client.ts';
import { catchFailure } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { applyViewPreferences, getViewPreferences, type ViewPreferences } from '../ui/view-preferences.ts';
import { ViewPreferencesSaveDocument } from './generated.ts';

/** Applies and stores the changes. Restores the previous preferences if the server rejects them. */
export async function saveViewPreferences(changes: Partial<ViewPreferences>): Promise<void> {
  const before = getViewPreferences();
  applyViewPreferences({ ...before, ...changes });
  const failure = await catchFailure(() => runMutation(ViewPreferencesSaveDocument, changes));
  if (!failure) return;
  applyViewPreferences(before);
  showErrorToast(failure.message);
}
