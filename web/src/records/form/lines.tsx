import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useReloadOnChange } from '../../graphql/live.ts';
import { formatCount } from '../../i18n/format.ts';
import { Loading } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Facet } from '../address.ts';
import {
  buildLinesQuery,
  fromApiValues,
  type LineEdits,
  type ListResult,
  type RecordResult,
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
import { createLineEdits, type LineTransition, reduceLines } from './line-edits.ts';
import type { ComputedLines } from './onchange.ts';

interface LinesProps {
  parentModel: ModelDescription;
  field: FieldDescription;
  /** Parent record of the lines. Null for a new record. */
  parent: RecordValues | null;
  edits: LineEdits | undefined;
  isSaving: boolean;
  /** Values that the server computed from unsaved changes. */
  computed: ComputedLines[string] | undefined;
  rowKeys: Record<string, string>;
  /** Totals of the parent, which are shown below lines that are part of it. */
  totals: ReactNode;
  canEdit: boolean;
  onEdit(edits: LineEdits): void;
}

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

function LinesTable(props: LinesTableProps) {
  const { parentModel, field, parent, isSaving, computed, rowKeys, totals, canEdit, onEdit, model, back } =
    props;
  const columns = getLineColumns(model, back);
  const { data, reload } = useGraphqlQuery<RecordResult, object>(
    buildLinesQuery(parentModel, field, { model, columns }),
    { id: parent?.id },
    parent === null,
  );
  useReloadOnChange(model.name, () => parent && reload());
  const addedCount = useRef(0);
  const { edits = createLineEdits(model, columns) } = props;
  const change = (transition: LineTransition) => onEdit(reduceLines(edits, transition));
  const loaded = (data?.record ?? parent)?.[field.relationName!] as ListResult['list'] | undefined;
  const shown = useRef(loaded);
  // Lines that a save has created stay added lines until its response arrives, so that none is shown twice.
  if (!isSaving) shown.current = loaded;
  const list = shown.current;
  if (!canEdit && list?.totalCount === 0) return null;
  const shownFields = withCurrencies(model, columns);
  const getComputed = (id: string) => fromApiValues(shownFields, computed?.[id] ?? {});
  const rows = [
    ...(list?.nodes ?? [])
      .filter(({ id }) => !edits.removedIds.includes(id))
      .map((line) => ({
        key: rowKeys[line.id] ?? line.id,
        id: line.id,
        values: { ...line, ...getComputed(line.id), ...edits.changed[line.id] },
      })),
    ...edits.added.map(({ key, values }) => ({ key, id: null, values: { ...getComputed(key), ...values } })),
  ];
  return (
    <section className="lines card">
      <h2>{field.label}</h2>
      {parent && !list && <Loading />}
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
            {rows.map((row) => (
              <Line
                key={row.key}
                row={row}
                model={model}
                columns={columns}
                canEdit={canEdit}
                change={change}
              />
            ))}
          </tbody>
        </table>
      </div>
      {back.required && totals}
      <div className="buttons">
        {canEdit && (
          <Button icon="plus" onClick={() => change({ type: 'add', key: `new ${addedCount.current++}` })}>
            {recordStrings.addLine}
          </Button>
        )}
        <LinesLink model={model} back={back} parent={parent} count={list?.totalCount ?? 0} />
      </div>
    </section>
  );
}

interface LinesLinkProps {
  model: ModelDescription;
  back: FieldDescription;
  parent: RecordValues | null;
  count: number;
}

function LinesLink({ model, back, parent, count }: LinesLinkProps) {
  const backKey = getFieldKey(back);
  if (!parent || backKey === null || count === 0) return null;
  const facet: Facet = [backKey, 'eq', parent.id, String(parent.displayName ?? '')];
  return (
    <Link to="/records/$model" params={{ model: model.name }} search={{ where: [facet] }}>
      {recordStrings.openAsList(formatCount(count, recordStrings.recordCount))}
    </Link>
  );
}

interface LineProps {
  model: ModelDescription;
  columns: FieldDescription[];
  canEdit: boolean;
  change(transition: LineTransition): void;
  /** Without an id, the line has not been saved. */
  row: { key: string; id: string | null; values: FormValues };
}

function Line({ model, columns, canEdit, change, row: { key, id, values } }: LineProps) {
  const enter = (column: FieldDescription, value: unknown) => {
    const changes = toFormChanges(column, value);
    change(
      id === null ? { type: 'changeAdded', key, values: changes } : { type: 'change', id, values: changes },
    );
  };
  return (
    <tr>
      {columns.map((column, index) => (
        <td key={column.name}>
          {canEdit && isEditable(column) ? (
            <FieldInput
              // The server fills in empty required fields of a new line.
              field={id === null ? { ...column, required: false } : column}
              value={getInputValue(column, values)}
              onEnter={(value) => enter(column, value)}
            />
          ) : index === 0 && id !== null ? (
            <Link to="/records/$model/$id" params={{ model: model.name, id }}>
              {formatFieldValue(model, column, values as RecordValues) || id}
            </Link>
          ) : (
            formatFieldValue(model, column, { ...values, id: id ?? key })
          )}
        </td>
      ))}
      {canEdit && (
        <td>
          <IconButton
            icon="trash"
            label={
              id === null
                ? recordStrings.removeNewLine
                : recordStrings.removeNamed(String(values.displayName))
            }
            onClick={() => change(id === null ? { type: 'removeAdded', key } : { type: 'remove', id })}
          />
        </td>
      )}
    </tr>
  );
}

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
