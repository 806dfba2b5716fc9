import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Facet } from '../address.ts';
import { inputOf, type LineChanges, type ListAnswer, listDocument, type RecordValues } from '../document.ts';
import { enteredValue, type FormValues, isEditable, withValue } from '../fields.ts';
import { type Described, type DescribedField, fieldNamed, keyOf, useModel, usualColumns } from '../model.ts';
import { labelOf, textOf } from '../value.tsx';
import { recordWords } from '../words.ts';
import { FieldInput } from './field-input.tsx';

interface LinesProps {
  /** The field that leads to the lines. */
  field: DescribedField;
  /** The record they belong to; null for one that is not there yet. */
  parent: RecordValues | null;
  canEdit: boolean;
  onEdit(changes: LineChanges): void;
}

/** Lines that a form shows. */
const MOST = 200;

/** Records that belong to one, as a table: lines of an order are edited there, others are opened. */
export function Lines(props: LinesProps) {
  const { field, parent } = props;
  const { model } = useModel(field.relation!);
  const back = model?.fields.find(({ name }) => name === field.relationField);
  if (!model?.listField || !back?.graphqlName) return null;
  // What cannot be without its record is a part of it.
  const canEdit = props.canEdit && back.required && model.access.create && model.access.update;
  if (!parent && !canEdit) return null;
  return <Table {...props} canEdit={canEdit} model={model} back={back} />;
}

function Table({
  field,
  parent,
  canEdit,
  onEdit,
  model,
  back,
}: LinesProps & { model: Described; back: DescribedField }) {
  const columns = lineColumns(model, back);
  const { data } = useAnswer<ListAnswer, object>(listDocument(model, columns)!, {
    first: MOST,
    offset: 0,
    where: { [back.graphqlName!]: { eq: parent?.id ?? '0' } },
  });
  const [added, setAdded] = useState<FormValues[]>([]);
  const [edits, setEdits] = useState<Record<string, FormValues>>({});
  const [gone, setGone] = useState<string[]>([]);
  const editable = model.fields.filter(isEditable);
  const apply = (next: { added?: FormValues[]; edits?: Record<string, FormValues>; gone?: string[] }) => {
    const all = { added, edits, gone, ...next };
    setAdded(all.added);
    setEdits(all.edits);
    setGone(all.gone);
    onEdit({
      create: all.added.map((values) => inputOf(editable, values, true)),
      update: Object.entries(all.edits)
        .filter(([id]) => !all.gone.includes(id))
        .map(([id, values]) => ({ id, input: inputOf(editable, values, false) })),
      delete: all.gone,
    });
  };
  const facet: Facet = [keyOf(back)!, 'eq', parent?.id ?? '', String(parent?.displayName ?? '')];
  const rows = data?.list.nodes.filter(({ id }) => !gone.includes(id)) ?? [];
  const total = data?.list.totalCount ?? 0;
  if (!canEdit && data && total === 0) return null;
  return (
    <section className="lines card">
      <h2>{field.label}</h2>
      {parent && !data && <p role="status">{shellWords.loading}</p>}
      <div className="scroll-x">
        <table className="figures-table">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col">
                  {labelOf(model, column)}
                </th>
              ))}
              {canEdit && <td />}
            </tr>
          </thead>
          <tbody>
            {rows.map((line) => (
              <tr key={line.id}>
                {columns.map((column, at) => (
                  <td key={column.name}>
                    {canEdit && isEditable(column) ? (
                      <FieldInput
                        field={column}
                        value={enteredValue(column, { ...line, ...edits[line.id] })}
                        onEnter={(value) =>
                          apply({
                            edits: {
                              ...edits,
                              [line.id]: { ...edits[line.id], ...withValue(column, value) },
                            },
                          })
                        }
                      />
                    ) : at === 0 ? (
                      <Link to="/records/$model/$id" params={{ model: model.name, id: line.id }}>
                        {textOf(model, column, line) || line.id}
                      </Link>
                    ) : (
                      textOf(model, column, line)
                    )}
                  </td>
                ))}
                {canEdit && (
                  <td>
                    <IconButton
                      icon="trash"
                      label={recordWords.takeAway(String(line.displayName))}
                      onClick={() => apply({ gone: [...gone, line.id] })}
                    />
                  </td>
                )}
              </tr>
            ))}
            {added.map((values, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line that is not saved has nothing else
              <tr key={`new ${index}`}>
                {columns.map((column) => (
                  <td key={column.name}>
                    {isEditable(column) && (
                      <FieldInput
                        // What the server fills in by itself may stay empty.
                        field={{ ...column, required: false }}
                        value={enteredValue(column, values)}
                        onEnter={(value) =>
                          apply({ added: added.with(index, { ...values, ...withValue(column, value) }) })
                        }
                      />
                    )}
                  </td>
                ))}
                <td>
                  <IconButton
                    icon="trash"
                    label={recordWords.takeAwayNew}
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
            {recordWords.addLine}
          </Button>
        )}
        {parent && total > 0 && (
          <Link to="/records/$model" params={{ model: model.name }} search={{ where: [facet] }}>
            {recordWords.inList(counted(total, recordWords.count))}
          </Link>
        )}
      </div>
    </section>
  );
}

const OF_LINES = ['product_id', 'name', 'product_uom_qty', 'price_unit', 'discount', 'price_subtotal'];

/** The columns of lines: those of orders where the model has them, else what a list begins with. Pure. */
function lineColumns(model: Described, back: DescribedField): DescribedField[] {
  const own = OF_LINES.flatMap((name) => model.fields.find((field) => field.name === name) ?? []);
  if (own.length > 2) return own;
  return usualColumns(model).flatMap((key) => {
    const field = fieldNamed(model, key);
    return field && field !== back ? [field] : [];
  });
}
