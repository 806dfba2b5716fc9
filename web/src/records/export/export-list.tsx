import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { toRecordsVariables } from '../address.ts';
import { bulkStrings } from '../bulk-strings.ts';
import type { ModelDescription } from '../model.ts';
import { loadSelected } from '../selection/selection.ts';
import { ExportDialog } from './export-dialog.tsx';

interface ExportListProps {
  model: ModelDescription;
  queryVariables: ReturnType<typeof toRecordsVariables>;
  total: number;
  columns: string[];
}

export function ExportList({ model, queryVariables, total, columns }: ExportListProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button look="ghost" icon="down" onClick={() => setIsOpen(true)}>
        {bulkStrings.export}
      </Button>
      {isOpen && (
        <ExportDialog
          model={model}
          columns={columns}
          count={total}
          ids={async () => [...(await loadSelected(model, queryVariables, 0, total)).keys()]}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
