import './bulk.css';
import { useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { getRights } from '../document.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import type { ModelDescription } from '../model.ts';
import { countSelectable, type SelectedRecords } from '../selection/selection.ts';
import type { RecordSelection } from '../selection/use-selection.ts';
import { recordStrings } from '../strings.ts';
import type { BulkAction, UndoableChange } from './bulk-action.ts';
import { BulkActionDialog } from './bulk-action-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { useUndo } from './use-undo.ts';

interface SelectionBarProps {
  model: ModelDescription;
  choosing: RecordSelection;
  total: number;
  columns: string[];
  withArchived: boolean;
  reload(): void;
}

interface PendingAction {
  action: BulkAction;
  name: keyof typeof bulkStrings.actions;
}

export function SelectionBar({ model, choosing, total, columns, withArchived, reload }: SelectionBarProps) {
  const { selection, choice, replace } = choosing;
  const [open, setOpen] = useState<'edit' | 'export' | null>(null);
  const [pending, setPending] = useState<PendingAction | null>(null);
  const { undoable } = useUndo(() => {
    choice.clear();
    reload();
  });
  const close = () => setOpen(null);
  const finish = ({ action, name }: PendingAction, done: SelectedRecords, change: UndoableChange | null) => {
    setPending(null);
    replace(action.kind === 'delete' || name === 'archive' ? new Map() : new Map([...selection, ...done]));
    if (change?.count === 0) showToast(bulkStrings.nothingToChange);
    else if (change) undoable(change.token, formatCount(change.count, bulkStrings.actions[name].done));
    reload();
  };
  return (
    <>
      {selection.size > 0 && (
        <SelectionToolbar
          model={model}
          choosing={choosing}
          total={total}
          withArchived={withArchived}
          onOpen={setOpen}
          onAction={setPending}
        />
      )}
      {open === 'edit' && (
        <EditDialog
          model={model}
          count={selection.size}
          onEnter={(input) => {
            close();
            setPending({ action: { kind: 'write', input }, name: 'edit' });
          }}
          onClose={close}
        />
      )}
      {open === 'export' && (
        <ExportDialog
          model={model}
          columns={columns}
          count={selection.size}
          ids={async () => [...selection.keys()]}
          onClose={close}
        />
      )}
      {pending && (
        <BulkActionDialog
          key={pending.name}
          model={model}
          selection={selection}
          action={pending.action}
          name={pending.name}
          onDone={(done, change) => finish(pending, done, change)}
          onClose={() => setPending(null)}
        />
      )}
    </>
  );
}

interface SelectionToolbarProps
  extends Pick<SelectionBarProps, 'model' | 'choosing' | 'total' | 'withArchived'> {
  onOpen(dialog: 'edit' | 'export'): void;
  onAction(action: PendingAction): void;
}

function SelectionToolbar({ model, choosing, total, withArchived, onOpen, onAction }: SelectionToolbarProps) {
  const { selection, choice, chooseAll } = choosing;
  const selectable = countSelectable(total);
  const rights = getRights(model);
  const isArchivable = rights.update && model.fields.some(({ name }) => name === 'active');
  const archive = (active: boolean) =>
    onAction({ action: { kind: 'write', input: { active } }, name: active ? 'restore' : 'archive' });
  return (
    <div className="records-chosen" role="toolbar" aria-label={bulkStrings.selectedRecords}>
      <IconButton icon="close" label={bulkStrings.clearSelection} onClick={choice.clear} />
      <strong role="status" className="figures">
        {formatCount(selection.size, bulkStrings.selectedCount)}
      </strong>
      {selection.size < selectable && (
        <Button look="ghost" onClick={chooseAll}>
          {formatCount(selectable, selectable < total ? bulkStrings.selectFirst : bulkStrings.selectAll)}
        </Button>
      )}
      {selection.size === selectable && selectable < total && (
        <span className="quiet small">{formatCount(total, bulkStrings.selectionLimit)}</span>
      )}
      <span className="grow" />
      {rights.update && (
        <Button icon="pen" onClick={() => onOpen('edit')}>
          {bulkStrings.edit}
        </Button>
      )}
      {isArchivable && (
        <Button icon="archive" onClick={() => archive(false)}>
          {recordStrings.archive}
        </Button>
      )}
      {isArchivable && withArchived && <Button onClick={() => archive(true)}>{recordStrings.restore}</Button>}
      <Button icon="down" onClick={() => onOpen('export')}>
        {bulkStrings.export}
      </Button>
      {rights.delete && (
        <Button icon="trash" onClick={() => onAction({ action: { kind: 'delete' }, name: 'delete' })}>
          {recordStrings.delete}
        </Button>
      )}
    </div>
  );
}
