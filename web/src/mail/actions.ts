import { change } from '../graphql/client.ts';
import { Refused } from '../graphql/refusal.ts';
import { counted } from '../i18n/format.ts';
import { say, sayWrong } from '../ui/toasts.tsx';
import {
  MailChangeFoundDocument,
  MailChangeFoundStartDocument,
  MailDeleteForeverDocument,
  MailFlagDocument,
  type MailFlagMutationVariables,
  MailMoveDocument,
  MailSetLabelsDocument,
  MailUndoDocument,
} from './generated.ts';
import { mailWords } from './words.ts';

type Flags = MailFlagMutationVariables['vals'];

/** What becomes of messages. */
export interface MailChange {
  vals?: Flags;
  /** Folder they go to. */
  to?: string;
  add?: string[];
  remove?: string[];
}

/** All messages of a list, as the server finds them again. */
export interface FoundList {
  folder: string;
  allFolders: boolean;
  label: string | null;
  search: string | null;
}

/** What can be done to messages. Each resolves to whether it was done; what was not is said. */
export interface MailActions {
  /** Messages of one mailbox; of several, marks alone. */
  change(ids: readonly string[], change: MailChange, said?: string): Promise<boolean>;
  deleteForever(ids: readonly string[]): Promise<boolean>;
  /**
   * All messages of a list, which are as many as the person has agreed to.
   * @returns how many they are, where they are not so many
   */
  changeFound(list: FoundList, count: number, change: MailChange, said: string): Promise<number | null>;
  /** The same for very many, by a job. @returns whether it was begun */
  changeFoundLater(list: FoundList, count: number, change: MailChange): Promise<boolean>;
  /** The last change that can be undone. */
  undo(): Promise<void>;
}

interface Outcome {
  ok: boolean;
  error?: string | null;
  undoToken?: string | null;
  count?: number | null;
}

/** @param onChange after each change that was made */
export function mailActions(onChange: () => void): MailActions {
  let latest: string | null = null;
  const done = async (asked: Promise<Outcome>, said?: string): Promise<boolean> => {
    const outcome = await asked.catch(refused);
    const { undoToken } = outcome;
    if (undoToken && (said || !outcome.ok)) latest = undoToken;
    if (!outcome.ok) {
      sayWrong(outcome.error ?? '');
      // What was done before it was refused can be taken back.
      if (undoToken) onChange();
      return false;
    }
    if (said && undoToken) say(said, { label: mailWords.undo, run: () => void undo(undoToken) });
    onChange();
    return true;
  };
  const undo = async (token: string | null): Promise<void> => {
    if (!token) return say(mailWords.nothingToUndo);
    if (token === latest) latest = null;
    const { ok, error, undone } = await change(MailUndoDocument, { token }).then(
      ({ mailUndo }) => mailUndo,
      (reason) => ({ ...refused(reason), undone: null }),
    );
    if (ok) say(counted(undone ?? 0, mailWords.undone));
    else sayWrong(error ?? '');
    onChange();
  };
  return {
    change: (ids, what, said) => done(changed([...ids], what), said),
    deleteForever: (ids) =>
      done(
        change(MailDeleteForeverDocument, { ids: [...ids] }).then(
          ({ mailDeleteForever }) => mailDeleteForever,
        ),
        undefined,
      ),
    async changeFound(list, count, what, said) {
      const asked = change(MailChangeFoundDocument, { ...list, count, ...what });
      const outcome = await asked.then(({ mailChangeFound }) => mailChangeFound, refused);
      if (!outcome.ok && !outcome.undoToken && typeof outcome.count === 'number' && outcome.count !== count)
        return outcome.count;
      await done(Promise.resolve(outcome), said);
      return null;
    },
    async changeFoundLater(list, count, what) {
      const asked = change(MailChangeFoundStartDocument, { ...list, count, ...what });
      return done(asked.then(({ mailChangeFoundStart }) => mailChangeFoundStart));
    },
    undo: () => undo(latest),
  };
}

/** Marks and labels go to one call each, a move to another. */
function changed(ids: string[], { vals, to, add, remove }: MailChange): Promise<Outcome> {
  if (to) return change(MailMoveDocument, { ids, folder: to }).then(({ mailMove }) => mailMove);
  if (vals) return change(MailFlagDocument, { ids, vals }).then(({ mailFlag }) => mailFlag);
  return change(MailSetLabelsDocument, { ids, add: add ?? [], remove: remove ?? [] }).then(
    ({ mailSetLabels }) => mailSetLabels,
  );
}

function refused(reason: unknown): Outcome {
  if (!(reason instanceof Refused)) throw reason;
  return { ok: false, error: reason.refusal.message };
}
