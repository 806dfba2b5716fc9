import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  yes: string;
  /** Label of the button that cancels. Defaults to Cancel. */
  no?: string;
  /** False if the action neither removes nor revokes anything. */
  isDangerous?: boolean;
  /** Runs the action. The dialog remains open and busy until it completes. */
  onYes(): Promise<void>;
  onClose(): void;
}

export function ConfirmDialog({
  title,
  children,
  yes,
  no,
  isDangerous = true,
  onYes,
  onClose,
}: ConfirmDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const confirm = async () => {
    setIsBusy(true);
    try {
      await onYes();
      onClose();
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <DialogButtons leave={no} onClose={onClose}>
        <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={confirm}>
          {yes}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
