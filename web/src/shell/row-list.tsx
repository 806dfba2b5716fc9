import './row-list.css';
import type { ReactNode } from 'react';
import type { Rows } from '../graphql/use-rows.ts';
import { ROW_HEIGHTS, useViewPreferences } from '../ui/view-preferences.ts';
import { VirtualList } from '../ui/virtual-list.tsx';
import { useRowKeys } from './keys/use-row-keys.ts';
import { LoadError } from './screen.tsx';
import { shellStrings } from './strings.ts';

interface RowListProps<Row> {
  label: string;
  /** Identity of the list. A different value scrolls to the top. */
  variables: object;
  rows: Rows<Row>;
  /** Id of the open row. Undefined if rows link to another page. */
  openId?: string | undefined;
  onOpen(row: Row): void;
  keys: Parameters<typeof useRowKeys>[0]['strings'];
  countText(total: number): string;
  extra?: ReactNode;
  /** Shown if the list is empty. */
  none: ReactNode;
  renderRow(row: Row): ReactNode;
}

/** A long list with a row count and keyboard navigation. */
export function RowList<Row extends { id: string }>(props: RowListProps<Row>) {
  const {
    label,
    variables,
    rows,
    openId,
    onOpen,
    keys,
    countText,
    extra: besideNode,
    none,
    renderRow,
  } = props;
  const { total, refusal, row, look, reload } = rows;
  const { density } = useViewPreferences();
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
        {besideNode}
      </p>
      {total === 0 ? (
        none
      ) : (
        <VirtualList
          label={label}
          count={total ?? 0}
          rowHeight={ROW_HEIGHTS[density]}
          active={active}
          selected={openId !== undefined && row(active)?.id === openId ? active : -1}
          onActive={setActive}
          onOpen={openRow}
          onRange={look}
          renderRow={(index) => {
            const element = row(index);
            return element && renderRow(element);
          }}
        />
      )}
    </>
  );
}
