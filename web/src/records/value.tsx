import { formatDate, formatInstant, formatMoney, formatNumber, formatWhen } from '../i18n/format.ts';
import { linkedNames, type Named, type RecordValues } from './document.ts';
import { type FileValue, fileText, isPictureFile, PictureShown, type RecordFile } from './file-value.tsx';
import { type Described, type DescribedField, keyOf } from './model.ts';
import { recordWords } from './words.ts';

/** Characters of a text in a list. */
const LONGEST = 200;

/** A value in one line. Pure. */
export function textOf(model: Described, field: DescribedField, record: RecordValues): string {
  const value = record[keyOf(field)!];
  if (value === null || value === undefined || value === '') return '';
  switch (field.type) {
    case 'MANY2ONE':
      return nameOf(value as Named);
    case 'MANY2MANY':
    case 'ONE2MANY':
      return linkedNames(value).map(nameOf).join(', ');
    case 'SELECTION':
      return optionNamed(field, value);
    case 'BOOLEAN':
      return value ? recordWords.yes : recordWords.no;
    case 'MONETARY':
      return formatMoney(Number(value), currencyOf(model, field, record));
    case 'FLOAT':
      return formatNumber(Number(value));
    case 'INTEGER':
      return field.name === 'id' ? String(value) : formatNumber(Number(value));
    case 'DATE':
      return formatDate(String(value));
    case 'DATETIME':
      return formatInstant(String(value));
    case 'HTML':
      return plainText(String(value));
    case 'BINARY':
      return fileText(value as FileValue);
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** What a column is called: the name of a record by what the model calls it. Pure. */
export const labelOf = (model: Described, field: DescribedField): string =>
  field.name === 'display_name'
    ? (model.fields.find(({ name }) => name === model.displayField)?.label ?? recordWords.name)
    : field.label;

/** A value in a column. */
export function ColumnValue({
  model,
  field,
  record,
}: {
  model: Described;
  field: DescribedField;
  record: RecordValues;
}) {
  const value = record[keyOf(field)!];
  if (field.type === 'DATETIME' && typeof value === 'string')
    return (
      <time dateTime={value} title={formatInstant(value)}>
        {formatWhen(value)}
      </time>
    );
  if (field.type === 'BINARY' && isPictureFile(value as RecordFile | null))
    return <PictureShown file={value as RecordFile} label={field.label} size={24} />;
  return textOf(model, field, record).slice(0, LONGEST);
}

const nameOf = ({ displayName, id }: Named): string => displayName ?? id;

const optionNamed = ({ selection }: DescribedField, value: unknown): string =>
  selection?.find((option) => (option.graphqlName ?? option.value) === value)?.label ?? String(value);

function currencyOf(
  { fields }: Described,
  { currencyField }: DescribedField,
  record: RecordValues,
): string | undefined {
  const field = fields.find(({ name }) => name === currencyField);
  const currency = field && (record[keyOf(field)!] as Named | null | undefined);
  return currency?.displayName;
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** What HTML says, without what it looks like. It is shown as text, so nothing in it does anything. Pure. */
export const plainText = (html: string): string =>
  html
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_all, name: string) => ENTITIES[name]!)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
