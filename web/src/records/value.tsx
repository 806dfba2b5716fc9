import {
  formatDate,
  formatDecimal,
  formatInstant,
  formatMoney,
  formatNumber,
  formatWhen,
} from '../i18n/format.ts';
import { getLinkedRecords, type NamedRecord, type RecordValues } from './document.ts';
import { type FileValue, formatFile, isPictureFile, PictureView, type RecordFile } from './file-value.tsx';
import { type FieldDescription, getFieldKey, type ModelDescription } from './model.ts';
import { recordStrings } from './strings.ts';

/** Maximum number of characters that a list shows per value. */
const MAX_CELL_CHARS = 200;

export function formatFieldValue(
  model: ModelDescription,
  field: FieldDescription,
  record: RecordValues,
): string {
  const value = record[getFieldKey(field)!];
  if (value === null || value === undefined || value === '') return '';
  switch (field.type) {
    case 'MANY2ONE':
      return getRecordName(value as NamedRecord);
    case 'MANY2MANY':
    case 'ONE2MANY':
      return getLinkedRecords(value).map(getRecordName).join(', ');
    case 'SELECTION':
      return getOptionLabel(field, value);
    case 'BOOLEAN':
      return value ? recordStrings.yes : recordStrings.no;
    case 'MONETARY':
      return formatMoney(Number(value), getCurrency(model, field, record));
    case 'FLOAT':
      return field.digits ? formatDecimal(Number(value), field.digits[1]!) : formatNumber(Number(value));
    case 'INTEGER':
      return field.name === 'id' ? String(value) : formatNumber(Number(value));
    case 'DATE':
      return formatDate(String(value));
    case 'DATETIME':
      return formatInstant(String(value));
    case 'HTML':
      return htmlToText(String(value));
    case 'BINARY':
      return formatFile(value as FileValue);
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Returns a column's label. The display name has the label of the field that it is derived from. */
export function getFieldLabel({ fields, displayField }: ModelDescription, field: FieldDescription): string {
  if (field.name !== 'display_name') return field.label;
  const findLabel = (fieldName: string | null) => fields.find(({ name }) => name === fieldName)?.label;
  return findLabel('name') ?? findLabel(displayField) ?? recordStrings.name;
}

export interface FieldValueProps {
  model: ModelDescription;
  field: FieldDescription;
  record: RecordValues;
}

export function ColumnValue({ model, field, record }: FieldValueProps) {
  const value = record[getFieldKey(field)!];
  if (field.type === 'DATETIME' && typeof value === 'string')
    return (
      <time dateTime={value} title={formatInstant(value)}>
        {formatWhen(value)}
      </time>
    );
  if (field.type === 'BINARY' && isPictureFile(value as RecordFile | null))
    return <PictureView file={value as RecordFile} label={field.label} size={24} />;
  return formatFieldValue(model, field, record).slice(0, MAX_CELL_CHARS);
}

const getRecordName = ({ displayName, id }: NamedRecord): string => displayName ?? id;

const getOptionLabel = ({ selection }: FieldDescription, value: unknown): string =>
  selection?.find((option) => (option.graphqlName ?? option.value) === value)?.label ?? String(value);

function getCurrency(
  { fields }: ModelDescription,
  { currencyField }: FieldDescription,
  record: RecordValues,
): string | undefined {
  const field = fields.find(({ name }) => name === currencyField);
  const currency = field && (record[getFieldKey(field)!] as NamedRecord | null | undefined);
  return currency?.displayName;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** Converts HTML to plain text. The result is rendered as text, so it needs no sanitizing. */
export const htmlToText = (html: string): string =>
  html
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_all, name: string) => ENTITIES[name]!)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
