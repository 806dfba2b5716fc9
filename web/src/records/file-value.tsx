import './file-value.css';
import { formatSize } from '../i18n/format.ts';
import { viewStrings } from './view-strings.ts';

/** A file in a field of a record, as the server says it. */
export interface RecordFile {
  size: number;
  mimetype: string;
  /** Address of its content. */
  url: string;
}

/** What a form holds of a field for files: what the server has, or a file that is sent when the form is saved. */
export type FileValue = RecordFile | File;

/** Pure. */
export const formatFile = (file: FileValue): string =>
  file instanceof File ? `${file.name} (${formatSize(file.size)})` : formatSize(file.size);

/** Whether browsers show it as a picture. Pure. */
export const isPictureFile = (file: RecordFile | null): boolean =>
  file?.mimetype.startsWith('image/') ?? false;

interface FileViewProps {
  file: RecordFile;
  /** What it is. */
  label: string;
  /** Pixels of the side of a picture. */
  size: number;
}

/** A picture that the server has, in twice as many dots as pixels, for screens that have them. */
export const PictureView = ({ file, label, size }: FileViewProps) => (
  <img
    className="file-picture"
    style={{ maxWidth: size, maxHeight: size }}
    src={`${file.url}&width=${2 * size}&height=${2 * size}`}
    alt={label}
    loading="lazy"
  />
);

/** A file that the server has: a picture, or what leads to it. */
export const FileView = (props: FileViewProps) =>
  isPictureFile(props.file) ? (
    <PictureView {...props} />
  ) : (
    <a href={`${props.file.url}&download=true`} download>
      {viewStrings.downloadFile(formatSize(props.file.size))}
    </a>
  );
