import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { toRecordsVariables } from '../address.ts';
import { bulkStrings } from '../bulk-strings.ts';
import type { ModelDescription } from '../model.ts';
import { loadSelected } from '../selection.ts';
import { ExportDialog } from './export-dialog.tsx';

interface ExportListProps {
  model: ModelDescription;
  asked: ReturnType<typeof toRecordsVariables>;
  total: number;
  columns: string[];
}

/** Exports all records of a list, in list order. */
export function ExportList({ model, asked, total, columns }: ExportListProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" icon="down" onClick={() => setOpen(true)}>
        {bulkStrings.export}
      </Button>
      {isOpen && (
        <ExportDialog
          model={model}
          columns={columns}
          count={total}
          ids={async () => [...(await loadSelected(model, asked, 0, total)).keys()]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
