import { useEffect, useRef, useState } from 'react';
import { RequestError } from '../../graphql/request-error.ts';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import type { ModelDescription } from '../model.ts';
import { BATCH_SIZE, type SelectedRecords } from '../selection/selection.ts';
import {
  type BulkAction,
  type BulkResult,
  createUndoToken,
  describeChange,
  runBulkAction,
  type UndoableChange,
} from './bulk-action.ts';

interface BulkActionDialogProps {
  model: ModelDescription;
  selection: SelectedRecords;
  action: BulkAction;
  name: keyof typeof bulkStrings.actions;
  /** @param change null if the action cannot be undone */
  onDone(done: SelectedRecords, change: UndoableChange | null): void;
  onClose(): void;
}

/**
 * Applies an action to all selected records: immediately if it can be undone, otherwise after the user confirms the
 * number of records. If some records have changed since their selection, asks how to proceed.
 */
export function BulkActionDialog({ model, selection, action, name, onDone, onClose }: BulkActionDialogProps) {
  const strings = bulkStrings.actions[name];
  const [pending, setPending] = useState(selection);
  const [bulkResult, setBulkResult] = useState<BulkResult>();
  const [count, setCount] = useState(0);
  const [isBusy, setIsBusy] = useState(false);
  const token = useRef(createUndoToken());
  const end = async ({ done, error }: BulkResult) => {
    // After an error, the server may have applied a batch whose response was lost.
    const change = action.kind === 'write' ? await describeChange(token.current, done) : null;
    if (error && done.size === 0 && !change?.count) return onClose();
    onDone(done, change);
  };
  const runAction = async (records: SelectedRecords) => {
    setPending(records);
    setIsBusy(true);
    setCount(0);
    try {
      const result = await runBulkAction(model, records, action, token.current, setCount);
      if (result.changed.size + result.deletedIds.size > 0) return setBulkResult(result);
      if (result.error) showErrorToast(formatFailure(result, records.size));
      await end(result);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showErrorToast(error.failure.message);
      onClose();
    } finally {
      setIsBusy(false);
    }
  };
  const hasStarted = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog opens
  useEffect(() => {
    if (action.kind === 'delete' || hasStarted.current) return;
    hasStarted.current = true;
    void runAction(selection);
  }, []);
  if (bulkResult && !isBusy)
    return (
      <BulkConflict
        selection={pending}
        result={bulkResult}
        name={name}
        onGo={(records) => void runAction(records)}
        onClose={onClose}
      />
    );
  if (action.kind === 'write' && selection.size <= BATCH_SIZE) return null;
  return (
    <Dialog title={formatCount(pending.size, strings.title)} onClose={isBusy ? () => {} : onClose}>
      {action.kind === 'delete' && <p>{bulkStrings.deleteText}</p>}
      {isBusy ? (
        <p role="status">{bulkStrings.progress(formatNumber(count), formatNumber(pending.size))}</p>
      ) : (
        <DialogButtons onClose={onClose}>
          <Button look="danger" onClick={() => void runAction(pending)}>
            {formatCount(pending.size, strings.confirm)}
          </Button>
        </DialogButtons>
      )}
    </Dialog>
  );
}

const formatFailure = ({ done, error }: BulkResult, total: number): string =>
  done.size === 0
    ? error!.failure.message
    : `${bulkStrings.stopped(formatNumber(done.size), formatNumber(total))} ${error!.failure.message}`;

interface BulkConflictProps {
  selection: SelectedRecords;
  result: BulkResult;
  name: keyof typeof bulkStrings.actions;
  onGo(records: SelectedRecords): void;
  onClose(): void;
}

function BulkConflict({
  selection,
  result: { changed, deletedIds },
  name,
  onGo,
  onClose,
}: BulkConflictProps) {
  const { confirm } = bulkStrings.actions[name];
  const unchanged = new Map([...selection].filter(([id]) => !changed.has(id) && !deletedIds.has(id)));
  return (
    <Dialog title={bulkStrings.changedTitle} onClose={onClose}>
      {changed.size > 0 && <p>{formatCount(changed.size, bulkStrings.changedText)}</p>}
      {deletedIds.size > 0 && <p>{formatCount(deletedIds.size, bulkStrings.deletedText)}</p>}
      <p>{bulkStrings.nothingChanged}</p>
      <DialogButtons onClose={onClose}>
        {unchanged.size > 0 && (
          <Button look="primary" onClick={() => onGo(unchanged)}>
            {changed.size > 0
              ? formatCount(unchanged.size, bulkStrings.skipChanged)
              : formatCount(unchanged.size, confirm)}
          </Button>
        )}
        {changed.size > 0 && (
          <Button onClick={() => onGo(new Map([...unchanged, ...changed]))}>
            {formatCount(unchanged.size + changed.size, bulkStrings.continueAnyway)}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
