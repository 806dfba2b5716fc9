import './cells.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { ROW_HEIGHTS, useLook } from '../../ui/look.ts';
import type { RecordsView } from '../address.ts';
import type { RecordValues } from '../document.ts';
import { enteredValue } from '../fields.ts';
import { Conflict } from '../form/conflict.tsx';
import { type Described, type DescribedField, keyOf } from '../model.ts';
import { Cell, CellHeads, CellValue, OpenRecord } from './cell.tsx';
import { CellInput } from './cell-input.tsx';
import { type CellPlace, type CellWay, cellAt } from './cell-place.ts';
import { editedField, useCells } from './use-cells.ts';

interface CellGridProps {
  model: Described;
  view: RecordsView;
  fields: DescribedField[];
  total: number;
  row(index: number): RecordValues | undefined;
  look(first: number, last: number): void;
  /** The name of a column, or the button that sorts by it. */
  head(field: DescribedField): ReactNode;
}

/**
 * A list whose cells are edited where they are (ARIA grid): one tab stop, arrows between cells, Enter or a click edits,
 * Escape leaves.
 */
export function CellGrid({ model, view, fields, total, row, look, head }: CellGridProps) {
  const { density } = useLook();
  const rowHeight = Math.max(MIN_HEIGHT, ROW_HEIGHTS[density]);
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
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 1 });
  const cells = useCells(model);
  const { edited, setEdited, conflict, setConflict, save } = cells;
  const focus = (place: CellPlace) => {
    setActive(place);
    rows.scrollToIndex(place.row);
    // It may have to be drawn first.
    requestAnimationFrame(() => requestAnimationFrame(() => cellNamed(box.current, place)?.focus()));
  };
  const edit = (place: CellPlace) => {
    const record = row(place.row);
    const column = fields[place.column - 1];
    const field = column && editedField(model, column);
    if (!record || !field) return;
    setActive(place);
    const value = enteredValue(field, cells.shown(record));
    if (field.type === 'BOOLEAN') void save(record, field, value !== true);
    else setEdited({ id: record.id, field, value, error: null });
  };
  const onKeyDown = (event: KeyboardEvent, place: CellPlace) => {
    if (event.target !== event.currentTarget) return;
    if ((event.key === 'Enter' || event.key === 'F2') && place.column > 0) {
      event.preventDefault();
      return edit(place);
    }
    if (event.key === 'Enter') return (event.currentTarget.firstElementChild as HTMLElement | null)?.click();
    const end = { row: total - 1, column: fields.length };
    const next = cellAt(event, place, end, document.dir === 'rtl');
    if (!next) return;
    event.preventDefault();
    focus(next);
  };
  // The tab stop is in sight, also after somebody has scrolled.
  const stop = active.row >= first && active.row <= last ? active : { row: first, column: active.column };
  const cellOf = (index: number, column: number) => ({
    place: { row: index, column },
    isStop: stop.row === index && stop.column === column,
    onKeyDown,
    onActive: setActive,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows out of sight are not in the page, which a table cannot say
    <div
      className="cells"
      role="grid"
      aria-label={model.label}
      aria-rowcount={total + 1}
      aria-colcount={fields.length + 1}
      style={{ '--columns': fields.length } as CSSProperties}
    >
      <CellHeads fields={fields} head={head} />
      {/* biome-ignore lint/a11y/useSemanticElements: part of the grid above */}
      <div ref={box} className="cells-scroll" role="rowgroup">
        <div role="presentation" className="sized" style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const read = row(index);
            const record = read && cells.shown(read);
            return (
              // biome-ignore lint/a11y/useSemanticElements: part of the grid above
              // biome-ignore lint/a11y/useFocusableInteractive: its cells hold the focus
              <div
                key={index}
                role="row"
                aria-rowindex={index + 2}
                aria-busy={record ? undefined : true}
                className="cells-row"
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              >
                <Cell {...cellOf(index, 0)} className="open">
                  {record && <OpenRecord model={model} record={record} search={{ ...view, at: index }} />}
                </Cell>
                {fields.map((column, at) => {
                  const field = editedField(model, column);
                  const cell = cellOf(index, at + 1);
                  const isEdited = edited && record && edited.id === record.id && edited.field === field;
                  return (
                    <Cell
                      key={keyOf(column)}
                      {...cell}
                      className={`${isNumber(column) ? 'number ' : ''}${field ? 'editable' : ''}`}
                      isReadonly={field === null}
                      onClick={() => !isEdited && edit(cell.place)}
                    >
                      {isEdited && (
                        <CellInput
                          edited={edited}
                          onSave={(value, way) => {
                            void save(read!, edited.field, value);
                            if (way) focus(afterEdit(cell.place, way, total, fields.length));
                          }}
                          onLeave={() => {
                            setEdited(null);
                            focus(cell.place);
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
        <Conflict
          model={model}
          fields={[conflict.field]}
          mine={conflict.mine}
          theirs={conflict.theirs}
          onMine={() => {
            setConflict(null);
            void save(conflict.theirs, conflict.field, enteredValue(conflict.field, conflict.mine), true);
          }}
          onTheirs={() => setConflict(null)}
          onClose={() => setConflict(null)}
        />
      )}
    </div>
  );
}

/** Pixels in which an input fits. */
const MIN_HEIGHT = 44;

const isNumber = ({ type }: DescribedField): boolean =>
  type === 'INTEGER' || type === 'FLOAT' || type === 'MONETARY';

const cellNamed = (box: HTMLElement | null, { row, column }: CellPlace): HTMLElement | null =>
  box?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`) ?? null;

/** Where one is after a cell is saved: below it, or beside it. Pure. */
function afterEdit({ row, column }: CellPlace, way: CellWay, total: number, columns: number): CellPlace {
  if (way === 'down') return { row: Math.min(total - 1, row + 1), column };
  const next = column + (way === 'next' ? 1 : -1);
  return { row, column: Math.max(0, Math.min(columns, next)) };
}
