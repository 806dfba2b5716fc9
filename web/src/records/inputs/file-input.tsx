import './file-input.css';
import { useEffect, useId, useState } from 'react';
import { formatSize } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { FieldHint } from '../../ui/form/field.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isPicture } from '../fields.ts';
import { type FileValue, FileView, formatFile } from '../file-value.tsx';
import type { FieldDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';

interface FileInputProps {
  field: FieldDescription;
  value: FileValue | null | undefined;
  /** Uploaded fraction. Undefined unless a file is being uploaded. */
  share: number | undefined;
  onEnter(value: File | null): void;
  error: string | null;
}

const PREVIEW_SIZE_PX = 96;

/** Lets the user choose a file, which is uploaded when the form is saved. */
export function FileInput({ field, value, share, onEnter, error }: FileInputProps) {
  const { label, help, size } = field;
  const [fileError, setFileError] = useState<string | null>(null);
  const id = useId();
  const picture = isPicture(field);
  // An error about the previous file no longer applies once the value has changed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the value changes
  useEffect(() => setFileError(null), [value]);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    if (size !== null && file.size > size)
      return setFileError(viewStrings.fileTooLarge(file.name, formatSize(size)));
    if (picture && !(await isReadable(file))) return setFileError(viewStrings.notImage(file.name));
    onEnter(file);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers do not lay out a fieldset as a grid item
    <div
      role="group"
      aria-labelledby={id}
      aria-describedby={`${id}-about`}
      className={`field file-input${picture ? ' picture' : value ? '' : ' bare'}`}
    >
      <span id={id} className="label">
        {label}
      </span>
      <CurrentFile field={field} value={value} />
      <div className="buttons">
        <FileButton
          inputLabel={label}
          accept={picture ? 'image/*' : undefined}
          onFiles={([file]) => void choose(file)}
          aria-label={`${value ? viewStrings.replaceFile : viewStrings.chooseFile}: ${label}`}
        >
          {value ? viewStrings.replaceFile : viewStrings.chooseFile}
        </FileButton>
        {value && (
          <Button look="ghost" onClick={() => onEnter(null)} aria-label={`${viewStrings.remove}: ${label}`}>
            {viewStrings.remove}
          </Button>
        )}
      </div>
      {share !== undefined && value instanceof File && (
        <progress className="about" value={share} aria-label={viewStrings.uploading(value.name)} />
      )}
      <FieldHint id={id} hint={help ?? undefined} error={fileError ?? error} />
    </div>
  );
}

/** True if the browser can decode the file as an image, regardless of its filename. */
const isReadable = (file: File): Promise<boolean> =>
  createImageBitmap(file).then(
    (picture) => {
      picture.close();
      return true;
    },
    () => false,
  );

function CurrentFile({ field, value }: { field: FieldDescription; value: FileValue | null | undefined }) {
  if (!value)
    return isPicture(field) ? (
      <span className="file-none" aria-hidden="true">
        <Icon name="picture" />
      </span>
    ) : (
      <span className="shown" />
    );
  return (
    <span className="shown">
      {value instanceof File ? (
        <NewFile file={value} />
      ) : (
        <FileView file={value} label={field.label} size={PREVIEW_SIZE_PX} />
      )}
    </span>
  );
}

function NewFile({ file }: { file: File }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file.type.startsWith('image/') || file.type.includes('svg')) return setUrl(null);
    const url = URL.createObjectURL(file);
    setUrl(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return url ? (
    <img
      className="file-picture"
      style={{ maxWidth: PREVIEW_SIZE_PX, maxHeight: PREVIEW_SIZE_PX }}
      src={url}
      alt={file.name}
    />
  ) : (
    <bdi>{formatFile(file)}</bdi>
  );
}
