import { Children, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { shellStrings } from '../strings.ts';

interface DialogButtonsProps {
  /**
   * Label of the last button. Defaults to Cancel if there are actions, and otherwise to Close. A dialog that mainly
   * displays something sets Close.
   */
  leave?: string;
  onClose(): void;
  /** The actions, the main one first. */
  children?: ReactNode;
}

export const DialogButtons = ({ leave, onClose, children }: DialogButtonsProps) => (
  <div className="buttons">
    {children}
    <Button onClick={onClose}>
      {leave ?? (Children.toArray(children).length > 0 ? shellStrings.cancel : shellStrings.close)}
    </Button>
  </div>
);
