import type { CSSProperties } from 'react';
import type { Rows } from '../../graphql/use-rows.ts';
import type { useRowKeys } from '../../shell/keys/use-row-keys.ts';
import { RowViewport } from '../../shell/rows/loaded-rows.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { RowSelection } from '../../ui/virtual-list.tsx';
import { parseOrder, type RecordListProps } from '../address.ts';
import type { RecordValues } from '../document.ts';
import { type FieldDescription, getFieldKey, isNumeric, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { ColumnValue, getFieldLabel } from '../value.tsx';

interface RecordTableProps extends RecordListProps {
  fields: FieldDescription[];
  rows: Rows<RecordValues>;
  keys: ReturnType<typeof useRowKeys>;
  choice: RowSelection;
}

/** Shows records in a table. Loads only the visible rows. */
export const RecordTable = ({ fields, rows, keys, choice, ...list }: RecordTableProps) => (
  <>
    <ColumnHeaders {...list} fields={fields} />
    <RowViewport
      label={list.model.pluralLabel}
      rows={rows}
      active={keys.active}
      onActive={keys.setActive}
      onOpen={keys.openRow}
      renderRow={(record) => (
        <div className="records-pick">
          <span className="pick" data-pick="" aria-hidden="true" />
          <RecordRow model={list.model} fields={fields} record={record} />
        </div>
      )}
      choice={choice}
    />
  </>
);

const ColumnHeaders = ({ fields, ...props }: RecordListProps & { fields: FieldDescription[] }) => (
  <div className="records-row heads" style={getColumnStyle(fields)}>
    {fields.map((field) => (
      <ColumnHeader key={getFieldKey(field)} {...props} field={field} />
    ))}
  </div>
);

/** Shows a sort button if the field is sortable. */
export function ColumnHeader({ model, view, show, field }: RecordListProps & { field: FieldDescription }) {
  const { field: sorted, isDescending } = parseOrder(model, view.order);
  const key = getFieldKey(field)!;
  const isSorted = field === sorted;
  const look = isNumeric(field) ? 'number' : undefined;
  if (!field.sortable) return <span className={look}>{getFieldLabel(model, field)}</span>;
  return (
    <button
      type="button"
      className={look}
      onClick={() => show({ order: isSorted && !isDescending ? `-${key}` : key })}
    >
      {getFieldLabel(model, field)}
      {isSorted && (
        <>
          <span aria-hidden="true"> {isDescending ? '↓' : '↑'}</span>
          <span className="sr">{isDescending ? recordStrings.descending : recordStrings.ascending}</span>
        </>
      )}
    </button>
  );
}

const getColumnStyle = (fields: FieldDescription[]) => ({ '--columns': fields.length }) as CSSProperties;

interface RecordRowProps {
  model: ModelDescription;
  fields: FieldDescription[];
  record: RecordValues;
}

const RecordRow = ({ model, fields, record }: RecordRowProps) => (
  <div className="records-row" style={getColumnStyle(fields)}>
    {fields.map((field) => (
      <span key={field.name} className={isNumeric(field) ? 'number' : undefined}>
        {/* Screen readers announce cells individually, so each cell includes its label. */}
        <span className="sr">{getFieldLabel(model, field)}: </span>
        {field.type === 'BOOLEAN' && record[getFieldKey(field)!] ? (
          <Icon name="check" />
        ) : (
          <ColumnValue model={model} field={field} record={record} />
        )}
      </span>
    ))}
  </div>
);
