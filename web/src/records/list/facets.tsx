import { type FormEvent, useState } from 'react';
import { formatDate } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { type Comparison, comparisonsOf, type Facet, type ListProps, needsNoValue } from '../address.ts';
import type { Named } from '../document.ts';
import { ChooseRecord } from '../form/choose-record.tsx';
import { type Described, type DescribedField, fieldNamed, isKept, isOfMessages, keyOf } from '../model.ts';
import { recordWords } from '../words.ts';

/** The conditions of a list, each of which can be taken away, and a way to add one. */
export function Facets({ model, view, show }: ListProps) {
  const [isAdding, setAdding] = useState(false);
  const facets = view.where ?? [];
  return (
    <div className="facets">
      {facets.map((facet, at) => {
        const text = facetText(model, facet);
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand there twice
            key={at}
            type="button"
            className="facet"
            aria-label={recordWords.without(text)}
            onClick={() => {
              const left = facets.toSpliced(at, 1);
              show({ where: left.length > 0 ? left : undefined });
            }}
          >
            {text} <Icon name="close" />
          </button>
        );
      })}
      <Button look="ghost" icon="filter" onClick={() => setAdding(true)}>
        {recordWords.filter}
      </Button>
      {isAdding && (
        <Add
          model={model}
          onAdd={(facet) => {
            setAdding(false);
            show({ where: [...facets, facet] });
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}

/** A condition in words. Pure. */
function facetText(model: Described, [key, comparison, value, label]: Facet): string {
  const field = fieldNamed(model, key);
  const says = `${field?.label ?? key} ${recordWords.comparisons[comparison]}`;
  return needsNoValue(comparison) ? says : `${says} ${label ?? valueText(field, value)}`;
}

function valueText(field: DescribedField | undefined, value: string): string {
  if (field?.type === 'BOOLEAN') return value === 'true' ? recordWords.yes : recordWords.no;
  const isDay = field?.type === 'DATE' || field?.type === 'DATETIME';
  if (isDay && !Number.isNaN(Date.parse(value))) return formatDate(value);
  return field?.selection?.find(({ graphqlName }) => graphqlName === value)?.label ?? value;
}

interface AddProps {
  model: Described;
  onAdd(facet: Facet): void;
  onClose(): void;
}

function Add({ model, onAdd, onClose }: AddProps) {
  const fields = model.fields
    .filter((field) => field.searchable && keyOf(field) && comparisonsOf(field).length > 0)
    .filter((field) => field.name !== 'id' && !isOfMessages(field))
    .sort((a, b) => Number(isKept(a)) - Number(isKept(b)) || a.label.localeCompare(b.label));
  const [field, setField] = useState(fields[0]!);
  const [comparison, setComparison] = useState<Comparison>(comparisonsOf(fields[0]!)[0]!);
  const [record, setRecord] = useState<Named | null>(null);
  const isRecord = field.type === 'MANY2ONE' || field.type === 'MANY2MANY';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = keyOf(field)!;
    if (needsNoValue(comparison)) onAdd([key, comparison, '']);
    else if (isRecord) {
      if (record) onAdd([key, comparison, record.id, record.displayName]);
    } else onAdd([key, comparison, String(new FormData(event.currentTarget).get('value'))]);
  };
  return (
    <Dialog title={recordWords.filter} onClose={onClose}>
      <form className="facet-add" onSubmit={submit}>
        <Choice
          label={recordWords.filterField}
          value={keyOf(field)!}
          options={fields.map((each) => [keyOf(each)!, each.label])}
          onChange={({ target }) => {
            const next = fieldNamed(model, target.value)!;
            setField(next);
            setComparison(comparisonsOf(next)[0]!);
            setRecord(null);
          }}
        />
        <Choice
          label={recordWords.comparison}
          value={comparison}
          options={comparisonsOf(field).map((each) => [each, recordWords.comparisons[each]])}
          onChange={({ target }) => setComparison(target.value as Comparison)}
        />
        {!needsNoValue(comparison) &&
          (isRecord ? (
            <ChooseRecord
              label={recordWords.value}
              model={field.relation!}
              value={record}
              onChoose={setRecord}
              required
            />
          ) : (
            <ValueField key={field.name} field={field} />
          ))}
        <div className="buttons">
          <Button type="submit" look="primary">
            {recordWords.add}
          </Button>
          <Button onClick={onClose}>{recordWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function ValueField({ field }: { field: DescribedField }) {
  if (field.type === 'BOOLEAN' || field.type === 'SELECTION') {
    const options =
      field.type === 'BOOLEAN'
        ? ([
            ['true', recordWords.yes],
            ['false', recordWords.no],
          ] as const)
        : field.selection!.map((each) => [each.graphqlName ?? each.value, each.label] as const);
    return <Choice label={recordWords.value} name="value" options={options} />;
  }
  const isDay = field.type === 'DATE' || field.type === 'DATETIME';
  const isText = field.type === 'CHAR' || field.type === 'TEXT' || field.type === 'HTML';
  const kind = isText ? { type: 'text' } : isDay ? { type: 'date' } : { type: 'number', step: 'any' };
  return <Field label={recordWords.value} name="value" required {...kind} />;
}
