import { getLinkedRecords, type NamedRecord } from './document.ts';
import {
  type FieldDescription,
  getFieldKey,
  getInputKey,
  isMessagingField,
  isSystemField,
  type ModelDescription,
} from './model.ts';

/** Form values by input key, and related records by relation name. */
export type FormValues = Record<string, unknown>;

interface FormSections {
  short: FieldDescription[];
  long: FieldDescription[];
  /** Fields that programs usually set. Forms collapse them. */
  technical: FieldDescription[];
  lines: FieldDescription[];
  facts: FieldDescription[];
}

/** Fields that are displayed outside the form. */
const EXCLUDED_FIELDS = new Set([
  'id',
  'active',
  'display_name',
  'color',
  'sequence',
  'technical_price_unit',
]);
/** Coordinates, and how often a contact was a customer or supplier. */
const TECHNICAL_NAME = /_(?:latitude|longitude|rank)$/;
const READONLY_TYPES = new Set<FieldDescription['type']>([
  'REFERENCE',
  'MANY2ONE_REFERENCE',
  'STRINGS',
  'PROPERTIES',
  'PROPERTIES_DEFINITION',
  'BINARY',
]);

export const isEditable = (field: FieldDescription): boolean =>
  !field.readonly && getInputKey(field) !== null && !READONLY_TYPES.has(field.type) && !isSystemField(field);

export const acceptsFile = (field: FieldDescription): boolean =>
  field.type === 'BINARY' && !field.readonly && field.graphqlName !== null;

/** Guesses from the field's name whether it contains an image. */
export const isPicture = ({ name }: FieldDescription): boolean =>
  /(?:^|_)(?:image|photo|picture|logo|avatar)(?:_|$)/.test(name);

/**
 * Splits a form's fields into sections. Images, the name and required fields come first. Omits read-only lists, which
 * can be long, such as the orders of a contact.
 */
export function splitFormFields({ fields, displayField }: ModelDescription): FormSections {
  const visibleFields = fields.filter(
    (field) =>
      getFieldKey(field) !== null &&
      !EXCLUDED_FIELDS.has(field.name) &&
      !isMessagingField(field) &&
      !isDerivedImage(field),
  );
  const isEntered = (field: FieldDescription) => isEditable(field) || acceptsFile(field);
  const rank = (field: FieldDescription) => {
    if (field.type === 'BINARY') return isPicture(field) ? 0 : 4;
    if (field.name === displayField) return 1;
    return field.required ? 2 : 3;
  };
  const editedFields = visibleFields.filter(isEntered).sort((a, b) => rank(a) - rank(b));
  const isLong = ({ type }: FieldDescription) => type === 'TEXT' || type === 'HTML' || type === 'JSON';
  const shortFields = editedFields.filter((field) => !isLong(field) && field.type !== 'ONE2MANY');
  return {
    short: shortFields.filter(({ name }) => !TECHNICAL_NAME.test(name)),
    technical: shortFields.filter(({ name }) => TECHNICAL_NAME.test(name)),
    long: editedFields.filter(isLong),
    lines: visibleFields.filter(({ type, readonly }) => type === 'ONE2MANY' && !readonly),
    facts: visibleFields.filter((field) => !isEntered(field) && field.type !== 'ONE2MANY'),
  };
}

/** Returns the fields that a form loads. Messages and lines are loaded separately. */
export const getQueryFields = (model: ModelDescription): FieldDescription[] => {
  const { short, long, technical, facts } = splitFormFields(model);
  return [
    ...short,
    ...technical,
    ...long,
    ...facts,
    ...model.fields.filter((field) => isSystemField(field) || field.name === 'active'),
  ];
};

/** True for resized variants of another image field. */
const isDerivedImage = ({ type, readonly, stored }: FieldDescription): boolean =>
  type === 'BINARY' && readonly && !stored;

/** Returns the field's value in its input's format. */
export function getInputValue(field: FieldDescription, values: FormValues): unknown {
  const value = values[getInputKey(field)!];
  if (field.type === 'MANY2MANY') return getLinkedRecords(value);
  if (field.type === 'MANY2ONE')
    return (values[field.relationName!] as NamedRecord | null | undefined) ?? null;
  return value;
}

export function toFormChanges(field: FieldDescription, value: unknown): FormValues {
  if (field.type !== 'MANY2ONE') return { [getInputKey(field)!]: value };
  const record = value as NamedRecord | null;
  return { [field.graphqlName!]: record?.id ?? null, [field.relationName!]: record };
}

const TEXT_TYPES = new Set<FieldDescription['type']>(['CHAR', 'TEXT', 'HTML', 'JSON', 'BINARY']);

/** True if other fields may depend on the field. For example, selecting a customer sets the address. */
export const triggersOnchange = ({ type }: FieldDescription): boolean => !TEXT_TYPES.has(type);
