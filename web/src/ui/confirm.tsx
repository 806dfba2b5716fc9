import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  title: string;
  children: ReactNode;
  yes: string;
  no: string;
  /** Runs the action. The dialog remains open and busy until it completes. */
  onYes(): Promise<void>;
  onClose(): void;
}

export function Confirm({ title, children, yes, no, onYes, onClose }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    try {
      await onYes();
      onClose();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <div className="buttons">
        <Button look="danger" isBusy={isBusy} onClick={go}>
          {yes}
        </Button>
        <Button onClick={onClose}>{no}</Button>
      </div>
    </Dialog>
  );
}
