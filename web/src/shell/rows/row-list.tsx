import './row-list.css';
import type { ReactNode } from 'react';
import type { Rows } from '../../graphql/use-rows.ts';
import { useRowKeys } from '../keys/use-row-keys.ts';
import { LoadError } from '../screen.tsx';
import { shellStrings } from '../strings.ts';
import { RowViewport } from './loaded-rows.tsx';

interface RowListProps<Row> {
  label: string;
  /** Identifies the list. A different value scrolls to the top. */
  variables: object;
  rows: Rows<Row>;
  /** Undefined if rows link to another page. */
  openId?: string | undefined;
  onOpen(row: Row): void;
  keys: Parameters<typeof useRowKeys>[0]['strings'];
  countText(total: number): string;
  extra?: ReactNode;
  /** Shown if the list is empty. */
  none: ReactNode;
  renderRow(row: Row): ReactNode;
}

export function RowList<Row extends { id: string }>(props: RowListProps<Row>) {
  const { label, variables, rows, openId, onOpen, keys, countText, extra, none, renderRow } = props;
  const { total, refusal, row, reload } = rows;
  const { active, setActive, openRow } = useRowKeys({
    queryVariables: variables,
    total,
    isOpen: openId !== undefined,
    open: (index) => {
      const openedRow = row(index);
      if (openedRow) onOpen(openedRow);
    },
    strings: keys,
  });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  return (
    <>
      <p className="row-count quiet small" role="status">
        {total === null ? shellStrings.loading : countText(total)}
        {extra}
      </p>
      {total === 0 ? (
        none
      ) : (
        <RowViewport
          label={label}
          rows={rows}
          active={active}
          onActive={setActive}
          openId={openId}
          onOpen={openRow}
          renderRow={renderRow}
        />
      )}
    </>
  );
}
