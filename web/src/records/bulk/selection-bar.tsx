import './bulk.css';
import { useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { getRights } from '../document.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import type { ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import type { BulkAction } from './bulk-action.ts';
import { BulkActionDialog } from './bulk-action-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import type { RecordSelection } from './use-selection.ts';
import { useUndo } from './use-undo.ts';

interface SelectionBarProps {
  model: ModelDescription;
  choosing: RecordSelection;
  total: number;
  columns: string[];
  /** True if archived records are listed. */
  withArchived: boolean;
  reload(): void;
}

/** Actions on the selected records. */
export function SelectionBar({ model, choosing, total, columns, withArchived, reload }: SelectionBarProps) {
  const { selection, choice, chooseAll, replace } = choosing;
  const [open, setOpen] = useState<'edit' | 'export' | null>(null);
  const [pending, setPending] = useState<{
    action: BulkAction;
    name: keyof typeof bulkStrings.actions;
  } | null>(null);
  const { undoable } = useUndo(() => {
    choice.clear();
    reload();
  });
  const rights = getRights(model);
  const isArchivable = rights.update && model.fields.some(({ name }) => name === 'active');
  const archive = (active: boolean) =>
    setPending({ action: { kind: 'write', input: { active } }, name: active ? 'restore' : 'archive' });
  const count = selection.size;
  return (
    <>
      {count > 0 && (
        <div className="records-chosen" role="toolbar" aria-label={bulkStrings.selectedRecords}>
          <IconButton icon="close" label={bulkStrings.clearSelection} onClick={choice.clear} />
          <strong role="status" className="figures">
            {formatCount(count, bulkStrings.countSelected)}
          </strong>
          {count < total && (
            <Button look="ghost" onClick={chooseAll}>
              {formatCount(total, bulkStrings.selectAll)}
            </Button>
          )}
          <span className="grow" />
          {rights.update && (
            <Button icon="pen" onClick={() => setOpen('edit')}>
              {bulkStrings.edit}
            </Button>
          )}
          {isArchivable && (
            <Button icon="archive" onClick={() => archive(false)}>
              {recordStrings.archive}
            </Button>
          )}
          {isArchivable && withArchived && (
            <Button onClick={() => archive(true)}>{recordStrings.restore}</Button>
          )}
          <Button icon="down" onClick={() => setOpen('export')}>
            {bulkStrings.export}
          </Button>
          {rights.delete && (
            <Button icon="trash" onClick={() => setPending({ action: { kind: 'delete' }, name: 'delete' })}>
              {recordStrings.delete}
            </Button>
          )}
        </div>
      )}
      {open === 'edit' && (
        <EditDialog
          model={model}
          count={count}
          onEnter={(input) => {
            setOpen(null);
            setPending({ action: { kind: 'write', input }, name: 'edit' });
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'export' && (
        <ExportDialog
          model={model}
          columns={columns}
          count={count}
          ids={async () => [...selection.keys()]}
          onClose={() => setOpen(null)}
        />
      )}
      {pending && (
        <BulkActionDialog
          key={pending.name}
          model={model}
          selection={selection}
          action={pending.action}
          name={pending.name}
          onDone={(done, change) => {
            setPending(null);
            if (pending.action.kind === 'delete' || pending.name === 'archive') replace(new Map());
            else replace(new Map([...selection, ...done]));
            if (change?.count === 0) showToast(bulkStrings.nothingToChange);
            else if (change)
              undoable(change.token, formatCount(change.count, bulkStrings.actions[pending.name].done));
            reload();
          }}
          onClose={() => setPending(null)}
        />
      )}
    </>
  );
}
