import './file-value.css';
import { formatSize } from '../i18n/format.ts';
import { viewStrings } from './view-strings.ts';

export interface RecordFile {
  size: number;
  mimetype: string;
  url: string;
}

export type FileValue = RecordFile | File;

export const formatFile = (file: FileValue): string =>
  file instanceof File ? `${file.name} (${formatSize(file.size)})` : formatSize(file.size);

export const isPictureFile = (file: RecordFile | null): boolean =>
  file?.mimetype.startsWith('image/') ?? false;

interface FileViewProps {
  file: RecordFile;
  label: string;
  /** Maximum width and height of an image in pixels. */
  size: number;
}

/** Loads the image at twice its size for high-density screens. */
export const PictureView = ({ file, label, size }: FileViewProps) => (
  <img
    className="file-picture"
    style={{ maxWidth: size, maxHeight: size }}
    src={`${file.url}&width=${2 * size}&height=${2 * size}`}
    alt={label}
    loading="lazy"
  />
);

export const FileView = (props: FileViewProps) =>
  isPictureFile(props.file) ? (
    <PictureView {...props} />
  ) : (
    <a href={`${props.file.url}&download=true`} download>
      {viewStrings.downloadFile(formatSize(props.file.size))}
    </a>
  );
