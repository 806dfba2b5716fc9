import {
  type FieldDescription,
  getFieldKey,
  getInputKey,
  hasOperation,
  type ModelDescription,
} from './model.ts';

// Documents for records of any model, also of those that a workspace has added: made of what the server says of the
// model. The only operations that are not typed when the application is built. Pure.

/** Values of a record by the names of the GraphQL type. */
export type RecordValues = Record<string, unknown> & { id: string };

/** A record by its name. */
export interface NamedRecord {
  id: string;
  displayName: string;
}

/** What a list answers, under a name that is the same for all models. */
export interface ListResult {
  list: { totalCount: number; nodes: RecordValues[] };
}

export interface RecordResult {
  record: RecordValues | null;
}

/** Records of a list that a form shows of one field. */
const MAX_LINES = 200;
/** Names that a column shows of one field. */
const MAX_NAMES = 5;

/** Types whose records have no name. */
const UNNAMED_TYPES = new Set([
  'SendingDomain',
  'ApiKey',
  'ConnectedAgent',
  'MailThread',
  'ContactBook',
  'Campaign',
  'Template',
  'TemplateVersion',
  'Webhook',
  'WebhookCall',
]);

/** What is said of a file in a field. */
const FILE_SELECTION = '{ size mimetype url }';

const getNameSelection = ({ relationType }: FieldDescription): string =>
  relationType && UNNAMED_TYPES.has(relationType) ? 'id' : 'id displayName';

/** What a document asks of a field; null for what the type does not show. */
export function buildSelection(field: FieldDescription, first = MAX_LINES): string | null {
  const { graphqlName, relationName, list } = field;
  if (list)
    return relationName && `${relationName}(first: ${first}) { nodes { ${getNameSelection(field)} } }`;
  if (relationName) return `${graphqlName ?? ''} ${relationName} { ${getNameSelection(field)} }`.trim();
  return graphqlName && field.type === 'BINARY' ? `${graphqlName} ${FILE_SELECTION}` : graphqlName;
}

function buildFieldSelection(model: ModelDescription, fields: FieldDescription[], first?: number): string {
  const currencies = fields.flatMap(
    ({ currencyField }) => model.fields.find(({ name }) => name === currencyField) ?? [],
  );
  const parts = [...fields, ...currencies].flatMap((field) => buildSelection(field, first) ?? []);
  return [...new Set(['id', 'displayName', ...parts])].join(' ');
}

/** Records by their place in a list, with the columns that are shown; null where the model has no list. */
export function buildListQuery(model: ModelDescription, columns: FieldDescription[]): string | null {
  const { listField, typeName } = model;
  if (!listField) return null;
  return (
    `query Records($first: Int!, $offset: Int!, $where: ${typeName}Where, $orderBy: [${typeName}Order!], ` +
    `$withArchived: Boolean) { list: ${listField}(first: $first, offset: $offset, where: $where, ` +
    `orderBy: $orderBy, withArchived: $withArchived) { totalCount nodes { ${buildFieldSelection(model, columns, MAX_NAMES)} } } }`
  );
}

/** How many records each value of a field has; null where the model has no groups. */
export function buildGroupsQuery(
  { groupField, typeName }: ModelDescription,
  field: FieldDescription,
): string | null {
  const key = field.relationName ? `${field.relationName} { ${getNameSelection(field)} }` : field.graphqlName;
  if (!groupField || !key) return null;
  return (
    `query Groups($where: ${typeName}Where, $groupBy: [${typeName}GroupBy!]!, $withArchived: Boolean) { ` +
    `groups: ${groupField}(where: $where, groupBy: $groupBy, withArchived: $withArchived, first: 100) ` +
    `{ count key { ${key} } } }`
  );
}

/** One record with everything that a form shows. */
export const buildRecordQuery = (model: ModelDescription, fields: FieldDescription[]): string | null =>
  model.queryField &&
  `query Record($id: ID!) { record: ${model.queryField}(id: $id) { ${buildFieldSelection(model, fields)} } }`;

/** A message about a record. */
export interface RecordMessage {
  id: string;
  date: string;
  body: string | null;
  author: NamedRecord | null;
  emailFrom: string | null;
  isInternal: boolean;
  attachments: { nodes: { id: string; name: string }[] };
}

