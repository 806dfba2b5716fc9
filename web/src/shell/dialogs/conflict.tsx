import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../loading.tsx';
import { shellStrings } from '../strings.ts';
import { DialogButtons } from './dialog-buttons.tsx';

interface ConflictDialogProps {
  title: string;
  /** Undefined while the other version is loading. */
  text: string | undefined;
  /** Labels of the buttons. */
  mine?: string;
  theirs?: string;
  onMine(): void;
  onTheirs(): void;
  onClose(): void;
  children?: ReactNode;
}

/** Asks which version to keep after another user has saved a different one. */
export const ConflictDialog = ({ title, text, children, onClose, ...choice }: ConflictDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    {text === undefined ? (
      <Loading />
    ) : (
      <>
        <p>{text}</p>
        {children}
        <DialogButtons onClose={onClose}>
          <Button look="primary" onClick={choice.onMine}>
            {choice.mine ?? shellStrings.keepMine}
          </Button>
          <Button onClick={choice.onTheirs}>{choice.theirs ?? shellStrings.takeTheirs}</Button>
        </DialogButtons>
      </>
    )}
  </Dialog>
);

interface ConflictTableProps {
  /** Heading of the first column. */
  head: string;
  rows: readonly (readonly [label: string, mine: ReactNode, theirs: ReactNode])[];
}

export const ConflictTable = ({ head, rows }: ConflictTableProps) => (
  <DataTable
    heads={[head, shellStrings.mine, shellStrings.theirs]}
    rows={rows.map(([label, mine, theirs]) => [label, label, mine, theirs])}
  />
);
