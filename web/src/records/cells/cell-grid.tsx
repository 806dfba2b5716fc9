import './cells.css';
import type { VirtualItem } from '@tanstack/react-virtual';
import type { CSSProperties, ReactNode } from 'react';
import type { RecordsView } from '../address.ts';
import type { RecordValues } from '../document.ts';
import { getInputValue } from '../fields.ts';
import { RecordConflict } from '../form/record-conflict.tsx';
import { type FieldDescription, getFieldKey, isNumeric, type ModelDescription } from '../model.ts';
import { Cell, CellValue, GridColumnHeaders, RecordLink } from './cell.tsx';
import { CellInput } from './cell-input.tsx';
import type { CellPosition } from './cell-position.ts';
import { type CellGridOptions, type CellGridState, useCellGrid } from './use-cell-grid.ts';
import { findEditedField } from './use-cells.ts';

interface CellGridProps extends CellGridOptions {
  view: RecordsView;
  head(field: FieldDescription): ReactNode;
}

/**
 * A list with inline editing (ARIA grid). The grid is a single tab stop. Arrow keys move between cells, Enter or a
 * click starts editing, and Escape cancels.
 */
export function CellGrid({ view, head, ...options }: CellGridProps) {
  const { model, fields, total, row } = options;
  const grid = useCellGrid(options);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot declare rows that are not rendered
    <div
      className="cells"
      role="grid"
      aria-label={model.pluralLabel}
      aria-rowcount={total + 1}
      aria-colcount={fields.length + 1}
      style={{ '--columns': fields.length } as CSSProperties}
    >
      <GridColumnHeaders fields={fields} head={head} />
      {/* biome-ignore lint/a11y/useSemanticElements: part of the grid above */}
      <div ref={grid.box} className="cells-scroll" role="rowgroup">
        <div role="presentation" className="sized" style={{ height: grid.rows.getTotalSize() }}>
          {grid.rows.getVirtualItems().map((item) => (
            <CellRow
              key={item.index}
              model={model}
              view={view}
              fields={fields}
              grid={grid}
              item={item}
              record={row(item.index)}
            />
          ))}
        </div>
      </div>
      <CellConflictDialog model={model} cells={grid.cells} />
    </div>
  );
}

interface CellRowProps {
  model: ModelDescription;
  view: RecordsView;
  fields: FieldDescription[];
  grid: CellGridState;
  item: VirtualItem;
  record: RecordValues | undefined;
}

function CellRow({ model, view, fields, grid, item: { index, start }, record }: CellRowProps) {
  const { rowHeight, getCellProps } = grid;
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid
    // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-busy={record ? undefined : true}
      className="cells-row"
      style={{ height: rowHeight, transform: `translateY(${start}px)` }}
    >
      <Cell {...getCellProps({ row: index, column: 0 })} className="open">
        {record && <RecordLink model={model} record={record} search={{ ...view, at: index }} />}
      </Cell>
      {fields.map((column, position) => (
        <EditableCell
          key={getFieldKey(column)}
          model={model}
          grid={grid}
          column={column}
          position={{ row: index, column: position + 1 }}
          record={record}
        />
      ))}
    </div>
  );
}

interface EditableCellProps extends Pick<CellRowProps, 'model' | 'grid' | 'record'> {
  column: FieldDescription;
  position: CellPosition;
}

function EditableCell({ model, grid, column, position, record }: EditableCellProps) {
  const { edited, setEdited, save, shown } = grid.cells;
  const field = findEditedField(model, column);
  const isEdited = edited && record && edited.id === record.id && edited.field === field;
  return (
    <Cell
      {...grid.getCellProps(position)}
      className={`${isNumeric(column) ? 'number ' : ''}${field ? 'editable' : ''}`}
      isReadonly={field === null}
      onClick={() => !isEdited && grid.edit(position)}
    >
      {isEdited ? (
        <CellInput
          edited={edited}
          onSave={(value, direction) => {
            void save(record, edited.field, value);
            if (direction) grid.focusNext(position, direction);
          }}
          onLeave={() => {
            setEdited(null);
            grid.focus(position);
          }}
        />
      ) : (
        record && <CellValue model={model} column={column} field={field} record={shown(record)} />
      )}
    </Cell>
  );
}

interface CellConflictDialogProps {
  model: ModelDescription;
  cells: CellGridState['cells'];
}

function CellConflictDialog({ model, cells: { conflict, setConflict, save } }: CellConflictDialogProps) {
  if (!conflict) return null;
  const { field, mine, theirs } = conflict;
  const close = () => setConflict(null);
  return (
    <RecordConflict
      model={model}
      fields={[field]}
      mine={mine}
      theirs={theirs}
      onMine={() => {
        close();
        void save(theirs, field, getInputValue(field, mine));
      }}
      onTheirs={close}
      onClose={close}
    />
  );
}
