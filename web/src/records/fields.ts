import { getLinkedRecords, type NamedRecord } from './document.ts';
import {
  type FieldDescription,
  getFieldKey,
  getInputKey,
  isMessagingField,
  isSystemField,
  type ModelDescription,
} from './model.ts';

/** Values of a form by the names of inputs, and the records that fields lead to by theirs. */
export type FormValues = Record<string, unknown>;

/** Parts of a form. */
export interface FormSections {
  /** What fits beside others. */
  short: FieldDescription[];
  /** Texts, which have the width to themselves. */
  long: FieldDescription[];
  /** Records that belong to this one. */
  lines: FieldDescription[];
  /** What the server works out. */
  facts: FieldDescription[];
}

/** What a form leaves to other parts of the screen. */
const EXCLUDED_FIELDS = new Set(['id', 'active', 'display_name', 'color', 'sequence']);
const READONLY_TYPES = new Set<FieldDescription['type']>([
  'REFERENCE',
  'MANY2ONE_REFERENCE',
  'STRINGS',
  'PROPERTIES',
  'PROPERTIES_DEFINITION',
  'BINARY',
]);

/** Whether a form can change it. Pure. */
export const isEditable = (field: FieldDescription): boolean =>
  !field.readonly && getInputKey(field) !== null && !READONLY_TYPES.has(field.type) && !isSystemField(field);

/** Whether a form can put a file into it. Pure. */
export const acceptsFile = (field: FieldDescription): boolean =>
  field.type === 'BINARY' && !field.readonly && field.graphqlName !== null;

/** Whether it is for a picture, as far as its name says. Pure. */
export const isPicture = ({ name }: FieldDescription): boolean =>
  /(?:^|_)(?:image|photo|picture|logo|avatar)(?:_|$)/.test(name);

/** Fields of a form in their parts: a picture, and what a record has to have, come first. Pure. */
export function splitFormFields({ fields, displayField }: ModelDescription): FormSections {
  const shown = fields.filter(
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
  const edited = shown.filter(isEntered).sort((a, b) => rank(a) - rank(b));
  const isLong = ({ type }: FieldDescription) => type === 'TEXT' || type === 'HTML' || type === 'JSON';
  return {
    short: edited.filter((field) => !isLong(field) && field.type !== 'ONE2MANY'),
    long: edited.filter(isLong),
    lines: shown.filter(({ type }) => type === 'ONE2MANY'),
    facts: shown.filter((field) => !isEntered(field) && field.type !== 'ONE2MANY'),
  };
}

/** Smaller pictures of a picture that another field has. */
const isDerivedImage = ({ type, readonly, stored }: FieldDescription): boolean =>
  type === 'BINARY' && readonly && !stored;

/** The value of a field as its input shows it. Pure. */
export function getInputValue(field: FieldDescription, values: FormValues): unknown {
  const value = values[getInputKey(field)!];
  if (field.type === 'MANY2MANY') return getLinkedRecords(value);
  if (field.type === 'MANY2ONE')
    return (values[field.relationName!] as NamedRecord | null | undefined) ?? null;
  return value;
}

/** The changes of a form when a field gets a value. Pure. */
export function toFormChanges(field: FieldDescription, value: unknown): FormValues {
  if (field.type !== 'MANY2ONE') return { [getInputKey(field)!]: value };
  const record = value as NamedRecord | null;
  return { [field.graphqlName!]: record?.id ?? null, [field.relationName!]: record };
}

/** Kinds of which other fields may follow at once, such as the address of a customer. Pure. */
export const triggersOnchange = ({ type }: FieldDescription): boolean =>
  type === 'MANY2ONE' || type === 'SELECTION' || type === 'BOOLEAN' || type === 'MANY2MANY';

/** An instant as `datetime-local` has it, in the zone of the browser. Pure. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
