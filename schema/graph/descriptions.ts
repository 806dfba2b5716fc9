import { memoizePerObject } from '../../src/cache.ts';
import type { Field } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { toCamelCase } from '../../src/engine/model/naming.ts';
import { limits } from '../../src/limits.ts';
import { getFlagText } from './flag-texts.ts';
import { getValueText } from './plan/value-texts.ts';

// Descriptions of models and fields in the record graph: label, help, and facts that GraphQL types cannot express.

const { page, pageDefault } = limits.graphql;

export const describeType = (model: Model): string =>
  joinSentences(`A record of ${describeModelName(model)}`, model.help);

export const describeReadOne = (model: Model): string =>
  joinSentences(
    `Returns the record of ${describeModelName(model)} with this id, or null if the caller cannot read it`,
    model.help,
  );

export const describeReadMany = (model: Model): string =>
  joinSentences(
    `Lists records of ${describeModelName(model)}`,
    `Returns ${pageDefault} unless \`first\` or \`last\` is set (at most ${page})`,
    model.help,
  );

export const describeField: (field: Field) => string = memoizePerObject(
  (field) => joinSentences(describeMeaning(field), describeGroups(field)) || describeLabel(field),
);

const describeMeaning = (field: Field): string =>
  (field.type === 'boolean' && !field.help && getFlagText(field.name)) ||
  joinSentences(getLabel(field), field.help, describeDetails(field));

/** Returns a sentence such as `Due date of the record.` */
const describeLabel = ({ label, type }: Field): string =>
  type === 'boolean'
    ? joinSentences(label)
    : `${label.replace(/(?<= )[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())} of the record.`;

const describeGroups = ({ groups }: Field): string =>
  groups.length > 0
    ? `Null unless the caller is in ${groups.map((group) => `\`${group}\``).join(' or ')}`
    : '';

export function describeValue(
  model: Model,
  field: Field,
  { name, value, label }: { name: string; value: string; label: string },
): string {
  const text = getValueText(model.name, field.name, value);
  return joinSentences(text || (repeatsName(label, name) ? `The value \`${value}\`` : label));
}

export const describeRelation: (field: Field) => string = memoizePerObject((field) =>
  joinSentences(
    getLabel(field),
    field.type === 'many2one'
      ? `${capitalize(withArticle(field.relation!))} record. Null if unset or not visible to the caller`
      : `\`${field.relation}\` records that the caller can read`,
    describeGroups(field),
  ),
);

/** Puts `a` or `an` before a name in backticks. */
export const withArticle = (name: string): string =>
  `${/^([aeio]|u(?!om|ser|tm))/i.test(name) ? 'an' : 'a'} \`${name}\``;

const capitalize = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** Ignores articles, plurals and id suffixes. */
export const repeatsName = (text: string, name: string): boolean => toStem(text) === toStem(name);

const toStem = (text: string): string =>
  text
    .replace(/(?<=[a-z0-9])(?:[A-Z]|_)/g, ' $&')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => !['the', 'a', 'an', 'is', 'has', 'uid'].includes(word))
    .map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''))
    .filter((word, index) => index === 0 || word !== 'id')
    .join('');

const describeModelName = ({ name, label }: Model): string =>
  label === name ? `the model \`${name}\`` : `the model ${label} (\`${name}\`)`;

const getLabel = ({ name, label }: Field): string => (repeatsName(label, name) ? '' : label);

const joinSentences = (...texts: string[]): string =>
  texts
    .filter(Boolean)
    .map((text) => (/[.?!]$/.test(text) ? text : `${text}.`))
    .join(' ');

/** Text about a value's format or target, by field type. */
const DETAILS_BY_TYPE: Partial<Record<Field['type'], (field: Field) => string>> = {
  many2one: ({ relation }) => `Id of ${withArticle(relation!)} record`,
  one2many: ({ relation }) => `Ids of \`${relation}\` records`,
  many2many: ({ relation }) => `Ids of \`${relation}\` records`,
  many2one_reference: ({ modelField }) =>
    modelField
      ? `Id of a record of the model in \`${toCamelCase(modelField)}\``
      : 'Id of a record of any model',
  reference: () => 'A record of any model, as `model,id`',
  selection: describeChoices,
  date: (field) => (getLabel(field) || field.help ? 'Formatted as `YYYY-MM-DD`' : 'Date as `YYYY-MM-DD`'),
  datetime: (field) => (getLabel(field) || field.help ? '' : 'Time in UTC'),
  monetary: ({ currency }) => (currency ? `Amount in the currency of \`${toCamelCase(currency)}\`` : ''),
  html: () => 'HTML',
};

const DETAILS_BY_NAME: Record<string, string> = {
  id: 'Record id',
  display_name: 'Name shown in lists and links',
  active: 'False if the record is archived',
};

const describeDetails = (field: Field): string =>
  DETAILS_BY_NAME[field.name] ?? DETAILS_BY_TYPE[field.type]?.(field) ?? '';

/** Empty for enums, whose values have descriptions. */
function describeChoices({ choices }: Field): string {
  if (choices === 'languages') return 'Code of a language, such as `en_US`';
  if (choices === 'zones') return 'Name of a time zone, such as `Europe/Paris`';
  return '';
}
