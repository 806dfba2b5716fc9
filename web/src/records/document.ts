import {
  type FieldDescription,
  type FormAction,
  getFieldKey,
  getInputKey,
  hasOperation,
  isNumeric,
  type ModelDescription,
} from './model.ts';

// Builds GraphQL documents from the description of a model, which may be defined in the workspace. Only these
// operations are not typed at build time.

/** Values of a record by GraphQL field name. */
export type RecordValues = Record<string, unknown> & { id: string };

export interface NamedRecord {
  id: string;
  displayName: string;
}

/** Result of a list query. The alias is the same for all models. */
export interface ListResult {
  list: { totalCount: number; nodes: RecordValues[] };
}

export interface RecordResult {
  record: RecordValues | null;
}

/** Maximum number of related records that a form loads per field. */
const MAX_LINES = 200;
/** Maximum number of names that a column loads per field. */
const MAX_NAMES = 5;

/** GraphQL types without `displayName`. */
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

const FILE_SELECTION = '{ size mimetype url }';

const getNameSelection = ({ relationType }: FieldDescription): string =>
  relationType && UNNAMED_TYPES.has(relationType) ? 'id' : 'id displayName';

/** Returns a field's GraphQL selection, or null if the type does not expose the field. */
function buildSelection(field: FieldDescription, first = MAX_LINES): string | null {
  const { graphqlName, relationName, list } = field;
  if (list)
    return relationName && `${relationName}(first: ${first}) { nodes { ${getNameSelection(field)} } }`;
  if (relationName) return `${graphqlName ?? ''} ${relationName} { ${getNameSelection(field)} }`.trim();
  return graphqlName && field.type === 'BINARY' ? `${graphqlName} ${FILE_SELECTION}` : graphqlName;
}

/** Returns the version of a record, which changes with each update, or null if the model has no versions. */
export const getVersion = ({ versionField }: ModelDescription, record: RecordValues): number | null =>
  versionField === null ? null : (record[versionField] as number);

/** Builds a filter that matches a record only if it still has the version. */
export const matchVersion = ({ versionField }: ModelDescription, version: number | null): object =>
  versionField === null ? {} : { [versionField]: { eq: version } };

/** Adds the currencies of monetary fields. */
export const withCurrencies = (model: ModelDescription, fields: FieldDescription[]): FieldDescription[] => [
  ...new Set([
    ...fields,
    ...fields.flatMap(({ currencyField }) => model.fields.find(({ name }) => name === currencyField) ?? []),
  ]),
];

/** Returns the selection of the given fields, and of the record's id, name, version and currencies. */
export function buildFieldSelection(
  model: ModelDescription,
  fields: FieldDescription[],
  first?: number,
): string {
  const parts = withCurrencies(model, fields).flatMap((field) => buildSelection(field, first) ?? []);
  const version = model.versionField === null ? [] : [model.versionField];
  return [...new Set(['id', 'displayName', ...version, ...parts])].join(' ');
}

/** Builds the query for a page of records with the given columns. Returns null if the model has no list. */
export function buildListQuery(model: ModelDescription, columns: FieldDescription[]): string | null {
  const { listField, typeName } = model;
  if (!listField) return null;
  return (
    `query Records($first: Int!, $offset: Int!, $where: ${typeName}Where, $orderBy: [${typeName}Order!], ` +
    `$withArchived: Boolean) { list: ${listField}(first: $first, offset: $offset, where: $where, ` +
    'orderBy: $orderBy, withArchived: $withArchived) { totalCount nodes { ' +
    `${buildFieldSelection(model, columns, MAX_NAMES)} } } }`
  );
}

/** Builds the query for the number of records per value of a field. Returns null if the model cannot be grouped. */
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

/** Loads the lines of a record through the record, so that the result of an update replaces them in the cache. */
export const buildLinesQuery = (
  { queryField }: ModelDescription,
  field: FieldDescription,
  lines: LineColumns,
): string =>
  `query Lines($id: ID!) { record: ${queryField}(id: $id) { id ${buildLineSelection(field, lines)} } }`;

