import { type KeyboardEvent, useState } from 'react';
import { useVisibleRows } from '../../ui/use-visible-rows.ts';
import { useRowHeight } from '../../ui/view-preferences.ts';
import type { RecordValues } from '../document.ts';
import { getInputValue } from '../fields.ts';
import type { FieldDescription, ModelDescription } from '../model.ts';
import { getCellKeyAction } from './cell-keys.ts';
import { type CellDirection, type CellPosition, getNextCell } from './cell-position.ts';
import { findEditedField, useCells } from './use-cells.ts';

export interface CellGridOptions {
  model: ModelDescription;
  fields: FieldDescription[];
  total: number;
  row(index: number): RecordValues | undefined;
  look(first: number, last: number): void;
}

export type CellGridState = ReturnType<typeof useCellGrid>;

/** Minimum row height in pixels, so that an input fits. */
const MIN_ROW_HEIGHT_PX = 44;

export function useCellGrid({ model, fields, total, row, look }: CellGridOptions) {
  const rowHeight = Math.max(MIN_ROW_HEIGHT_PX, useRowHeight());
  const { box, rows, first, last } = useVisibleRows({ count: total, rowHeight, onRange: look });
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 1 });
  const cells = useCells(model);
  const end = { row: total - 1, column: fields.length };
  const findField = ({ column }: CellPosition) => {
    const field = fields[column - 1];
    return field ? findEditedField(model, field) : null;
  };
  const focus = (position: CellPosition) => {
    setActive(position);
    rows.scrollToIndex(position.row);
    // The cell might not be rendered yet.
    requestAnimationFrame(() => requestAnimationFrame(() => findCell(box.current, position)?.focus()));
  };
  const edit = (position: CellPosition) => {
    const record = row(position.row);
    const field = findField(position);
    if (!record || !field) return;
    setActive(position);
    const value = getInputValue(field, cells.shown(record));
    if (field.type === 'BOOLEAN') void cells.save(record, field, value !== true);
    else cells.setEdited({ id: record.id, field, value, error: null });
  };
  const onKeyDown = (event: KeyboardEvent, position: CellPosition) => {
    if (event.target !== event.currentTarget) return;
    const isBoolean = findField(position)?.type === 'BOOLEAN';
    const isMirrored = document.dir === 'rtl';
    const action = getCellKeyAction(event, { position, last: end, isBoolean, isMirrored });
    if (action.isHandled) event.preventDefault();
    if (action.type === 'edit') edit(position);
    else if (action.type === 'open') (event.currentTarget.firstElementChild as HTMLElement | null)?.click();
    else if (action.type === 'focus') focus(action.to);
  };
  // After scrolling, the tab stop moves to a visible row.
  const stop = active.row >= first && active.row <= last ? active : { row: first, column: active.column };
  return {
    box,
    rows,
    rowHeight,
    cells,
    edit,
    focus,
    focusNext: (position: CellPosition, direction: CellDirection) =>
      focus(getNextCell(position, direction, end)),
    getCellProps: (position: CellPosition) => ({
      position,
      isStop: stop.row === position.row && stop.column === position.column,
      onKeyDown,
      onActive: setActive,
    }),
  };
}

const findCell = (box: HTMLElement | null, { row, column }: CellPosition): HTMLElement | null =>
  box?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`) ?? null;
