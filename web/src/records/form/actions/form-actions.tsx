import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../../graphql/client.ts';
import { ConfirmDialog } from '../../../shell/action-buttons.tsx';
import { useAction } from '../../../shell/use-action.ts';
import { showToast } from '../../../ui/toasts.tsx';
import { buildDeleteMutation, getRights, type RecordValues } from '../../document.ts';
import { RecordArchiveDocument, RecordCopyDocument, RecordUnarchiveDocument } from '../../generated.ts';
import type { ModelDescription } from '../../model.ts';
import { recordStrings } from '../../strings.ts';
import { ActionRow, type RecordAction } from './action-row.tsx';
import { useOperations } from './use-operations.tsx';

interface FormActionsProps {
  model: ModelDescription;
  record: RecordValues;
  /** Disables the buttons while there are unsaved changes. Their positions stay the same. */
  isDirty: boolean;
  reload(): void;
}

export function FormActions({ model, record, isDirty, reload }: FormActionsProps) {
  const navigate = useNavigate();
  const { at: _at, ...list } = useSearch({ from: '/records/$model/$id' });
  const rights = getRights(model);
  const about = { model: model.name, ids: [record.id] };
  const { isBusy, act } = useAction();
  const operations = useOperations(model, record, reload);
  const [isDeleting, setIsDeleting] = useState(false);
  const copy = () =>
    act(async () => {
      const { recordCopy } = await runMutation(RecordCopyDocument, about);
      showToast(recordStrings.copied);
      await navigate({ to: '/records/$model/$id', params: { model: model.name, id: recordCopy[0]! } });
    });
  const isArchived = record.active === false;
  const archive = () =>
    act(async () => {
      await runMutation(isArchived ? RecordUnarchiveDocument : RecordArchiveDocument, about);
      showToast(isArchived ? recordStrings.restored : recordStrings.archived);
      reload();
    });
  const remove = async () => {
    await runMutation(buildDeleteMutation(model), { ids: [record.id] });
    showToast(recordStrings.deleted);
    await navigate({
      to: '/records/$model',
      params: { model: model.name },
      search: list,
      ignoreBlocker: true,
    });
  };
  const actions: RecordAction[] = [...operations.actions];
  if (rights.create)
    actions.push({ key: 'copy', label: recordStrings.duplicate, icon: 'copy', run: () => void copy() });
  if (rights.update && typeof record.active === 'boolean') {
    const label = isArchived ? recordStrings.restore : recordStrings.archive;
    actions.push({ key: 'archive', label, icon: 'archive', run: () => void archive() });
  }
  if (rights.delete)
    actions.push({
      key: 'delete',
      label: recordStrings.delete,
      icon: 'trash',
      run: () => setIsDeleting(true),
    });
  return (
    <>
      <ActionRow actions={actions} isDisabled={isDirty} isBusy={isBusy || operations.isBusy} />
      {operations.dialog}
      {isDeleting && (
        <ConfirmDialog
          title={recordStrings.deleteTitle(String(record.displayName))}
          text={recordStrings.deleteText}
          yes={recordStrings.delete}
          onYes={remove}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </>
  );
}
