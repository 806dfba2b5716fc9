import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { useReloadOnChange } from '../../graphql/live.ts';
import { useRows } from '../../graphql/use-rows.ts';
import { formatCount } from '../../i18n/format.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { useRowKeys } from '../../shell/keys/use-row-keys.ts';
import { LoadError } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type RecordListProps, toRecordsVariables } from '../address.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { getCellFields } from '../cells/use-cells.ts';
import { buildListQuery, getRights, type ListResult, type RecordValues } from '../document.ts';
import { ExportDialog } from '../export/export-dialog.tsx';
import { type FieldDescription, findField, getFieldKey } from '../model.ts';
import { loadSelected } from '../selection/selection.ts';
import { useSelection } from '../selection/use-selection.ts';
import { recordStrings } from '../strings.ts';
import { useColumns } from '../use-columns.ts';
import { viewStrings } from '../view-strings.ts';
import { Columns } from './columns.tsx';
import { ColumnHeader, RecordTable } from './record-table.tsx';

const CellGrid = lazy(() => import('../cells/cell-grid.tsx'), 'CellGrid');

export function RecordRows({ model, view, show }: RecordListProps) {
  const list = { model, view, show };
  const columnChoice = useColumns(model, view.cols);
  const { columns } = columnChoice;
  const fields = columns.flatMap((key) => findField(model, key) ?? []);
  const rows = useRecordRows(list, fields);
  const { variables, total, refusal, row, look, reload } = rows;
  const navigate = useNavigate();
  const keys = useRowKeys({
    queryVariables: variables,
    total,
    isOpen: false,
    open: (index) => {
      const record = row(index);
      if (!record) return;
      const params = { model: model.name, id: record.id };
      void navigate({ to: '/records/$model/$id', params, search: { ...view, at: index } });
    },
    strings: recordStrings.keys,
  });
  const selection = useSelection({ model, queryVariables: variables, total, row, active: keys.active });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  return (
    <>
      <ListActions {...list} {...columnChoice} variables={variables} total={total} />
      {!view.cells && (
        <SelectionBar
          model={model}
          choosing={selection}
          total={total ?? 0}
          columns={columns}
          withArchived={view.archived === true}
          reload={reload}
        />
      )}
      {total === 0 ? (
        <NoRecords view={view} show={show} />
      ) : view.cells ? (
        <CellGrid
          model={model}
          view={view}
          fields={fields}
          total={total ?? 0}
          row={row}
          look={look}
          head={(field) => <ColumnHeader {...list} field={field} />}
        />
      ) : (
        <RecordTable {...list} fields={fields} rows={rows} keys={keys} choice={selection.choice} />
      )}
    </>
  );
}

/** Loads the rows, and reloads them when the columns change. */
function useRecordRows({ model, view }: Pick<RecordListProps, 'model' | 'view'>, fields: FieldDescription[]) {
  const loadedFields = view.cells ? [...fields, ...getCellFields(model, fields)] : fields;
  const variables = toRecordsVariables(model, view);
  const rows = useRows<ListResult, typeof variables, RecordValues>(
    buildListQuery(model, loadedFields)!,
    variables,
    ({ list }) => list,
  );
  const { reload } = rows;
  const columnsKey = [...fields.map(getFieldKey), view.cells].join();
  const wasShown = useRef(columnsKey);
  useEffect(() => {
    if (wasShown.current !== columnsKey) reload();
    wasShown.current = columnsKey;
  }, [columnsKey, reload]);
  useReloadOnChange(model.name, reload);
  return { ...rows, variables };
}

interface ListActionsProps extends RecordListProps, ReturnType<typeof useColumns> {
  variables: ReturnType<typeof toRecordsVariables>;
  total: number | null;
}

const ListActions = ({ model, view, show, columns, keep, variables, total }: ListActionsProps) => (
  <div className="records-count">
    <p className="quiet small" role="status">
      {total === null ? shellStrings.loading : formatCount(total, recordStrings.recordCount)}
    </p>
    <span className="grow" />
    {getRights(model).update && (
      <Button
        look="ghost"
        icon="pen"
        aria-pressed={view.cells === true}
        onClick={() => show({ cells: view.cells ? undefined : true })}
      >
        {viewStrings.editCells}
      </Button>
    )}
    {total !== null && total > 0 && (
      <DialogOpener look="ghost" icon="down" label={bulkStrings.export}>
        {(onClose) => (
          <ExportDialog
            model={model}
            columns={columns}
            count={total}
            ids={async () => [...(await loadSelected(model, variables, 0, total)).keys()]}
            onClose={onClose}
          />
        )}
      </DialogOpener>
    )}
    <Columns model={model} columns={columns} keep={keep} show={show} />
  </div>
);

function NoRecords({ view, show }: Pick<RecordListProps, 'view' | 'show'>) {
  const isNarrowed = view.q !== undefined || view.where !== undefined;
  return (
    <EmptyState title={isNarrowed ? recordStrings.noMatches : recordStrings.none}>
      {isNarrowed ? (
        <Button onClick={() => show({ q: undefined, where: undefined })}>{recordStrings.showAll}</Button>
      ) : (
        <p>{recordStrings.noneText}</p>
      )}
    </EmptyState>
  );
}
