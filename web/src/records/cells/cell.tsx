import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import type { RecordOrigin } from '../address.ts';
import type { RecordValues } from '../document.ts';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { ColumnValue } from '../value.tsx';
import { viewStrings } from '../view-strings.ts';
import type { CellPosition } from './cell-position.ts';

interface CellProps {
  position: CellPosition;
  isStop: boolean;
  className: string;
  isReadonly?: boolean;
  onKeyDown(event: KeyboardEvent, position: CellPosition): void;
  onActive(position: CellPosition): void;
  onClick?(): void;
  children: ReactNode;
}

export const Cell = (props: CellProps) => {
  const { position, isStop, className, isReadonly = false, onKeyDown, onActive, onClick, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the grid is not a table, because its rows are virtual
    <div
      role="gridcell"
      aria-colindex={position.column + 1}
      aria-readonly={isReadonly || undefined}
      data-cell={`${position.row} ${position.column}`}
      tabIndex={isStop ? 0 : -1}
      className={`cell ${className}`}
      onKeyDown={(event) => onKeyDown(event, position)}
      onFocus={() => onActive(position)}
      onClick={onClick}
    >
      {children}
    </div>
  );
};

interface GridColumnHeadersProps {
  fields: FieldDescription[];
  head(field: FieldDescription): ReactNode;
}

/** The first column contains the links to the records. */
export const GridColumnHeaders = ({ fields, head }: GridColumnHeadersProps) => (
  // biome-ignore lint/a11y/useSemanticElements: the grid is not a table, because its rows are virtual
  <div role="rowgroup">
    {/* biome-ignore lint/a11y/useSemanticElements: the grid is not a table, because its rows are virtual */}
    {/* biome-ignore lint/a11y/useFocusableInteractive: its cells and buttons take the focus */}
    <div className="cells-row heads" role="row" aria-rowindex={1}>
      <HeaderCell at={1}>
        <span className="sr">{viewStrings.open}</span>
      </HeaderCell>
      {fields.map((field, index) => (
        <HeaderCell key={getFieldKey(field)} at={index + 2}>
          {head(field)}
        </HeaderCell>
      ))}
    </div>
  </div>
);

const HeaderCell = ({ at, children }: { at: number; children: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: the grid is not a table, because its rows are virtual
  // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus
  <div role="columnheader" aria-colindex={at}>
    {children}
  </div>
);

interface RecordLinkProps {
  model: ModelDescription;
  record: RecordValues;
  search: RecordOrigin;
}

export function RecordLink({ model, record, search }: RecordLinkProps) {
  const label = recordStrings.openNamed(String(record.displayName));
  return (
    <Link
      to="/records/$model/$id"
      params={{ model: model.name, id: record.id }}
      search={search}
      tabIndex={-1}
      aria-label={label}
      title={label}
    >
      ↗
    </Link>
  );
}

interface CellValueProps {
  model: ModelDescription;
  column: FieldDescription;
  field: FieldDescription | null;
  record: RecordValues;
}

export const CellValue = ({ model, column, field, record }: CellValueProps) => (
  <span className="cell-value">
    <ColumnValue
      model={model}
      field={column.name === 'display_name' && field ? field : column}
      record={record}
    />
  </span>
);
