import { Children, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { shellStrings } from '../strings.ts';

interface DialogButtonsProps {
  /**
   * Label of the last button. Default: Cancel after actions, otherwise Close. A dialog that shows something and also
   * offers an action sets Close.
   */
  leave?: string;
  onClose(): void;
  /** The actions, the main one first. */
  children?: ReactNode;
}

/** The buttons of a dialog: its actions, then the button that leaves it without any. */
export const DialogButtons = ({ leave, onClose, children }: DialogButtonsProps) => (
  <div className="buttons">
    {children}
    <Button onClick={onClose}>
      {leave ?? (Children.toArray(children).length > 0 ? shellStrings.cancel : shellStrings.close)}
    </Button>
  </div>
);
