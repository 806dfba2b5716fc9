import { linkedNames, type Named } from './document.ts';
import { type Described, type DescribedField, inputKeyOf, isKept, isOfMessages, keyOf } from './model.ts';

/** Values of a form by the names of inputs, and the records that fields lead to by theirs. */
export type FormValues = Record<string, unknown>;

/** Parts of a form. */
export interface FormParts {
  /** What fits beside others. */
  short: DescribedField[];
  /** Texts, which have the width to themselves. */
  long: DescribedField[];
  /** Records that belong to this one. */
  lines: DescribedField[];
  /** What the server works out. */
  facts: DescribedField[];
}

/** What a form leaves to other parts of the screen. */
const ELSEWHERE = new Set(['id', 'active', 'display_name', 'color', 'sequence']);
const FACTS_ONLY = new Set<DescribedField['type']>([
  'REFERENCE',
  'MANY2ONE_REFERENCE',
  'STRINGS',
  'PROPERTIES',
  'PROPERTIES_DEFINITION',
  'BINARY',
]);

/** Whether a form can change it. Pure. */
export const isEditable = (field: DescribedField): boolean =>
  !field.readonly && inputKeyOf(field) !== null && !FACTS_ONLY.has(field.type) && !isKept(field);

/** Whether a form can put a file into it. Pure. */
export const takesFile = (field: DescribedField): boolean =>
  field.type === 'BINARY' && !field.readonly && field.graphqlName !== null;

/** Whether it is for a picture, as far as its name says. Pure. */
export const isPicture = ({ name }: DescribedField): boolean =>
  /(?:^|_)(?:image|photo|picture|logo|avatar)(?:_|$)/.test(name);

/** Fields of a form in their parts: a picture, and what a record has to have, come first. Pure. */
export function formParts({ fields, displayField }: Described): FormParts {
  const shown = fields.filter(
    (field) =>
      keyOf(field) !== null && !ELSEWHERE.has(field.name) && !isOfMessages(field) && !isMadeOfAnother(field),
  );
  const isEntered = (field: DescribedField) => isEditable(field) || takesFile(field);
  const rank = (field: DescribedField) => {
    if (field.type === 'BINARY') return isPicture(field) ? 0 : 4;
    if (field.name === displayField) return 1;
    return field.required ? 2 : 3;
  };
  const edited = shown.filter(isEntered).sort((a, b) => rank(a) - rank(b));
  const isLong = ({ type }: DescribedField) => type === 'TEXT' || type === 'HTML' || type === 'JSON';
  return {
    short: edited.filter((field) => !isLong(field) && field.type !== 'ONE2MANY'),
    long: edited.filter(isLong),
    lines: shown.filter(({ type }) => type === 'ONE2MANY'),
    facts: shown.filter((field) => !isEntered(field) && field.type !== 'ONE2MANY'),
  };
}

/** Smaller pictures of a picture that another field has. */
const isMadeOfAnother = ({ type, readonly, stored }: DescribedField): boolean =>
  type === 'BINARY' && readonly && !stored;

/** The value of a field as its input shows it. Pure. */
export function enteredValue(field: DescribedField, values: FormValues): unknown {
  const value = values[inputKeyOf(field)!];
  if (field.type === 'MANY2MANY') return linkedNames(value);
  if (field.type === 'MANY2ONE') return (values[field.relationName!] as Named | null | undefined) ?? null;
  return value;
}

/** The changes of a form when a field gets a value. Pure. */
export function withValue(field: DescribedField, value: unknown): FormValues {
  if (field.type !== 'MANY2ONE') return { [inputKeyOf(field)!]: value };
  const record = value as Named | null;
  return { [field.graphqlName!]: record?.id ?? null, [field.relationName!]: record };
}

/** Kinds of which other fields may follow at once, such as the address of a customer. Pure. */
export const isFollowed = ({ type }: DescribedField): boolean =>
  type === 'MANY2ONE' || type === 'SELECTION' || type === 'BOOLEAN' || type === 'MANY2MANY';

/** An instant as `datetime-local` has it, in the zone of the browser. Pure. */
export function localOf(iso: string): string {
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
