import { language } from '../i18n/language.ts';
import { useAnswer } from '../shell/answer.ts';
import { RecordModelDocument, type RecordModelQuery } from './generated.ts';

/** A model as the server describes it to the person who looks. */
export type Described = RecordModelQuery['modelDescribe'];
export type DescribedField = Described['fields'][number];

/** A model by its technical name, as it is known in the cache. */
export const useModel = (model: string) => {
  const { data, refusal, reload } = useAnswer(RecordModelDocument, { model, lang: language });
  return { model: data?.modelDescribe, refusal, reload };
};

/** The name under which a record holds a field: of the record it leads to, or of its value. Pure. */
export const keyOf = (field: DescribedField): string | null => field.relationName ?? field.graphqlName;

/** The name by which an input sets a field; null for what has none. Pure. */
export const inputKeyOf = (field: DescribedField): string | null =>
  field.list ? field.relationName : field.graphqlName;

/** What a list and a form call a field by: the one that conditions use, too. Pure. */
export const fieldNamed = (model: Described, key: string): DescribedField | undefined =>
  model.fields.find((field) => keyOf(field) === key);

/** The server keeps who wrote a record and when; a form shows them as facts. */
const KEPT = new Set(['id', 'create_uid', 'create_date', 'write_uid', 'write_date', 'display_name']);

export const isKept = ({ name }: DescribedField): boolean => KEPT.has(name);

/** Models whose records stand beside a form, not in it. */
const BESIDE = new Set(['mail.message', 'mail.followers', 'mail.activity', 'mail.tracking.value']);

export const isBeside = ({ relation }: DescribedField): boolean => relation !== null && BESIDE.has(relation);

/** Whether a part of an application of its own shows the field: messages and activities. Pure. */
export const isOfMessages = (field: DescribedField): boolean =>
  isBeside(field) || /^(?:message|activity)_/.test(field.name);

/** Whether the person may do this to records of the model. Pure. */
export const hasOperation = ({ operations }: Described, name: string): boolean =>
  operations.some(({ field }) => field === name);

/** Kinds that a column can show in one line. */
const IN_COLUMNS = new Set<DescribedField['type']>([
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
export const columnFields = ({ fields }: Described): DescribedField[] =>
  fields.filter(
    (field) =>
      keyOf(field) !== null &&
      field.name !== 'id' &&
      IN_COLUMNS.has(field.type) &&
      !isBeside(field) &&
      (field.type !== 'BINARY' || field.stored),
  );

/** Columns of a list until the person chooses others. */
const COLUMNS = 5;

/** Fields by what is looked for first in a list of any model; what is not named comes last. */
const FIRST = [
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

const NOT_FIRST = new Set(['active', 'color', 'sequence']);

/** The columns a list begins with: the name, and what says most of a record beside it. Pure. */
export function usualColumns(model: Described): string[] {
  const rank = ({ name }: DescribedField) => {
    const at = FIRST.indexOf(name);
    return at < 0 ? FIRST.length : at;
  };
  const others = columnFields(model)
    .filter((field) => field.name !== model.displayField && !isKept(field) && !isOfMessages(field))
    .filter(({ name, stored, type }) => stored && type !== 'BINARY' && !NOT_FIRST.has(name))
    .sort((a, b) => rank(a) - rank(b));
  return ['displayName', ...others.slice(0, COLUMNS - 1).map((field) => keyOf(field)!)];
}
