import { useRef, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useFresh } from '../../graphql/live.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { sayWrong } from '../../ui/toasts.tsx';
import { RecordFileAddDocument, RecordFileDeleteDocument, RecordFilesDocument } from '../generated.ts';
import { viewWords } from '../view-words.ts';
import { recordWords } from '../words.ts';

interface FilesProps {
  model: string;
  id: string;
  canWrite: boolean;
}

/** Bytes of a file that still fits into one request when it is written as base64. */
const MOST = 3_000_000;

/** Files of a record: looked at, added and deleted. */
export function Files({ model, id, canWrite }: FilesProps) {
  const { data, reload } = useAnswer(RecordFilesDocument, { model, id });
  useFresh('ir.attachment', reload);
  const { isBusy, act } = useAct();
  const [deleting, setDeleting] = useState<{ id: string; name: string } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const add = (files: File[]) =>
    act(async () => {
      for (const file of files) {
        if (file.size > MOST) sayWrong(viewWords.fileTooLarge(file.name, kilobytes(MOST)));
        else {
          const content = await base64Of(file);
          await change(RecordFileAddDocument, { model, id, name: file.name, content });
        }
      }
      reload();
    });
  if (!data) return null;
  const { nodes, totalCount } = data.attachments;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the button does the same
    <section
      className="card record-files"
      onDragOver={(event) => canWrite && event.preventDefault()}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files];
        if (!canWrite || files.length === 0) return;
        event.preventDefault();
        void add(files);
      }}
    >
      <h2>{viewWords.files}</h2>
      <ul className="files">
        {nodes.map((file) => (
          <li key={file.id}>
            <a href={`/web/content/${file.id}?download=true`} download>
              <bdi>{file.name}</bdi>
            </a>
            <span className="small quiet figures">{kilobytes(file.fileSize)}</span>
            {canWrite && (
              <IconButton
                icon="trash"
                label={viewWords.deleteFile(file.name)}
                onClick={() => setDeleting(file)}
              />
            )}
          </li>
        ))}
      </ul>
      {totalCount === 0 && <p className="quiet">{viewWords.noFiles}</p>}
      {canWrite && (
        <>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={viewWords.addFile}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])];
              target.value = '';
              void add(files);
            }}
          />
          <Button icon="plus" isBusy={isBusy} onClick={() => input.current!.click()}>
            {viewWords.addFile}
          </Button>
        </>
      )}
      {deleting && (
        <Confirm
          title={viewWords.deleteFile(deleting.name)}
          yes={recordWords.delete}
          no={recordWords.cancel}
          onYes={async () => {
            await act(() => change(RecordFileDeleteDocument, { id: deleting.id }));
            setDeleting(null);
            reload();
          }}
          onClose={() => setDeleting(null)}
        >
          <p>{viewWords.deleteFileText}</p>
        </Confirm>
      )}
    </section>
  );
}

const kilobytes = (bytes: number): string => `${formatNumber(Math.ceil(bytes / 1000))} kB`;

const base64Of = (file: File): Promise<string> =>
  new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).slice(String(reader.result).indexOf(',') + 1));
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(file);
  });
