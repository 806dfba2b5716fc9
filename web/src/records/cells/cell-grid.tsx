import './cells.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ROW_HEIGHTS, useViewPreferences } from '../../ui/view-preferences.ts';
import type { RecordsView } from '../address.ts';
import type { RecordValues } from '../document.ts';
import { getInputValue } from '../fields.ts';
import { RecordConflict } from '../form/record-conflict.tsx';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { Cell, CellHeaders, CellValue, OpenRecord } from './cell.tsx';
import { CellInput } from './cell-input.tsx';
import { type CellDirection, type CellPosition, moveCell } from './cell-position.ts';
import { findEditedField, useCells } from './use-cells.ts';

interface CellGridProps {
  model: ModelDescription;
  view: RecordsView;
  fields: FieldDescription[];
  total: number;
  row(index: number): RecordValues | undefined;
  look(first: number, last: number): void;
  /** Renders a column header: a label or a sort button. */
  head(field: FieldDescription): ReactNode;
}

/**
 * A list with inline editing (ARIA grid). It has a single tab stop. Arrow keys move between cells, Enter or a click
 * starts editing, and Escape cancels.
 */
export function CellGrid({ model, view, fields, total, row, look, head }: CellGridProps) {
  const { density } = useViewPreferences();
  const rowHeight = Math.max(MIN_ROW_HEIGHT_PX, ROW_HEIGHTS[density]);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => {
    if (rowHeight > 0) rows.measure();
  }, [rowHeight, rows]);
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => look(first, last), [first, last, look]);
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 1 });
  const cells = useCells(model);
  const { edited, setEdited, conflict, setConflict, save } = cells;
  const focus = (position: CellPosition) => {
    setActive(position);
    rows.scrollToIndex(position.row);
    // The cell may have to be rendered first.
    requestAnimationFrame(() => requestAnimationFrame(() => findCell(box.current, position)?.focus()));
  };
  const edit = (position: CellPosition) => {
    const record = row(position.row);
    const column = fields[position.column - 1];
    const field = column && findEditedField(model, column);
    if (!record || !field) return;
    setActive(position);
    const value = getInputValue(field, cells.shown(record));
    if (field.type === 'BOOLEAN') void save(record, field, value !== true);
    else setEdited({ id: record.id, field, value, error: null });
  };
  /** Moves the focus to the input during the event, so that the browser types the character there. */
  const editByTyping = (event: KeyboardEvent, position: CellPosition) => {
    const column = fields[position.column - 1];
    const isBoolean = column && findEditedField(model, column)?.type === 'BOOLEAN';
    if (event.key === ' ') event.preventDefault();
    if (!isBoolean || event.key === ' ') edit(position);
  };
  const onKeyDown = (event: KeyboardEvent, position: CellPosition) => {
    if (event.target !== event.currentTarget) return;
    if ((event.key === 'Enter' || event.key === 'F2') && position.column > 0) {
      event.preventDefault();
      return edit(position);
    }
    if (isTyping(event) && position.column > 0) return editByTyping(event, position);
    // The browser's shortcut would select the text of the whole page.
    if ((event.ctrlKey || event.metaKey) && event.key === 'a') return event.preventDefault();
    if (event.key === 'Enter') return (event.currentTarget.firstElementChild as HTMLElement | null)?.click();
    const end = { row: total - 1, column: fields.length };
    const next = moveCell(event, position, end, document.dir === 'rtl');
    if (!next) return;
    event.preventDefault();
    focus(next);
  };
  // After scrolling, the tab stop moves to a visible row.
  const stop = active.row >= first && active.row <= last ? active : { row: first, column: active.column };
  const getCellProps = (index: number, column: number) => ({
    position: { row: index, column },
    isStop: stop.row === index && stop.column === column,
    onKeyDown,
    onActive: setActive,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot declare rows that are not rendered
    <div
      className="cells"
      role="grid"
      aria-label={model.label}
      aria-rowcount={total + 1}
      aria-colcount={fields.length + 1}
      style={{ '--columns': fields.length } as CSSProperties}
    >
      <CellHeaders fields={fields} head={head} />
      {/* biome-ignore lint/a11y/useSemanticElements: part of the grid above */}
      <div ref={box} className="cells-scroll" role="rowgroup">
        <div role="presentation" className="sized" style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const gridRow = row(index);
            const record = gridRow && cells.shown(gridRow);
            return (
              // biome-ignore lint/a11y/useSemanticElements: part of the grid above
              // biome-ignore lint/a11y/useFocusableInteractive: its cells take the focus
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                aria-busy={record ? undefined : true}
                className="cells-row"
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                <Cell {...getCellProps(index, 0)} className="open">
                  {record && <OpenRecord model={model} record={record} search={{ ...view, at: index }} />}
                </Cell>
                {fields.map((column, position) => {
                  const field = findEditedField(model, column);
                  const cell = getCellProps(index, position + 1);
                  const isEdited = edited && record && edited.id === record.id && edited.field === field;
                  return (
                    <Cell
                      key={getFieldKey(column)}
                      {...cell}
                      className={`${isNumber(column) ? 'number ' : ''}${field ? 'editable' : ''}`}
                      isReadonly={field === null}
                      onClick={() => !isEdited && edit(cell.position)}
                    >
                      {isEdited && (
                        <CellInput
                          edited={edited}
                          onSave={(value, direction) => {
                            void save(gridRow!, edited.field, value);
                            if (direction)
                              focus(getNextPosition(cell.position, direction, total, fields.length));
                          }}
                          onLeave={() => {
                            setEdited(null);
                            focus(cell.position);
                          }}
                        />
                      )}
                      {!isEdited && record && (
                        <CellValue model={model} column={column} field={field} record={record} />
                      )}
                    </Cell>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
      {conflict && (
        <RecordConflict
          model={model}
          fields={[conflict.field]}
          mine={conflict.mine}
          theirs={conflict.theirs}
          onMine={() => {
            setConflict(null);
            void save(conflict.theirs, conflict.field, getInputValue(conflict.field, conflict.mine), true);
          }}
          onTheirs={() => setConflict(null)}
          onClose={() => setConflict(null)}
        />
      )}
    </div>
  );
}

const isTyping = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;

/** Minimum row height in pixels, so that an input fits. */
const MIN_ROW_HEIGHT_PX = 44;

const isNumber = ({ type }: FieldDescription): boolean =>
  type === 'INTEGER' || type === 'FLOAT' || type === 'MONETARY';

const findCell = (box: HTMLElement | null, { row, column }: CellPosition): HTMLElement | null =>
  box?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`) ?? null;

function getNextPosition(
  { row, column }: CellPosition,
  direction: CellDirection,
  total: number,
  columns: number,
): CellPosition {
  if (direction === 'down') return { row: Math.min(total - 1, row + 1), column };
  const next = column + (direction === 'next' ? 1 : -1);
  return { row, column: Math.max(0, Math.min(columns, next)) };
}