/** Something that somebody is to do about a record. */
export interface Activity {
  id: string;
  summary: string | null;
  dateDeadline: string;
  state: 'OVERDUE' | 'TODAY' | 'PLANNED' | 'DONE' | null;
  activityType: NamedRecord | null;
  user: NamedRecord | null;
}

/** Somebody who hears of messages about a record. */
export interface Follower {
  id: string;
  partnerId: string;
  partner: NamedRecord | null;
}

export interface DiscussionResult {
  record: {
    id: string;
    messageFollowers?: { nodes: Follower[] };
    messages?: { totalCount: number; nodes: RecordMessage[] };
    activities?: { nodes: Activity[] };
  } | null;
}

const DISCUSSION_PARTS: Record<string, string> = {
  'mail.message':
    'messages(first: $first, orderBy: [{ field: ID, direction: DESC }]) { totalCount nodes { id date body ' +
    'emailFrom isInternal author { id displayName } attachments(first: 20) { nodes { id name } } } }',
  'mail.activity':
    'activities(first: 50, orderBy: [{ field: DATE_DEADLINE }]) { nodes { id summary dateDeadline state ' +
    'activityType { id displayName } user { id displayName } } }',
  'mail.followers': 'messageFollowers(first: 200) { nodes { id partnerId partner { id displayName } } }',
};

const DISCUSSION_FIELDS = new Set(['messages', 'activities', 'messageFollowers']);

/** What was said about a record and what is to be done; null where the model has neither. */
export function buildDiscussionQuery({ queryField, fields }: ModelDescription): string | null {
  const parts = fields.flatMap(({ relation, relationName }) =>
    relationName !== null && DISCUSSION_FIELDS.has(relationName)
      ? (DISCUSSION_PARTS[relation ?? ''] ?? [])
      : [],
  );
  if (!queryField || parts.length === 0) return null;
  const first = parts.some((part) => part.includes('$first')) ? ', $first: Int!' : '';
  return `query Discussion($id: ID!${first}) { record: ${queryField}(id: $id) { id ${parts.join(' ')} } }`;
}

/** Creates a record of an `input`. */
export function buildCreateMutation({ queryField, typeName }: ModelDescription): string {
  return (
    `mutation Create($input: ${typeName}CreateInput!) { record: ${queryField}Create(input: $input) ` +
    '{ id displayName } }'
  );
}

/**
 * Changes as many records as the person has seen, or none: those of `where`, of which there have to be `count`. The
 * condition of one record holds the time it was last changed, so that nothing of somebody else is written over.
 */
export function buildUpdateMutation(model: ModelDescription, fields: FieldDescription[]): string {
  return (
    `mutation Write($where: ${model.typeName}Where!, $input: ${model.typeName}UpdateInput!, $count: Int!) ` +
    `{ records: ${model.listField}Update(where: $where, input: $input, expectCount: $count) ` +
    `{ ${buildFieldSelection(model, fields)} } }`
  );
}

/** Deletes records by their ids. */
export const buildDeleteMutation = ({ listField }: ModelDescription): string =>
  `mutation Delete($ids: [ID!]!) { deleted: ${listField}Delete(ids: $ids) { count } }`;

/** What the person may do to records of the model by these documents. */
export const getRights = (model: ModelDescription) => ({
  create: model.access.create && hasOperation(model, `${model.queryField}Create`),
  update: model.access.update && hasOperation(model, `${model.listField}Update`),
  delete: model.access.delete && hasOperation(model, `${model.listField}Delete`),
});

/** The name of a field in an order or in groups, such as `EXPECTED_REVENUE`. */
export const toEnumName = (field: FieldDescription): string =>
  getFieldKey(field)!
    .replace(/(?<=[a-z0-9])[A-Z]/g, '_$&')
    .toUpperCase();

const NUMBER_TYPES = new Set<FieldDescription['type']>(['INTEGER', 'FLOAT', 'MONETARY']);

/** Lines of a form that were added, changed and taken away, as inputs. */
export interface LineChanges {
  create: Record<string, unknown>[];
  update: { id: string; input: Record<string, unknown> }[];
  delete: string[];
}

