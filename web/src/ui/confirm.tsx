import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  title: string;
  /** What will happen. */
  children: ReactNode;
  /** What the buttons say. */
  yes: string;
  no: string;
  /** Does it; the dialog stays open, and busy, until it is done. */
  onYes(): Promise<void>;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
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
