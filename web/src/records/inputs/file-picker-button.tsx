import { type ComponentProps, useRef } from 'react';
import { Button } from '../../ui/button.tsx';

interface FilePickerButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Name of the file input. */
  inputLabel: string;
  /** Accepted media types. Default: all. */
  accept?: string | undefined;
  multiple?: boolean;
  onChoose(files: File[]): void;
}

/** A button that opens the browser's file dialog. */
export function FilePickerButton({
  inputLabel,
  accept,
  multiple,
  onChoose,
  ...button
}: FilePickerButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        aria-label={inputLabel}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          // Allows choosing the same file again.
          target.value = '';
          onChoose(files);
        }}
      />
      <Button {...button} onClick={() => input.current!.click()} />
    </>
  );
}
