import { type FormEvent, useRef, useState } from 'react';
import { counted } from '../../i18n/format.ts';
import { useFormAct } from '../../shell/act.ts';
import { Unsaved } from '../../shell/unsaved.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import type { Folder } from '../address.ts';
import { nameOf } from '../folder-tree.tsx';
import { type FilesProgress, importFiles } from './import-files.ts';
import { transferWords } from './words.ts';

interface FileImportProps {
  mailbox: string;
  folders: readonly Folder[];
  onDone(): void;
}

/** Files of mail, which go on while this page is open. */
export function FileImport({ mailbox, folders, onDone }: FileImportProps) {
  const [progress, setProgress] = useState<FilesProgress>();
  const [wrong, setWrong] = useState<string | null>(null);
  const { isBusy, refusal, act } = useFormAct();
  const isStopped = useRef(false);
  const start = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const files = given.getAll('files').filter((each) => each instanceof File);
    isStopped.current = false;
    setProgress(undefined);
    setWrong(null);
    void act(async () => {
      const ended = await importFiles({
        mailbox,
        folder: String(given.get('folder')),
        files,
        onProgress: setProgress,
        isStopped: () => isStopped.current,
      });
      setWrong(ended);
      onDone();
    });
  };
  const said = wrong ?? refusal?.message;
  return (
    <section className="card mail-transfer">
      <h2>{transferWords.fromFiles}</h2>
      <form onSubmit={start}>
        <Field
          type="file"
          name="files"
          label={transferWords.files}
          hint={transferWords.filesHint}
          accept=".eml,.mbox,.mbx,message/rfc822,application/mbox"
          multiple
          required
        />
        <Choice
          name="folder"
          label={transferWords.intoFolder}
          defaultValue={folders.find(({ type }) => type === 'archive')?.id}
          options={folders.map((folder) => [folder.id, nameOf(folder)] as const)}
        />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {transferWords.import}
          </Button>
          {isBusy && (
            <Button
              onClick={() => {
                isStopped.current = true;
              }}
            >
              {transferWords.stop}
            </Button>
          )}
        </div>
      </form>
      {said && (
        <p className="wrong" role="alert">
          {said}
        </p>
      )}
      {isBusy && (
        <progress
          aria-label={transferWords.fromFiles}
          max={progress?.size || undefined}
          value={progress?.read}
        />
      )}
      {progress && (
        <p role="status" className="figures">
          {counted(progress.imported, transferWords.imported)}
          {progress.duplicates > 0 && ` · ${counted(progress.duplicates, transferWords.skipped)}`}
          {progress.failed.length > 0 && ` · ${counted(progress.failed.length, transferWords.failed)}`}
        </p>
      )}
      {progress && progress.failed.length > 0 && (
        <ul className="small">
          {progress.failed.slice(0, 20).map(({ file, error }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are only added to
            <li key={at}>
              {file}: {error}
            </li>
          ))}
        </ul>
      )}
      <Unsaved isDirty={isBusy} />
    </section>
  );
}
