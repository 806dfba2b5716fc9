import { ConfirmDialog } from '../../shell/dialogs/confirm.tsx';
import { settingsStrings } from './strings.ts';

interface DeleteNamedDialogProps {
  name: string;
  text: string;
  onDelete(): Promise<void>;
  onClose(): void;
}

export const DeleteNamedDialog = ({ name, text, onDelete, onClose }: DeleteNamedDialogProps) => (
  <ConfirmDialog
    title={settingsStrings.deleteNamed(name)}
    yes={settingsStrings.delete}
    onYes={onDelete}
    onClose={onClose}
  >
    <p>{text}</p>
  </ConfirmDialog>
);
