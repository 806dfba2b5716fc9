import { useRef, useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { Form, FormError, getText } from '../../ui/form/form.tsx';
import type { Folder } from '../address.ts';
import { getFolderName } from '../folder-tree.tsx';
import { type FileImportProgress, importFiles } from './import-files.ts';
import { transferStrings } from './strings.ts';

interface FileImportProps {
  mailbox: string;
  folders: readonly Folder[];
  onDone(): void;
}

export function FileImport({ mailbox, folders, onDone }: FileImportProps) {
  const { progress, isBusy, message, start, stop } = useFileImport(mailbox, onDone);
  return (
    <section className="card mail-transfer">
      <h2>{transferStrings.importFiles}</h2>
      <Form onSubmit={start}>
        <Field
          type="file"
          name="files"
          label={transferStrings.files}
          hint={transferStrings.filesHint}
          accept=".eml,.mbox,.mbx,message/rfc822,application/mbox"
          multiple
          required
        />
        <Select
          name="folder"
          label={transferStrings.destinationFolder}
          defaultValue={folders.find(({ type }) => type === 'archive')?.id}
          options={folders.map((folder) => [folder.id, getFolderName(folder)] as const)}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {transferStrings.import}
          </Button>
          {isBusy && <Button onClick={stop}>{transferStrings.stop}</Button>}
        </div>
      </Form>
      <FormError message={message} />
      {isBusy && (
        <progress
          aria-label={transferStrings.importFiles}
          max={progress?.size || undefined}
          value={progress?.read}
        />
      )}
      {progress && <ImportResult progress={progress} />}
      <UnsavedGuard isDirty={isBusy} />
    </section>
  );
}

function useFileImport(mailbox: string, onDone: () => void) {
  const [progress, setProgress] = useState<FileImportProgress>();
  const [formError, setFormError] = useState<string | null>(null);
  const { isBusy, refusal, act } = useFormAction();
  const isStopped = useRef(false);
  const start = (form: FormData) => {
    const files = form.getAll('files').filter((item) => item instanceof File);
    isStopped.current = false;
    setProgress(undefined);
    setFormError(null);
    void act(async () => {
      const result = await importFiles({
        mailbox,
        folder: getText(form, 'folder'),
        files,
        onProgress: setProgress,
        isStopped: () => isStopped.current,
      });
      setFormError(result);
      onDone();
    });
  };
  const stop = () => {
    isStopped.current = true;
  };
  return { progress, isBusy, message: formError ?? refusal?.message, start, stop };
}

/** Maximum number of failed messages to list. */
const MAX_FAILURES = 20;

const ImportResult = ({ progress: { imported, duplicates, failed } }: { progress: FileImportProgress }) => (
  <>
    <p role="status" className="figures">
      {formatCount(imported, transferStrings.imported)}
      {duplicates > 0 && ` · ${formatCount(duplicates, transferStrings.skipped)}`}
      {failed.length > 0 && ` · ${formatCount(failed.length, transferStrings.failed)}`}
    </p>
    {failed.length > 0 && (
      <ul className="small">
        {failed.slice(0, MAX_FAILURES).map(({ file, error }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended
          <li key={index}>
            {file}: {error}
          </li>
        ))}
      </ul>
    )}
  </>
);
