import { Children, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { shellStrings } from '../strings.ts';

interface DialogButtonsProps {
  /**
   * Label of the last button. Default: Cancel if there are actions, otherwise Close. A dialog that mainly shows
   * something but also offers an action sets Close.
   */
  leave?: string;
  onClose(): void;
  /** The actions, the main one first. */
  children?: ReactNode;
}

/** Renders a dialog's actions, followed by the button that closes it without running any. */
export const DialogButtons = ({ leave, onClose, children }: DialogButtonsProps) => (
  <div className="buttons">
    {children}
    <Button onClick={onClose}>
      {leave ?? (Children.toArray(children).length > 0 ? shellStrings.cancel : shellStrings.close)}
    </Button>
  </div>
);
