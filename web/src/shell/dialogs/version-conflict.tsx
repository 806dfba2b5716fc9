import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../loading.tsx';
import { shellStrings } from '../strings.ts';
import { DialogButtons } from './dialog-buttons.tsx';

interface VersionConflictProps<Stored extends { version: number }> {
  title: string;
  /** The server's version. Undefined while it is loading. */
  theirs: Stored | undefined;
  describe(theirs: Stored): string;
  onMine(version: number): void;
  onTheirs(theirs: Stored): void;
  onClose(): void;
}

/** Asks which version to keep after another user has saved a different one. */
export const VersionConflict = <Stored extends { version: number }>({
  title,
  theirs,
  describe,
  onMine,
  onTheirs,
  onClose,
}: VersionConflictProps<Stored>) => (
  <Dialog title={title} onClose={onClose}>
    {theirs ? (
      <>
        <p>{describe(theirs)}</p>
        <DialogButtons onClose={onClose}>
          <Button look="primary" onClick={() => onMine(theirs.version)}>
            {shellStrings.keepMine}
          </Button>
          <Button onClick={() => onTheirs(theirs)}>{shellStrings.takeTheirs}</Button>
        </DialogButtons>
      </>
    ) : (
      <Loading />
    )}
  </Dialog>
);
