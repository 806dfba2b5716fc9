import { runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { formatCount } from '../i18n/format.ts';
import { closeToast, showErrorToast, showToast } from '../ui/toasts.tsx';
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
import { mailStrings } from './strings.ts';

type Flags = MailFlagMutationVariables['vals'];

export interface MailChange {
  vals?: Flags;
  to?: string;
  add?: string[];
  remove?: string[];
}

/** All messages in a list, described by the list's query. */
export interface FoundList {
  folder: string;
  allFolders: boolean;
  label: string | null;
  search: string | null;
}

/** Each action resolves to true on success, and shows a toast on failure. */
export interface MailActions {
  /** All messages must belong to the same mailbox, unless only flags are changed. */
  change(ids: readonly string[], change: MailChange, message?: string): Promise<boolean>;
  deleteForever(ids: readonly string[]): Promise<boolean>;
  /**
   * Changes all messages in a list if their number matches the number that the user confirmed.
   * @returns the actual number if it differs
   */
  changeFound(list: FoundList, count: number, change: MailChange, message: string): Promise<number | null>;
  /**
   * Does the same as `changeFound` in a background job, for large lists.
   * @returns true if the job was started
   */
  changeFoundLater(list: FoundList, count: number, change: MailChange): Promise<boolean>;
  undo(): Promise<void>;
}

interface MailOutcome {
  ok: boolean;
  error?: string | null;
  undoToken?: string | null;
  /** Actual number of messages, if the expected number is wrong. */
  actualCount?: number | undefined;
}

export function createMailActions(onChange: () => void): MailActions {
  let latest: string | null = null;
  const reportOutcome = async (change: Promise<MailOutcome>, message?: string): Promise<boolean> => {
    const outcome = await change.catch(toFailedOutcome);
    const { undoToken } = outcome;
    if (undoToken && (message || !outcome.ok)) latest = undoToken;
    if (!outcome.ok) {
      showErrorToast(outcome.error ?? '');
      // A partially applied change can be undone, too.
      if (undoToken) onChange();
      return false;
    }
    if (message && undoToken)
      showToast(message, { id: undoToken, label: mailStrings.undo, run: () => void undo(undoToken) });
    onChange();
    return true;
  };
  const undo = async (token: string | null): Promise<void> => {
    if (!token) return showToast(mailStrings.nothingToUndo);
    if (token === latest) latest = null;
    closeToast(token);
    const { ok, error, undone } = await runMutation(MailUndoDocument, { token }).then(
      ({ mailUndo }) => mailUndo,
      (reason) => ({ ...toFailedOutcome(reason), undone: null }),
    );
    if (ok) showToast(formatCount(undone ?? 0, mailStrings.undone));
    else showErrorToast(error ?? '');
    onChange();
  };
  return {
    change: (ids, change, message) => reportOutcome(applyChange([...ids], change), message),
    deleteForever: (ids) =>
      reportOutcome(
        runMutation(MailDeleteForeverDocument, { ids: [...ids] }).then(
          ({ mailDeleteForever }) => mailDeleteForever,
        ),
        undefined,
      ),
    async changeFound(list, count, mailChange, message) {
      const change = runMutation(MailChangeFoundDocument, { ...list, count, ...mailChange });
      const outcome: MailOutcome = await change.then(
        ({ mailChangeFound }) => mailChangeFound,
        toFailedOutcome,
      );
      if (typeof outcome.actualCount === 'number') return outcome.actualCount;
      await reportOutcome(Promise.resolve(outcome), message);
      return null;
    },
    async changeFoundLater(list, count, mailChange) {
      const change = runMutation(MailChangeFoundStartDocument, { ...list, count, ...mailChange });
      return reportOutcome(change.then(({ mailChangeFoundStart }) => mailChangeFoundStart));
    },
    undo: () => undo(latest),
  };
}

/** Flags, labels and moves have separate mutations. */
function applyChange(ids: string[], { vals, to, add, remove }: MailChange): Promise<MailOutcome> {
  if (to) return runMutation(MailMoveDocument, { ids, folder: to }).then(({ mailMove }) => mailMove);
  if (vals) return runMutation(MailFlagDocument, { ids, vals }).then(({ mailFlag }) => mailFlag);
  return runMutation(MailSetLabelsDocument, { ids, add: add ?? [], remove: remove ?? [] }).then(
    ({ mailSetLabels }) => mailSetLabels,
  );
}

function toFailedOutcome(reason: unknown): MailOutcome {
  if (!(reason instanceof RequestError)) throw reason;
  const { message, count } = reason.failure;
  return { ok: false, error: message, actualCount: count };
}
