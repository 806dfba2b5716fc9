import { type ReactNode, useState } from 'react';
import { Button, type ButtonProps, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogButtons } from './dialogs/dialog-buttons.tsx';
import { useAction } from './use-action.ts';
import { useViewer } from './viewer.ts';

interface ActionButtonProps extends Omit<ButtonProps, 'isBusy' | 'onClick'> {
  /** Operation that the action requires. Users without the permission see no button. */
  needs?: string;
  /** Errors are shown as toasts. */
  onAct(): Promise<unknown>;
}

/** A button that is busy until its action completes. */
export function ActionButton({ needs, onAct, ...button }: ActionButtonProps) {
  const { can } = useViewer();
  const { isBusy, act } = useAction();
  return needs && !can.has(needs) ? null : <Button {...button} isBusy={isBusy} onClick={() => act(onAct)} />;
}

interface OpenerProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  label: string;
  /** Operation that the dialog requires. Users without the permission see no button. */
  needs?: string;
  /** Shows only the icon. The label is the tooltip. */
  isIcon?: boolean;
}

interface DialogOpenerProps extends OpenerProps {
  /** Renders the dialog. */
  children(onClose: () => void): ReactNode;
}

/** A button that opens a dialog. */
export function DialogOpener({ label, needs, isIcon = false, children, ...button }: DialogOpenerProps) {
  const { can } = useViewer();
  const [isOpen, setIsOpen] = useState(false);
  if (needs && !can.has(needs)) return null;
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
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}

interface Question {
  title: string;
  text: ReactNode;
  yes: string;
  /** False if the action neither removes nor revokes anything. */
  isDangerous?: boolean | undefined;
  /** Runs the action. The dialog remains open and busy until it completes. Shows errors as toasts. */
  onYes(): Promise<unknown>;
}

export function ConfirmDialog(props: Question & { onClose(): void }) {
  const { title, text, yes, isDangerous = true, onYes, onClose } = props;
  const { isBusy, act } = useAction();
  const confirm = () => act(onYes).then(onClose);
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{typeof text === 'string' ? <p>{text}</p> : text}</div>
      <DialogButtons onClose={onClose}>
        <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={confirm}>
          {yes}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface ConfirmButtonProps extends Omit<OpenerProps, 'title'>, Omit<Question, 'yes'> {
  /** Label of the button that confirms. Defaults to the label. */
  yes?: string;
}

/** A button that asks for confirmation before it runs its action. */
export const ConfirmButton = ({ title, text, yes, isDangerous, onYes, ...button }: ConfirmButtonProps) => (
  <DialogOpener {...button}>
    {(onClose) => (
      <ConfirmDialog
        title={title}
        text={text}
        yes={yes ?? button.label}
        isDangerous={isDangerous}
        onYes={onYes}
        onClose={onClose}
      />
    )}
  </DialogOpener>
);
