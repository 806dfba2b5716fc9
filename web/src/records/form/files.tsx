import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatSize } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { IconButton } from '../../ui/button.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { RecordFileDeleteDocument, RecordFilesDocument, type RecordFilesQuery } from '../generated.ts';
import { recordStrings } from '../strings.ts';
import { viewStrings } from '../view-strings.ts';
import { useDroppedFiles } from './use-dropped-files.ts';
import { type Uploads, useUploads } from './use-uploads.ts';

interface FilesProps {
  model: string;
  id: string;
  canWrite: boolean;
}

type RecordAttachment = RecordFilesQuery['attachments']['nodes'][number];

export function Files({ model, id, canWrite }: FilesProps) {
  const { data, reload } = useLiveQuery(RecordFilesDocument, { model, id }, 'ir.attachment');
  const { underway, add, cancel } = useUploads({ model, id }, reload);
  const isOver = useDroppedFiles(canWrite, add);
  const [deleting, setDeleting] = useState<RecordAttachment | null>(null);
  if (!data) return null;
  const { nodes, totalCount } = data.attachments;
  return (
    <section className={isOver ? 'card record-files taking' : 'card record-files'}>
      <h2>{viewStrings.files}</h2>
      <ul className="files">
        {nodes.map((file) => (
          <Attachment key={file.id} file={file} onDelete={canWrite ? setDeleting : undefined} />
        ))}
      </ul>
      {underway.length > 0 && <RunningUploads underway={underway} cancel={cancel} />}
      {totalCount === 0 && underway.length === 0 && <p className="quiet">{viewStrings.noFiles}</p>}
      {canWrite && (
        <FileButton
          icon="plus"
          multiple
          inputLabel={viewStrings.addFile}
          onFiles={(files) => void add(files)}
        >
          {viewStrings.addFile}
        </FileButton>
      )}
      {deleting && (
        <ConfirmDialog
          title={viewStrings.deleteFile(deleting.name)}
          yes={recordStrings.delete}
          onYes={() => runMutation(RecordFileDeleteDocument, { id: deleting.id }).finally(reload)}
          text={viewStrings.deleteFileText}
          onClose={() => setDeleting(null)}
        />
      )}
    </section>
  );
}

interface AttachmentProps {
  file: RecordAttachment;
  /** Undefined if the user lacks permission. */
  onDelete: ((file: RecordAttachment) => void) | undefined;
}

const Attachment = ({ file, onDelete }: AttachmentProps) => (
  <li>
    <a href={`/web/content/${file.id}?download=true`} download>
      <bdi>{file.name}</bdi>
    </a>
    <span className="small quiet figures">{formatSize(file.fileSize)}</span>
    {onDelete && (
      <IconButton icon="trash" label={viewStrings.deleteFile(file.name)} onClick={() => onDelete(file)} />
    )}
  </li>
);

const RunningUploads = ({ underway, cancel }: Pick<Uploads, 'underway' | 'cancel'>) => (
  <ul className="files" aria-label={viewStrings.uploads}>
    {underway.map(({ key, name, share }) => (
      <li key={key}>
        <Icon name="file" /> <bdi>{name}</bdi>
        <progress value={share} aria-label={viewStrings.uploading(name)} />
        <IconButton icon="close" label={viewStrings.cancelUpload(name)} onClick={() => cancel(key)} />
      </li>
    ))}
  </ul>
);
