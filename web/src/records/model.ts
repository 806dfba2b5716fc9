import type { RecordModelQuery } from './generated.ts';

// The routes import this file, so it must not import the GraphQL documents.

/** A model's description, limited to the user's permissions. */
export type ModelDescription = RecordModelQuery['modelDescribe'];
export type FieldDescription = ModelDescription['fields'][number];

/** A button of a form, and the operation that it runs. */
export type FormAction = NonNullable<ModelDescription['operations'][number]['action']> & {
  operation: string;
};

/**
 * Returns the field's key in record values. For a relation, it is the key of the related record. Null if that key
 * belongs to another field of the model, because only the id of the record is available then.
 */
export const getFieldKey = ({ relation, relationName, graphqlName }: FieldDescription): string | null =>
  relationName ?? (relation ? null : graphqlName);

/** Returns the field's key in inputs, or null if it cannot be set. */
export const getInputKey = (field: FieldDescription): string | null =>
  field.list ? field.relationName : field.graphqlName;

export const findField = (model: ModelDescription, key: string): FieldDescription | undefined =>
  model.fields.find((field) => getFieldKey(field) === key);

export const isNumeric = ({ type }: FieldDescription): boolean =>
  type === 'INTEGER' || type === 'FLOAT' || type === 'MONETARY';

/** Fields that the server sets. Forms show them as read-only. */
const SYSTEM_FIELDS = new Set(['id', 'create_uid', 'create_date', 'write_uid', 'write_date', 'display_name']);

export const isSystemField = ({ name }: FieldDescription): boolean => SYSTEM_FIELDS.has(name);

/** Models whose records are shown next to a form. */
const MESSAGE_MODELS = new Set(['mail.message', 'mail.followers', 'mail.activity', 'mail.tracking.value']);

export const linksToMessages = ({ relation }: FieldDescription): boolean =>
  relation !== null && MESSAGE_MODELS.has(relation);

/** True for messages and activities, which are shown next to the form. */
export const isMessagingField = (field: FieldDescription): boolean =>
  linksToMessages(field) || /^(?:message|activity)_/.test(field.name);

export const hasOperation = ({ operations }: ModelDescription, name: string): boolean =>
  operations.some(({ field }) => field === name);

/** Field types whose input fits into a cell. */
export const CELL_TYPES: ReadonlySet<FieldDescription['type']> = new Set([
  'CHAR',
  'SELECTION',
  'MANY2ONE',
  'MONETARY',
  'FLOAT',
  'INTEGER',
  'DATE',
  'DATETIME',
  'BOOLEAN',
]);

/** Field types that fit into a single-line column. */
const COLUMN_TYPES: ReadonlySet<FieldDescription['type']> = new Set([...CELL_TYPES, 'MANY2MANY', 'BINARY']);

export const getColumnFields = ({ fields }: ModelDescription): FieldDescription[] =>
  fields.filter(
    (field) =>
      getFieldKey(field) !== null &&
      field.name !== 'id' &&
      COLUMN_TYPES.has(field.type) &&
      !linksToMessages(field) &&
      (field.type !== 'BINARY' || field.stored),
  );

const DEFAULT_COLUMN_COUNT = 5;

export function getDefaultColumns(model: ModelDescription): string[] {
  const fields = getColumnFields(model).filter(
    (field) =>
      // Other display names, such as that of a product, contain the name.
      field.name !== model.displayField &&
      field.name !== 'name' &&
      field.stored &&
      field.type !== 'BINARY' &&
      !isMessagingField(field),
  );
  const mainFields = model.mainFields.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return [
    'displayName',
    ...mainFields.slice(0, DEFAULT_COLUMN_COUNT - 1).map((field) => getFieldKey(field)!),
  ];
}