function toInputValue(field: FieldDescription, value: unknown, isNew: boolean): unknown {
  if (field.type === 'MANY2MANY') {
    const ids = (value as NamedRecord[]).map(({ id }) => id);
    return isNew ? { connect: ids } : { set: ids };
  }
  if (field.type === 'ONE2MANY') {
    const { create, ...others } = value as LineChanges;
    return isNew ? { create } : { create, ...others };
  }
  if (value === undefined || value === null || value === '') return null;
  return NUMBER_TYPES.has(field.type) ? Number(value) : value;
}

/** Values of a form as an input takes them; a new record leaves what is empty to the server. */
export const buildInput = (
  fields: FieldDescription[],
  values: Record<string, unknown>,
  isNew: boolean,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const key = getInputKey(field);
      if (key === null || !(key in values)) return [];
      const value = toInputValue(field, values[key], isNew);
      return isNew && value === null ? [] : [[key, value]];
    }),
  );

/** Values of a form in the record API, which says what follows from a change. */
export const toApiValues = (
  fields: FieldDescription[],
  values: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const key = getInputKey(field);
      return key === null || !(key in values) || field.type === 'ONE2MANY'
        ? []
        : [[field.name, toApiValue(field, values[key])]];
    }),
  );

function toApiValue(field: FieldDescription, value: unknown): unknown {
  if (field.type === 'MANY2MANY') return [[6, 0, getLinkedRecords(value).map(({ id }) => Number(id))]];
  if (value === null || value === undefined || value === '') return false;
  if (field.type === 'MANY2ONE' || NUMBER_TYPES.has(field.type)) return Number(value);
  if (field.type === 'SELECTION')
    return field.selection?.find(({ graphqlName }) => graphqlName === value)?.value ?? value;
  if (field.type === 'DATETIME') return String(value).slice(0, 19).replace('T', ' ');
  return value;
}

/** What the record API is asked to answer of these fields. */
export const buildApiSpec = (fields: FieldDescription[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) =>
      getInputKey(field) === null || field.type === 'ONE2MANY'
        ? []
        : [[field.name, field.relation ? { fields: { display_name: {} } } : {}]],
    ),
  );

/** The answer of the record API as values of a form: by input names, and records that fields lead to by their own. */
export function fromApiValues(
  fields: FieldDescription[],
  response: Record<string, unknown>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const key = getInputKey(field);
    if (key === null || !(field.name in response)) continue;
    const value = response[field.name];
    if (field.type === 'MANY2MANY') values[key] = parseLinks(value);
    else if (field.type === 'MANY2ONE') {
      const record = value ? toNamedRecord(value) : null;
      values[key] = record?.id ?? null;
      if (field.relationName) values[field.relationName] = record;
    } else values[key] = toScalar(field, value);
  }
  return values;
}

function toScalar(field: FieldDescription, value: unknown): unknown {
  if (field.type === 'BOOLEAN') return value === true;
  if (value === false || value === null) return null;
  if (field.type === 'SELECTION')
    return field.selection?.find((option) => option.value === value)?.graphqlName ?? value;
  if (field.type === 'DATETIME') return `${String(value).replace(' ', 'T')}Z`;
  return value;
}

/** Records that a field leads to: as a form holds them, or as the server answers them. */
export const getLinkedRecords = (value: unknown): NamedRecord[] =>
  Array.isArray(value) ? value : ((value as { nodes: NamedRecord[] } | null | undefined)?.nodes ?? []);

interface ApiRecord {
  id: number;
  display_name?: string;
}

const toNamedRecord = (value: unknown): NamedRecord => {
  const { id, display_name } = (typeof value === 'number' ? { id: value } : value) as ApiRecord;
  return { id: String(id), displayName: display_name ?? String(id) };
};

/** Records of a list: as they are read, or as the links of an `onchange`. */
const parseLinks = (value: unknown): NamedRecord[] =>
  (Array.isArray(value) ? value : []).flatMap((each) => {
    if (!Array.isArray(each)) return [toNamedRecord(each)];
    const [command, id, vals] = each as [number, number, ApiRecord | undefined];
    return command === 4 ? [toNamedRecord({ ...vals, id })] : [];
  });