const buildLineSelection = ({ relationName }: FieldDescription, { model, columns }: LineColumns): string =>
  `${relationName}(first: ${MAX_LINES}) ` +
  `{ totalCount nodes { ${buildFieldSelection(model, columns, MAX_NAMES)} } }`;

/** Alias of the newest lines of a list. After a save, they include the created lines. */
export const getNewestAlias = (list: string): string => `newest_${list}`;

/** A list is limited and has the order of the model, so it can lack created lines. */
function buildNewestSelection({ relationName }: FieldDescription, { added }: LineEdits): string {
  const first = Math.min(added.length, MAX_LINES);
  const order = '[{ field: ID, direction: DESC }]';
  return first === 0
    ? ''
    : ` ${getNewestAlias(relationName!)}: ${relationName}(first: ${first}, orderBy: ${order}) { nodes { id } }`;
}

/** Returns the selection of the lists whose lines the values change. */
const buildEditedLines = ({ fields }: ModelDescription, values: Record<string, unknown>): string =>
  fields
    .flatMap((field) => {
      const edits = values[getInputKey(field) ?? ''];
      return isLineEdits(edits)
        ? [` ${buildLineSelection(field, edits)}${buildNewestSelection(field, edits)}`]
        : [];
    })
    .join('');

export const buildRecordQuery = (model: ModelDescription, fields: FieldDescription[]): string | null =>
  model.queryField &&
  `query Record($id: ID!) { record: ${model.queryField}(id: $id) { ${buildFieldSelection(model, fields)} } }`;

/** @param values values whose lists of lines are loaded in addition to the fields */
export const buildCreateMutation = (
  model: ModelDescription,
  fields: FieldDescription[],
  values: Record<string, unknown> = {},
): string =>
  `mutation Create($input: ${model.typeName}CreateInput!) { record: ${model.queryField}Create(input: $input) ` +
  `{ ${buildFieldSelection(model, fields)}${buildEditedLines(model, values)} } }`;

/**
 * Builds an update of a record. With a version, the update fails if the record has been changed since.
 * @param values values whose lists of lines are loaded in addition to the fields
 */
export function buildUpdateMutation(
  model: ModelDescription,
  fields: FieldDescription[],
  values: Record<string, unknown> = {},
): string {
  const [variable, argument] = model.versionField
    ? [', $version: Int', ', expectedVersion: $version']
    : ['', ''];
  return (
    `mutation Write($id: ID!, $input: ${model.typeName}UpdateInput!${variable}) ` +
    `{ record: ${model.queryField}Update(id: $id, input: $input${argument}) ` +
    `{ ${buildFieldSelection(model, fields)}${buildEditedLines(model, values)} } }`
  );
}

/** Builds the call of an operation that changes records of the model. */
export function buildActionMutation({ operation, arguments: asked }: FormAction): string {
  const variables = asked.map(({ name, relation }) => `, $${name}: ${relation ? 'ID' : 'String'}`).join('');
  const inputs = asked.map(({ name }) => `, ${name}: $${name}`).join('');
  return `mutation Action($ids: [ID!]!${variables}) { records: ${operation}(ids: $ids${inputs}) { __typename } }`;
}

export const buildDeleteMutation = ({ listField }: ModelDescription): string =>
  `mutation Delete($ids: [ID!]!) { deleted: ${listField}Delete(ids: $ids) { count } }`;

export const getRights = (model: ModelDescription) => ({
  create: model.access.create && hasOperation(model, `${model.queryField}Create`),
  update: model.access.update && hasOperation(model, `${model.listField}Update`),
  delete: model.access.delete && hasOperation(model, `${model.listField}Delete`),
});

/** Returns the enum value of a field for sorting and grouping, such as `EXPECTED_REVENUE`. */
export const toEnumName = (field: FieldDescription): string =>
  getFieldKey(field)!
    .replace(/(?<=[a-z0-9])[A-Z]/g, '_$&')
    .toUpperCase();

interface LineColumns {
  /** The model of the lines. */
  model: ModelDescription;
  columns: FieldDescription[];
}

