import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { Loading } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Facet } from '../address.ts';
import {
  buildListQuery,
  fromApiValues,
  type LineChanges,
  type ListResult,
  type RecordValues,
  withCurrencies,
} from '../document.ts';
import { type FormValues, getInputValue, isEditable, toFormChanges } from '../fields.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import {
  type FieldDescription,
  findField,
  getDefaultColumns,
  getFieldKey,
  type ModelDescription,
} from '../model.ts';
import { recordStrings } from '../strings.ts';
import { useModel } from '../use-model.ts';
import { formatFieldValue, getFieldLabel } from '../value.tsx';
import { type LineTransition, NO_LINE_EDITS, reduceLines, toLineChanges } from './line-edits.ts';
import type { ComputedLines } from './onchange.ts';

interface LinesProps {
  field: FieldDescription;
  /** Parent record of the lines. Null for a new record. */
  parent: RecordValues | null;
  /** Values that the server computed from unsaved changes. */
  computed: ComputedLines[string] | undefined;
  /** Totals of the parent, which are shown below lines that are part of it. */
  totals: ReactNode;
  canEdit: boolean;
  onEdit(changes: LineChanges): void;
}

const MAX_LINES = 200;

/** A table of related records. Order lines are edited inline. Other records are links. */
export function Lines(props: LinesProps) {
  const { field, parent } = props;
  const { model } = useModel(field.relation!);
  const back = model?.fields.find(({ name }) => name === field.relationField);
  if (!model?.listField || !back?.graphqlName) return null;
  // Only lines that require a parent are edited inline, because they are part of it.
  const canEdit = props.canEdit && back.required && model.access.create && model.access.update;
  if (!parent && !canEdit) return null;
  return <LinesTable {...props} canEdit={canEdit} model={model} back={back} />;
}

interface LinesTableProps extends LinesProps {
  model: ModelDescription;
  back: FieldDescription;
}

function LinesTable({ field, parent, computed, totals, canEdit, onEdit, model, back }: LinesTableProps) {
  const columns = getLineColumns(model, back);
  const { data } = useGraphqlQuery<ListResult, object>(buildListQuery(model, columns)!, {
    first: MAX_LINES,
    offset: 0,
    where: { [back.graphqlName!]: { eq: parent?.id ?? '0' } },
  });
  const shownFields = withCurrencies(model, columns);
  const [edits, setEdits] = useState(NO_LINE_EDITS);
  const change = (transition: LineTransition) => {
    const next = reduceLines(edits, transition);
    setEdits(next);
    onEdit(toLineChanges(model.fields, shownFields, next));
  };
  const total = data?.list.totalCount ?? 0;
  if (!canEdit && data && total === 0) return null;
  const backKey = getFieldKey(back);
  const facet: Facet | null =
    backKey === null ? null : [backKey, 'eq', parent?.id ?? '', String(parent?.displayName ?? '')];
  const getComputed = (id: string) => fromApiValues(shownFields, computed?.[id] ?? {});
  const row = { model, columns, canEdit, change };
  return (
    <section className="lines card">
      <h2>{field.label}</h2>
      {parent && !data && <Loading />}
      <div className="scroll-x">
        <table className="figures-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col">
                  {getFieldLabel(model, column)}
                </th>
              ))}
              {canEdit && <td />}
            </tr>
          </thead>
          <tbody>
            {data?.list.nodes
              .filter(({ id }) => !edits.removedIds.includes(id))
              .map((line) => (
                <SavedLine
                  key={line.id}
                  {...row}
                  line={{ ...line, ...getComputed(line.id), ...edits.changed[line.id] }}
                />
              ))}
            {edits.added.map(({ key, values }) => (
              <AddedLine key={key} {...row} id={key} values={{ ...getComputed(key), ...values }} />
            ))}
          </tbody>
        </table>
      </div>
      {back.required && totals}
      <div className="buttons">
        {canEdit && (
          <Button icon="plus" onClick={() => change({ type: 'add' })}>
            {recordStrings.addLine}
          </Button>
        )}
        {parent && facet && total > 0 && (
          <Link to="/records/$model" params={{ model: model.name }} search={{ where: [facet] }}>
            {recordStrings.openAsList(formatCount(total, recordStrings.recordCount))}
          </Link>
        )}
      </div>
    </section>
  );
}

interface LineProps {
  model: ModelDescription;
  columns: FieldDescription[];
  canEdit: boolean;
  change(transition: LineTransition): void;
}

function SavedLine({ model, columns, canEdit, change, line }: LineProps & { line: RecordValues }) {
  const { id } = line;
  return (
    <tr>
      {columns.map((column, index) => (
        <td key={column.name}>
          {canEdit && isEditable(column) ? (
            <FieldInput
              field={column}
              value={getInputValue(column, line)}
              onEnter={(value) => change({ type: 'change', id, values: toFormChanges(column, value) })}
            />
          ) : index === 0 ? (
            <Link to="/records/$model/$id" params={{ model: model.name, id }}>
              {formatFieldValue(model, column, line) || id}
            </Link>
          ) : (
            formatFieldValue(model, column, line)
          )}
        </td>
      ))}
      {canEdit && (
        <td>
          <IconButton
            icon="trash"
            label={recordStrings.removeNamed(String(line.displayName))}
            onClick={() => change({ type: 'remove', id })}
          />
        </td>
      )}
    </tr>
  );
}

interface AddedLineProps extends LineProps {
  id: string;
  values: FormValues;
}

const AddedLine = ({ model, columns, change, id, values }: AddedLineProps) => (
  <tr>
    {columns.map((column) => (
      <td key={column.name}>
        {isEditable(column) ? (
          <FieldInput
            // The server fills in empty required fields.
            field={{ ...column, required: false }}
            value={getInputValue(column, values)}
            onEnter={(value) =>
              change({ type: 'changeAdded', key: id, values: toFormChanges(column, value) })
            }
          />
        ) : (
          formatFieldValue(model, column, { ...values, id })
        )}
      </td>
    ))}
    <td>
      <IconButton
        icon="trash"
        label={recordStrings.removeNewLine}
        onClick={() => change({ type: 'removeAdded', key: id })}
      />
    </td>
  </tr>
);

const ORDER_LINE_FIELDS = [
  'product_id',
  'name',
  'product_uom_qty',
  'product_uom_id',
  'price_unit',
  'discount',
  'price_subtotal',
];

/** Returns the columns for lines: the order line columns if the model has them, or else the model's default columns. */
function getLineColumns(model: ModelDescription, back: FieldDescription): FieldDescription[] {
  const lineFields = ORDER_LINE_FIELDS.flatMap(
    (name) => model.fields.find((field) => field.name === name) ?? [],
  );
  if (lineFields.length > 2) return lineFields;
  return getDefaultColumns(model).flatMap((key) => {
    const field = findField(model, key);
    return field && field !== back ? [field] : [];
  });
}
