import { Confirm } from '../../shell/dialogs/confirm.tsx';
import { settingsStrings } from './strings.ts';

interface DeleteNamedDialogProps {
  name: string;
  text: string;
  onDelete(): Promise<void>;
  onClose(): void;
}

export const DeleteNamedDialog = ({ name, text, onDelete, onClose }: DeleteNamedDialogProps) => (
  <Confirm
    title={settingsStrings.deleteNamed(name)}
    yes={settingsStrings.delete}
    onYes={onDelete}
    onClose={onClose}
  >
    <p>{text}</p>
  </Confirm>
);