/** Unsaved changes to the lines of a record. */
export interface LineEdits extends LineColumns {
  /** Fields of the lines that can be set. */
  fields: FieldDescription[];
  added: { key: string; values: Record<string, unknown> }[];
  /** Changed values by line id. */
  changed: Record<string, Record<string, unknown>>;
  removedIds: string[];
}

export const isLineEdits = (value: unknown): value is LineEdits =>
  typeof value === 'object' && value !== null && 'removedIds' in value;

function toInputValue(field: FieldDescription, value: unknown, isNew: boolean): unknown {
  if (field.type === 'MANY2MANY') {
    const ids = (value as NamedRecord[]).map(({ id }) => id);
    return isNew ? { connect: ids } : { set: ids };
  }
  if (field.type === 'ONE2MANY') {
    const { fields, added, changed, removedIds } = value as LineEdits;
    const create = added.map((line) => buildInput(fields, line.values, true));
    const update = Object.entries(changed).map(([id, values]) => ({
      id,
      input: buildInput(fields, values, false),
    }));
    return isNew ? { create } : { create, update, delete: removedIds };
  }
  if (value === undefined || value === null || value === '') return null;
  return isNumeric(field) ? Number(value) : value;
}

/** Converts form values to an input. Omits empty values of a new record, so that the server can set defaults. */
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

/** Converts form values to the format of the record API, whose `onchange` computes dependent values. */
export const toApiValues = (
  fields: FieldDescription[],
  values: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const key = getInputKey(field);
      return key === null || !(key in values) || (field.type === 'ONE2MANY' && !isLineEdits(values[key]))
        ? []
        : [[field.name, toApiValue(field, values[key])]];
    }),
  );

function toApiValue(field: FieldDescription, value: unknown): unknown {
  if (isLineEdits(value)) return toLineCommands(value);
  if (field.type === 'MANY2MANY') return [[6, 0, getLinkedRecords(value).map(({ id }) => Number(id))]];
  if (value === null || value === undefined || value === '') return false;
  if (field.type === 'MANY2ONE' || isNumeric(field)) return Number(value);
  if (field.type === 'SELECTION')
    return field.selection?.find(({ graphqlName }) => graphqlName === value)?.value ?? value;
  if (field.type === 'DATETIME') return String(value).slice(0, 19).replace('T', ' ');
  return value;
}

const toLineCommands = ({ fields, added, changed, removedIds }: LineEdits): unknown[][] => [
  ...removedIds.map((id) => [2, Number(id)]),
  ...Object.entries(changed).map(([id, values]) => [1, Number(id), toApiValues(fields, values)]),
  // The server could not compute an order with an empty line.
  ...added.flatMap(({ key, values }) =>
    Object.keys(values).length > 0 ? [[0, key, toApiValues(fields, values)]] : [],
  ),
];

/** @param values the form's values, whose changed lines are included */
export const buildApiSpec = (
  fields: FieldDescription[],
  values: Record<string, unknown>,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field): [string, object][] => {
      const key = getInputKey(field);
      if (key === null) return [];
      const lines = values[key];
      if (field.type === 'ONE2MANY')
        return isLineEdits(lines)
          ? [[field.name, { fields: buildApiSpec(withCurrencies(lines.model, lines.columns), {}) }]]
          : [];
      return [[field.name, field.relation ? { fields: { display_name: {} } } : {}]];
    }),
  );

export function fromApiValues(
  fields: FieldDescription[],
  response: Record<string, unknown>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const key = getInputKey(field);
    if (key === null || !(field.name in response) || field.type === 'ONE2MANY') continue;
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

/** Returns related records from form values or a server response. */
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

/** Returns related records from a read or from the link commands of an `onchange`. */
const parseLinks = (value: unknown): NamedRecord[] =>
  (Array.isArray(value) ? value : []).flatMap((item) => {
    if (!Array.isArray(item)) return [toNamedRecord(item)];
    const [command, id, vals] = item as [number, number, ApiRecord | undefined];
    return command === 4 ? [toNamedRecord({ ...vals, id })] : [];
  });
