import { change } from '../../graphql/client.ts';
import { counted } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { say } from '../../ui/toasts.tsx';
import { bulkWords } from '../bulk-words.ts';
import { RecordsUndoDocument } from './generated.ts';

/** The last change of this page that can be undone. */
let last: string | null = null;

/** Undoes changes: by the button of what says that they were made, and by `z`. */
export function useUndo(onDone: () => void): { undoable(token: string, said: string): void } {
  const { act } = useAct();
  const undo = (token: string | null) => {
    if (token === null) return say(bulkWords.nothingToUndo);
    if (token === last) last = null;
    void act(async () => {
      const { recordsUndo } = await change(RecordsUndoDocument, { token });
      say(undoneText(recordsUndo));
      onDone();
    });
  };
  useShortcuts([{ keys: 'z', label: bulkWords.undo, run: () => undo(last) }]);
  return {
    undoable(token, said) {
      last = token;
      say(said, { label: bulkWords.undo, run: () => undo(token) });
    },
  };
}

interface Undone {
  undone: number;
  changedSince: number;
  outOfReach: number;
}

function undoneText({ undone, changedSince, outOfReach }: Undone): string {
  const parts = [counted(undone, bulkWords.undone)];
  if (changedSince > 0) parts.push(counted(changedSince, bulkWords.changedSince));
  if (outOfReach > 0) parts.push(counted(outOfReach, bulkWords.outOfReach));
  return parts.join(' ');
}
