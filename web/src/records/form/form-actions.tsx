import { useNavigate, useSearch } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { ConfirmButton } from '../../shell/action-buttons.tsx';
import { useAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { buildDeleteMutation, getRights, type RecordValues } from '../document.ts';
import { RecordArchiveDocument, RecordCopyDocument, RecordUnarchiveDocument } from '../generated.ts';
import type { ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { OperationButtons } from './operation-buttons.tsx';

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
  const { act } = useAction();
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
    await navigate({ to: '/records/$model', params: { model: model.name }, search: list });
  };
  return (
    <>
      <OperationButtons model={model} record={record} isDirty={isDirty} reload={reload} />
      {rights.create && (
        <Button icon="copy" disabled={isDirty} onClick={copy}>
          {recordStrings.duplicate}
        </Button>
      )}
      {rights.update && typeof record.active === 'boolean' && (
        <Button icon="archive" disabled={isDirty} onClick={archive}>
          {isArchived ? recordStrings.restore : recordStrings.archive}
        </Button>
      )}
      {rights.delete && (
        <ConfirmButton
          icon="trash"
          disabled={isDirty}
          label={recordStrings.delete}
          title={recordStrings.deleteTitle(String(record.displayName))}
          text={recordStrings.deleteText}
          onYes={remove}
        />
      )}
    </>
  );
}
