import { useState } from 'react';
import { formatDate } from '../../i18n/format.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import {
  type Comparison,
  type Facet,
  getComparisons,
  needsNoValue,
  type RecordListProps,
} from '../address.ts';
import type { NamedRecord } from '../document.ts';
import { RecordPicker } from '../inputs/record-picker.tsx';
import {
  type FieldDescription,
  findField,
  getFieldKey,
  isMessagingField,
  isSystemField,
  type ModelDescription,
} from '../model.ts';
import { recordStrings } from '../strings.ts';

export function Facets({ model, view, show }: RecordListProps) {
  const facets = view.where ?? [];
  return (
    <div className="facets">
      {facets.map((facet, index) => {
        const text = formatFacet(model, facet);
        return (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the same condition can occur twice
            key={index}
            type="button"
            className="facet"
            aria-label={recordStrings.removeFilter(text)}
            onClick={() => {
              const remainingFacets = facets.toSpliced(index, 1);
              show({ where: remainingFacets.length > 0 ? remainingFacets : undefined });
            }}
          >
            {text} <Icon name="close" />
          </button>
        );
      })}
      <DialogOpener look="ghost" icon="filter" label={recordStrings.filter}>
        {(onClose) => (
          <AddFacetDialog
            model={model}
            onAdd={(facet) => show({ where: [...facets, facet] })}
            onClose={onClose}
          />
        )}
      </DialogOpener>
    </div>
  );
}

function formatFacet(model: ModelDescription, [key, comparison, value, label]: Facet): string {
  const field = findField(model, key);
  const says = `${field?.label ?? key} ${recordStrings.comparisons[comparison]}`;
  return needsNoValue(comparison) ? says : `${says} ${label ?? formatFacetValue(field, value)}`;
}

function formatFacetValue(field: FieldDescription | undefined, value: string): string {
  if (field?.type === 'BOOLEAN') return value === 'true' ? recordStrings.yes : recordStrings.no;
  const isDay = field?.type === 'DATE' || field?.type === 'DATETIME';
  if (isDay && !Number.isNaN(Date.parse(value))) return formatDate(value);
  return field?.selection?.find(({ graphqlName }) => graphqlName === value)?.label ?? value;
}

interface AddFacetDialogProps {
  model: ModelDescription;
  onAdd(facet: Facet): void;
  onClose(): void;
}

function AddFacetDialog({ model, onAdd, onClose }: AddFacetDialogProps) {
  const fields = model.fields
    .filter((field) => field.searchable && getFieldKey(field) && getComparisons(field).length > 0)
    .filter((field) => field.name !== 'id' && !isMessagingField(field))
    .sort((a, b) => Number(isSystemField(a)) - Number(isSystemField(b)) || a.label.localeCompare(b.label));
  const [field, setField] = useState(fields[0]!);
  const [comparison, setComparison] = useState<Comparison>(getComparisons(fields[0]!)[0]!);
  const [record, setRecord] = useState<NamedRecord | null>(null);
  const isRecord = field.type === 'MANY2ONE' || field.type === 'MANY2MANY';
  const add = (form: FormData) => {
    const key = getFieldKey(field)!;
    if (needsNoValue(comparison)) onAdd([key, comparison, '']);
    else if (isRecord) onAdd([key, comparison, record!.id, record!.displayName]);
    else onAdd([key, comparison, String(form.get('value'))]);
  };
  return (
    <FormDialog title={recordStrings.filter} submit={recordStrings.add} onSubmit={add} onClose={onClose}>
      <Select
        label={recordStrings.field}
        value={getFieldKey(field)!}
        options={fields.map((field) => [getFieldKey(field)!, field.label])}
        onChange={({ target }) => {
          const next = findField(model, target.value)!;
          setField(next);
          setComparison(getComparisons(next)[0]!);
          setRecord(null);
        }}
      />
      <Select
        label={recordStrings.operator}
        value={comparison}
        options={getComparisons(field).map((comparison) => [
          comparison,
          recordStrings.comparisons[comparison],
        ])}
        onChange={({ target }) => setComparison(target.value as Comparison)}
      />
      {!needsNoValue(comparison) &&
        (isRecord ? (
          <RecordPicker
            label={recordStrings.value}
            model={field.relation!}
            value={record}
            onChoose={setRecord}
            required
          />
        ) : (
          <ValueField key={field.name} field={field} />
        ))}
    </FormDialog>
  );
}

function ValueField({ field }: { field: FieldDescription }) {
  if (field.type === 'BOOLEAN' || field.type === 'SELECTION') {
    const options =
      field.type === 'BOOLEAN'
        ? ([
            ['true', recordStrings.yes],
            ['false', recordStrings.no],
          ] as const)
        : field.selection!.map((item) => [item.graphqlName ?? item.value, item.label] as const);
    return <Select label={recordStrings.value} name="value" options={options} />;
  }
  const isDay = field.type === 'DATE' || field.type === 'DATETIME';
  const isText = field.type === 'CHAR' || field.type === 'TEXT' || field.type === 'HTML';
  const kind = isText ? { type: 'text' } : isDay ? { type: 'date' } : { type: 'number', step: 'any' };
  return <Field label={recordStrings.value} name="value" required {...kind} />;
}
