import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { useAction } from '../../shell/use-action.ts';
import { closeToast, showToast } from '../../ui/toasts.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { RecordsUndoDocument } from './generated.ts';

let lastToken: string | null = null;

/** Lets the user undo a change in its toast or with the `z` key. */
export function useUndo(onDone: () => void): { undoable(token: string, message: string): void } {
  const { act } = useAction();
  const undo = (token: string | null) => {
    if (token === null) return showToast(bulkStrings.nothingToUndo);
    if (token === lastToken) lastToken = null;
    closeToast(token);
    void act(async () => {
      const { recordsUndo } = await runMutation(RecordsUndoDocument, { token });
      showToast(formatUndoResult(recordsUndo));
      onDone();
    });
  };
  useShortcuts([{ keys: 'z', label: bulkStrings.undo, run: () => undo(lastToken) }]);
  return {
    undoable(token, message) {
      lastToken = token;
      showToast(message, { id: token, label: bulkStrings.undo, run: () => undo(token) });
    },
  };
}

interface UndoResult {
  undone: number;
  changedSince: number;
  outOfReach: number;
}

function formatUndoResult({ undone, changedSince, outOfReach }: UndoResult): string {
  const parts = [formatCount(undone, bulkStrings.undone)];
  if (changedSince > 0) parts.push(formatCount(changedSince, bulkStrings.changedSince));
  if (outOfReach > 0) parts.push(formatCount(outOfReach, bulkStrings.unavailable));
  return parts.join(' ');
}
