import { type ChangeEvent, type ComponentProps, useRef } from 'react';
import { IconButton } from '../button.tsx';

interface FileButtonProps extends Omit<ComponentProps<typeof IconButton>, 'onClick'> {
  accept?: string;
  onFiles(files: File[]): void;
}

/** An icon button that opens the browser's dialog for files. */
export function FileButton({ accept, onFiles, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <>
      <IconButton {...button} onClick={() => input.current!.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple
        hidden
        aria-label={button.label}
        onChange={choose}
      />
    </>
  );
}
