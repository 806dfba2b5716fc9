import { matchesConditions } from '../conditions.ts';
import type { RecordValues } from '../document.ts';
import { acceptsFile, getInputValue } from '../fields.ts';
import { type FileValue, FileView, type RecordFile } from '../file-value.tsx';
import { FieldInput } from '../inputs/field-input.tsx';
import { FileInput } from '../inputs/file-input.tsx';
import { type FieldDescription, getFieldKey, isSystemField, type ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { type FieldValueProps, formatFieldValue } from '../value.tsx';
import type { RecordFormState } from './use-record-form.ts';

interface FormFieldsProps {
  model: ModelDescription;
  fields: FieldDescription[];
  form: RecordFormState;
}

export const FormFields = ({ model, fields, form }: FormFieldsProps) => {
  const { values, mayEdit, uploads } = form;
  const shownFields = fields.filter(({ conditions }) => matchesConditions(model, values, conditions));
  return shownFields.map((field) => {
    if (!mayEdit)
      return <FieldFact key={field.name} model={model} field={field} record={values as RecordValues} />;
    const common = {
      field,
      onEnter: (value: unknown) => form.enter(field, value),
      error: form.getFieldError(field),
    };
    return acceptsFile(field) ? (
      <FileInput
        key={field.name}
        {...common}
        value={values[field.graphqlName!] as FileValue | null | undefined}
        share={uploads[field.name]}
      />
    ) : (
      <FieldInput key={field.name} {...common} value={getInputValue(field, values)} />
    );
  });
};

interface FactsProps {
  model: ModelDescription;
  fields: FieldDescription[];
  record: RecordValues;
}

export function RecordFacts({ model, fields, record }: FactsProps) {
  const stampFields = model.fields.filter(
    (field) => isSystemField(field) && getFieldKey(field) && field.name !== 'display_name',
  );
  return (
    <details className="card">
      <summary>{recordStrings.moreDetails}</summary>
      <Facts model={model} fields={[...fields, ...stampFields]} record={record} />
    </details>
  );
}

export const Facts = ({ model, fields, record }: FactsProps) => (
  <dl className="facts">
    {fields.map((field) => (
      <FieldFact key={field.name} model={model} field={field} record={record} />
    ))}
  </dl>
);

function FieldFact({ model, field, record }: FieldValueProps) {
  const text = formatFieldValue(model, field, record);
  const file = field.type === 'BINARY' ? (record[getFieldKey(field)!] as RecordFile | null) : null;
  return text === '' ? null : (
    <div className="fact">
      <dt className="quiet small">{field.label}</dt>
      <dd>{file ? <FileView file={file} label={field.label} size={96} /> : text}</dd>
    </div>
  );
}
