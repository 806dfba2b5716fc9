import { ConfirmDialog } from '../shell/dialogs/confirm.tsx';
import { siteStrings } from './strings.ts';

interface DeleteDialogProps {
  name: string;
  /** Explains the consequences. */
  text: string;
  onDelete(): Promise<void>;
  onClose(): void;
}

export const DeleteDialog = ({ name, text, onDelete, onClose }: DeleteDialogProps) => (
  <ConfirmDialog
    title={siteStrings.deleteTitle(name)}
    yes={siteStrings.delete}
    onYes={onDelete}
    onClose={onClose}
  >
    <p>{text}</p>
  </ConfirmDialog>
);
