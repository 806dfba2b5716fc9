import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { Loading } from '../../shell/loading.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Facet } from '../address.ts';
import {
  buildInput,
  buildListQuery,
  type LineChanges,
  type ListResult,
  type RecordValues,
} from '../document.ts';
import { type FormValues, getInputValue, isEditable, toFormChanges } from '../fields.ts';
import {
  type FieldDescription,
  findField,
  getDefaultColumns,
  getFieldKey,
  type ModelDescription,
  useModel,
} from '../model.ts';
import { recordStrings } from '../strings.ts';
import { formatFieldValue, getFieldLabel } from '../value.tsx';
import { FieldInput } from './field-input.tsx';

interface LinesProps {
  field: FieldDescription;
  /** Record that the lines belong to. Null for a new record. */
  parent: RecordValues | null;
  canEdit: boolean;
  onEdit(changes: LineChanges): void;
}

/** Maximum number of lines in a form. */
const MAX_LINES = 200;

/** Table of related records. Lines of an order are edited inline; other records are opened. */
export function Lines(props: LinesProps) {
  const { field, parent } = props;
  const { model } = useModel(field.relation!);
  const back = model?.fields.find(({ name }) => name === field.relationField);
  if (!model?.listField || !back?.graphqlName) return null;
  // Only lines that require their parent are edited inline, because they are part of it.
  const canEdit = props.canEdit && back.required && model.access.create && model.access.update;
  if (!parent && !canEdit) return null;
  return <LinesTable {...props} canEdit={canEdit} model={model} back={back} />;
}

function LinesTable({
  field,
  parent,
  canEdit,
  onEdit,
  model,
  back,
}: LinesProps & { model: ModelDescription; back: FieldDescription }) {
  const columns = getLineColumns(model, back);
  const { data } = useGraphqlQuery<ListResult, object>(buildListQuery(model, columns)!, {
    first: MAX_LINES,
    offset: 0,
    where: { [back.graphqlName!]: { eq: parent?.id ?? '0' } },
  });
  const [added, setAdded] = useState<FormValues[]>([]);
  const [edits, setEdits] = useState<Record<string, FormValues>>({});
  const [removedIds, setRemovedIds] = useState<string[]>([]);
  const editable = model.fields.filter(isEditable);
  const apply = (next: {
    added?: FormValues[];
    edits?: Record<string, FormValues>;
    removedIds?: string[];
  }) => {
    const all = { added, edits, removedIds, ...next };
    setAdded(all.added);
    setEdits(all.edits);
    setRemovedIds(all.removedIds);
    onEdit({
      create: all.added.map((values) => buildInput(editable, values, true)),
      update: Object.entries(all.edits)
        .filter(([id]) => !all.removedIds.includes(id))
        .map(([id, values]) => ({ id, input: buildInput(editable, values, false) })),
      delete: all.removedIds,
    });
  };
  const facet: Facet = [getFieldKey(back)!, 'eq', parent?.id ?? '', String(parent?.displayName ?? '')];
  const rows = data?.list.nodes.filter(({ id }) => !removedIds.includes(id)) ?? [];
  const total = data?.list.totalCount ?? 0;
  if (!canEdit && data && total === 0) return null;
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
            {rows.map((line) => (
              <tr key={line.id}>
                {columns.map((column, index) => (
                  <td key={column.name}>
                    {canEdit && isEditable(column) ? (
                      <FieldInput
                        field={column}
                        value={getInputValue(column, { ...line, ...edits[line.id] })}
                        onEnter={(value) =>
                          apply({
                            edits: {
                              ...edits,
                              [line.id]: { ...edits[line.id], ...toFormChanges(column, value) },
                            },
                          })
                        }
                      />
                    ) : index === 0 ? (
                      <Link to="/records/$model/$id" params={{ model: model.name, id: line.id }}>
                        {formatFieldValue(model, column, line) || line.id}
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
                      onClick={() => apply({ removedIds: [...removedIds, line.id] })}
                    />
                  </td>
                )}
              </tr>
            ))}
            {added.map((values, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved line has no id
              <tr key={`new ${index}`}>
                {columns.map((column) => (
                  <td key={column.name}>
                    {isEditable(column) && (
                      <FieldInput
                        // The server fills in empty required fields.
                        field={{ ...column, required: false }}
                        value={getInputValue(column, values)}
                        onEnter={(value) =>
                          apply({ added: added.with(index, { ...values, ...toFormChanges(column, value) }) })
                        }
                      />
                    )}
                  </td>
                ))}
                <td>
                  <IconButton
                    icon="trash"
                    label={recordStrings.removeNewLine}
                    onClick={() => apply({ added: added.toSpliced(index, 1) })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="buttons">
        {canEdit && (
          <Button icon="plus" onClick={() => apply({ added: [...added, {}] })}>
            {recordStrings.addLine}
          </Button>
        )}
        {parent && total > 0 && (
          <Link to="/records/$model" params={{ model: model.name }} search={{ where: [facet] }}>
            {recordStrings.openAsList(formatCount(total, recordStrings.count))}
          </Link>
        )}
      </div>
    </section>
  );
}

const ORDER_LINE_FIELDS = [
  'product_id',
  'name',
  'product_uom_qty',
  'price_unit',
  'discount',
  'price_subtotal',
];

/**
 * Returns the columns of lines: the usual columns of order lines if the model has them, otherwise the default columns
 * of a list.
 */
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
