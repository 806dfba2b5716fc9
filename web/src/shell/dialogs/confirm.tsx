import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useAction } from '../use-action.ts';
import { DialogButtons } from './dialog-buttons.tsx';

interface Question {
  title: string;
  text: ReactNode;
  yes: string;
  /** Label of the button that cancels. Defaults to Cancel. */
  no?: string;
  /** False if the action neither removes nor revokes anything. */
  isDangerous?: boolean | undefined;
  /** Runs the action. The dialog remains open and busy until it completes. Shows errors as toasts. */
  onYes(): Promise<unknown>;
}

export function ConfirmDialog(props: Question & { onClose(): void }) {
  const { title, text, yes, no, isDangerous = true, onYes, onClose } = props;
  const { isBusy, act } = useAction();
  const confirm = () => act(onYes).then(onClose);
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{typeof text === 'string' ? <p>{text}</p> : text}</div>
      <DialogButtons leave={no} onClose={onClose}>
        <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={confirm}>
          {yes}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface ConfirmButtonProps
  extends Omit<Question, 'yes' | 'no'>,
    Pick<ButtonProps, 'icon' | 'look' | 'disabled' | 'aria-label'> {
  label: string;
  /** Label of the button that confirms. Defaults to the label. */
  yes?: string;
  /** Shows only the icon. The label is the tooltip. */
  isIcon?: boolean;
}

/** A button that asks for confirmation before it runs its action. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, yes = label, isIcon = false, title, text, isDangerous, onYes, ...button } = props;
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  return (
    <>
      {isIcon ? (
        <IconButton icon="trash" {...button} label={label} onClick={open} />
      ) : (
        <Button {...button} onClick={open}>
          {label}
        </Button>
      )}
      {isOpen && (
        <ConfirmDialog {...{ title, text, yes, isDangerous, onYes }} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
