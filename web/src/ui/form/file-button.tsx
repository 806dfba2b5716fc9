import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Button, IconButton } from '../button.tsx';

interface FileDialogProps {
  label: string;
  /** Accepted media types. All if unset. */
  accept?: string | undefined;
  multiple?: boolean;
  onFiles(files: File[]): void;
}

function FileDialog({
  label,
  accept,
  multiple,
  onFiles,
  renderButton,
}: FileDialogProps & { renderButton(open: () => void): ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Lets the user choose the same file again.
          target.value = '';
          onFiles(files);
        }}
      />
      {renderButton(() => input.current!.click())}
    </>
  );
}

type FileIconButtonProps = Omit<ComponentProps<typeof IconButton>, 'onClick'> &
  Pick<FileDialogProps, 'accept' | 'onFiles'>;

export const FileIconButton = ({ accept, onFiles, ...button }: FileIconButtonProps) => (
  <FileDialog
    label={button.label}
    accept={accept}
    multiple
    onFiles={onFiles}
    renderButton={(open) => <IconButton {...button} onClick={open} />}
  />
);

type FileButtonProps = Omit<ComponentProps<typeof Button>, 'onClick'> &
  Omit<FileDialogProps, 'label'> & { inputLabel: string };

export const FileButton = ({ inputLabel, accept, multiple, onFiles, ...button }: FileButtonProps) => (
  <FileDialog
    label={inputLabel}
    accept={accept}
    multiple={multiple ?? false}
    onFiles={onFiles}
    renderButton={(open) => <Button {...button} onClick={open} />}
  />
);
