import './dialog.css';
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Hides the title visually. */
  isBare?: boolean;
}

export const Dialog = ({ title, onClose, children, isBare = false }: DialogProps) => (
  <Base.Root open onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      {/* Also separates a dialog from the one that it covers. */}
      <Base.Backdrop className="backdrop" forceRender />
      <Base.Popup className="dialog">
        <Base.Title className={isBare ? 'sr' : undefined}>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
