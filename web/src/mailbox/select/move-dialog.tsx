import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Folder } from '../address.ts';
import { getFolderName } from '../folder-tree.tsx';
import { mailStrings } from '../strings.ts';

interface MoveDialogProps {
  folders: readonly Folder[];
  onMove(folder: Folder): void;
  onClose(): void;
}

export const MoveDialog = ({ folders, onMove, onClose }: MoveDialogProps) => (
  <Dialog title={mailStrings.moveTo} onClose={onClose}>
    <ul className="move-folders">
      {folders.map((folder) => (
        <li key={folder.id}>
          <Button
            onClick={() => {
              onClose();
              onMove(folder);
            }}
          >
            {getFolderName(folder)}
          </Button>
        </li>
      ))}
    </ul>
  </Dialog>
);
