import { Children, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { shellStrings } from '../strings.ts';

interface DialogButtonsProps {
  /**
   * Label of the last button. By default, Cancel if there are actions, or else Close. A dialog that mainly displays
   * something sets Close.
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
