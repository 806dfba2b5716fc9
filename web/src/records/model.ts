import { language } from '../i18n/language.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { RecordModelDocument, type RecordModelQuery } from './generated.ts';

/** A model as the server describes it to the person who looks. */
export type ModelDescription = RecordModelQuery['modelDescribe'];
export type FieldDescription = ModelDescription['fields'][number];

/** A model by its technical name, as it is known in the cache. */
export const useModel = (model: string) => {
  const { data, refusal, reload } = useGraphqlQuery(RecordModelDocument, { model, lang: language });
  return { model: data?.modelDescribe, refusal, reload };
};

/** The name under which a record holds a field: of the record it leads to, or of its value. Pure. */
export const getFieldKey = (field: FieldDescription): string | null =>
  field.relationName ?? field.graphqlName;

/** The name by which an input sets a field; null for what has none. Pure. */
export const getInputKey = (field: FieldDescription): string | null =>
  field.list ? field.relationName : field.graphqlName;

/** What a list and a form call a field by: the one that conditions use, too. Pure. */
export const findField = (model: ModelDescription, key: string): FieldDescription | undefined =>
  model.fields.find((field) => getFieldKey(field) === key);

/** The server keeps who wrote a record and when; a form shows them as facts. */
const SYSTEM_FIELDS = new Set(['id', 'create_uid', 'create_date', 'write_uid', 'write_date', 'display_name']);

export const isSystemField = ({ name }: FieldDescription): boolean => SYSTEM_FIELDS.has(name);

/** Models whose records stand beside a form, not in it. */
const MESSAGE_MODELS = new Set(['mail.message', 'mail.followers', 'mail.activity', 'mail.tracking.value']);

export const linksToMessages = ({ relation }: FieldDescription): boolean =>
  relation !== null && MESSAGE_MODELS.has(relation);

/** Whether a part of an application of its own shows the field: messages and activities. Pure. */
export const isMessagingField = (field: FieldDescription): boolean =>
  linksToMessages(field) || /^(?:message|activity)_/.test(field.name);

/** Whether the person may do this to records of the model. Pure. */
export const hasOperation = ({ operations }: ModelDescription, name: string): boolean =>
  operations.some(({ field }) => field === name);

/** Kinds that a column can show in one line. */
const COLUMN_TYPES = new Set<FieldDescription['type']>([
  'CHAR',
  'SELECTION',
  'MANY2ONE',
  'MONETARY',
  'FLOAT',
  'INTEGER',
  'DATE',
  'DATETIME',
  'BOOLEAN',
  'MANY2MANY',
  'BINARY',
]);

/** Fields that a column can show. Pure. */
export const getColumnFields = ({ fields }: ModelDescription): FieldDescription[] =>
  fields.filter(
    (field) =>
      getFieldKey(field) !== null &&
      field.name !== 'id' &&
      COLUMN_TYPES.has(field.type) &&
      !linksToMessages(field) &&
      (field.type !== 'BINARY' || field.stored),
  );

/** Columns of a list until the person chooses others. */
const DEFAULT_COLUMN_COUNT = 5;

/** Fields by what is looked for first in a list of any model; what is not named comes last. */
const PREFERRED_FIELDS = [
  'partner_id',
  'stage_id',
  'state',
  'project_id',
  'expected_revenue',
  'amount_total',
  'list_price',
  'date_order',
  'date_deadline',
  'start',
  'email',
  'phone',
  'city',
  'user_id',
  'priority',
  'country_id',
];

const EXCLUDED_DEFAULTS = new Set(['active', 'color', 'sequence']);

/** The columns a list begins with: the name, and what says most of a record beside it. Pure. */
export function getDefaultColumns(model: ModelDescription): string[] {
  const rank = ({ name }: FieldDescription) => {
    const at = PREFERRED_FIELDS.indexOf(name);
    return at < 0 ? PREFERRED_FIELDS.length : at;
  };
  const others = getColumnFields(model)
    .filter((field) => field.name !== model.displayField && !isSystemField(field) && !isMessagingField(field))
    .filter(({ name, stored, type }) => stored && type !== 'BINARY' && !EXCLUDED_DEFAULTS.has(name))
    .sort((a, b) => rank(a) - rank(b));
  return ['displayName', ...others.slice(0, DEFAULT_COLUMN_COUNT - 1).map((field) => getFieldKey(field)!)];
}
