import type { ReactNode } from 'react';
import type { Rows } from '../../graphql/use-rows.ts';
import { type RowSelection, VirtualList } from '../../ui/virtual-list.tsx';
import { LoadError } from '../screen.tsx';

interface RowViewportProps<Row> {
  label: string;
  rows: Rows<Row>;
  active: number;
  onActive(index: number): void;
  openId?: string | undefined;
  onOpen(index: number): void;
  renderRow(row: Row): ReactNode;
  choice?: RowSelection;
}

export function RowViewport<Row extends { id: string }>(props: RowViewportProps<Row>) {
  const { label, rows, active, onActive, openId, onOpen, renderRow, choice } = props;
  return (
    <VirtualList
      label={label}
      count={rows.total ?? 0}
      active={active}
      selected={openId !== undefined && rows.row(active)?.id === openId ? active : -1}
      onActive={onActive}
      onOpen={onOpen}
      onRange={rows.look}
      renderRow={(index) => {
        const row = rows.row(index);
        return row && renderRow(row);
      }}
      choice={choice}
    />
  );
}

interface LoadedRowsProps<Row> extends RowViewportProps<Row> {
  none: ReactNode;
  /** Draws a border around the rows. */
  isCard?: boolean;
}

/** Renders a long list's rows once they are loaded, or the error. */
export function LoadedRows<Row extends { id: string }>({
  none,
  isCard = false,
  ...list
}: LoadedRowsProps<Row>) {
  const { total, refusal, reload } = list.rows;
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (total === null) return null;
  if (total === 0) return none;
  const viewport = <RowViewport {...list} />;
  return isCard ? <div className="card">{viewport}</div> : viewport;
}
