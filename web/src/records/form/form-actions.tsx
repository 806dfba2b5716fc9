import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { buildDeleteMutation, getRights, type RecordValues } from '../document.ts';
import { RecordArchiveDocument, RecordCopyDocument, RecordUnarchiveDocument } from '../generated.ts';
import type { ModelDescription } from '../model.ts';
import { recordWords } from '../words.ts';

interface FormActionsProps {
  model: ModelDescription;
  record: RecordValues;
  /** What was entered has to be saved or discarded first; the buttons keep their places meanwhile. */
  isDirty: boolean;
  reload(): void;
}

/** What can be done to a record as a whole: those things that the person may do. */
export function FormActions({ model, record, isDirty, reload }: FormActionsProps) {
  const navigate = useNavigate();
  const { at: _at, ...list } = useSearch({ from: '/records/$model/$id' });
  const [isDeleting, setDeleting] = useState(false);
  const rights = getRights(model);
  const about = { model: model.name, ids: [record.id] };
  const runAction = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showErrorToast(error.failure.message);
    }
  };
  const copy = () =>
    runAction(async () => {
      const { recordCopy } = await runMutation(RecordCopyDocument, about);
      showToast(recordWords.copied);
      await navigate({ to: '/records/$model/$id', params: { model: model.name, id: recordCopy[0]! } });
    });
  const isArchived = record.active === false;
  const archive = () =>
    runAction(async () => {
      await runMutation(isArchived ? RecordUnarchiveDocument : RecordArchiveDocument, about);
      showToast(isArchived ? recordWords.restored : recordWords.archivedNow);
      reload();
    });
  const remove = () =>
    runAction(async () => {
      await runMutation(buildDeleteMutation(model), { ids: [record.id] });
      showToast(recordWords.deleted);
      await navigate({ to: '/records/$model', params: { model: model.name }, search: list });
    });
  return (
    <>
      {rights.create && (
        <Button icon="copy" disabled={isDirty} onClick={copy}>
          {recordWords.copy}
        </Button>
      )}
      {rights.update && typeof record.active === 'boolean' && (
        <Button icon="archive" disabled={isDirty} onClick={archive}>
          {isArchived ? recordWords.restore : recordWords.archive}
        </Button>
      )}
      {rights.delete && (
        <Button icon="trash" disabled={isDirty} onClick={() => setDeleting(true)}>
          {recordWords.delete}
        </Button>
      )}
      {isDeleting && (
        <Confirm
          title={recordWords.deleteNamed(String(record.displayName))}
          yes={recordWords.delete}
          no={recordWords.cancel}
          onYes={remove}
          onClose={() => setDeleting(false)}
        >
          <p>{recordWords.deleteText}</p>
        </Confirm>
      )}
    </>
  );
}
