import {
  type GraphQLType,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Operation } from '../operation/operation.ts';
import { listParameters, type Parameter, type RootField, takesIds } from '../operation/operation.ts';

/** A parameter in the format of `/doc`. It is required if it has no `default`. */
interface ParameterDoc {
  default?: unknown;
  annotation: string;
  /** HTML. */
  doc?: string;
}

/** A method in the format of `/doc` (Odoo 19's api_doc). Properties named `doc` contain HTML. */
export interface MethodDoc {
  signature: string;
  /** Parameters in positional order, without `ids`. */
  parameters: Record<string, ParameterDoc>;
  return: { annotation: string };
  /** `model` if the method takes no ids, `readonly` if it only reads. */
  api: ('model' | 'readonly')[];
  raise: Record<string, string>;
  doc: string;
  model: string;
  module: string | null;
}

export interface RootDoc {
  kind: 'query' | 'mutation';
  field: string;
  /** Argument types in SDL notation. */
  arguments: Record<string, string>;
  select: string;
}

export function buildMethodDoc(operation: Operation, field: RootField, module: string | null): MethodDoc {
  const isCore = operation.model === '*';
  const isOnRecords = takesIds(field);
  const parameters = Object.fromEntries(
    listParameters(operation, field).map((parameter) => [parameter.name, buildParameterDoc(parameter)]),
  );
  const annotation = toResultType(operation.method!, operation.returns ?? field.type);
  return {
    signature: buildSignature(parameters, annotation),
    parameters,
    return: { annotation },
    api: [
      ...(isOnRecords ? [] : ['model' as const]),
      ...(operation.kind === 'query' ? ['readonly' as const] : []),
    ],
    raise: describeErrors(isOnRecords, operation.kind),
    doc: toParagraph(operation.description),
    model: isCore ? 'core' : operation.model!,
    module: isCore ? 'core' : module,
  };
}

export const buildRootDoc = (operation: Operation, field: RootField): RootDoc => ({
  kind: operation.kind,
  field: operation.name,
  arguments: Object.fromEntries(field.args.map((arg) => [arg.name, String(arg.type)])),
  select: buildSelection(field.type),
});

/** Selects a type's plain fields, for example `{ id name }`. Empty for a scalar type. */
function buildSelection(type: GraphQLType): string {
  const namedType = getNamedType(type);
  if (!isObjectType(namedType)) return '';
  const graphQLFields = Object.values(namedType.getFields()).filter((field) =>
    isLeafType(getNamedType(field.type)),
  );
  return `{ ${graphQLFields.map((field) => field.name).join(' ') || '__typename'} }`;
}

function buildParameterDoc({ name, arg }: Parameter): ParameterDoc {
  const isNeeded = isRequiredArgument(arg);
  const type = toPythonType(arg.type, ARGUMENT_TYPES[name]);
  const standard = arg.defaultValue ?? null;
  return {
    ...(!isNeeded && { default: standard }),
    annotation: isNeeded || standard !== null ? type : `${type} | None`,
    ...(arg.description && { doc: toParagraph(arg.description) }),
  };
}

/** Record ids are integers in these protocols, so `ID` maps to int. */
const PYTHON_SCALARS: Record<string, string> = {
  Int: 'int',
  ID: 'int',
  Float: 'float',
  Boolean: 'bool',
  JSON: 'Any',
};

/** Formats a GraphQL type in Python notation. @param json Python type of a JSON value */
function toPythonType(type: GraphQLType, json = 'Any'): string {
  if (isNonNullType(type)) return toPythonType(type.ofType, json);
  if (isListType(type)) return `list[${toPythonType(type.ofType)}]`;
  if (isCompositeType(type) || isInputObjectType(type)) return 'dict';
  return type.name === 'JSON' ? json : (PYTHON_SCALARS[type.name] ?? 'str');
}

function toResultType(method: string, type: GraphQLType): string {
  const annotation = toPythonType(type, RESULT_TYPES[method]);
  return isNonNullType(type) || annotation === 'Any' ? annotation : `${annotation} | None`;
}

/** Types of JSON arguments in classic RPC (Odoo 19 reference, section 5). */
const ARGUMENT_TYPES: Record<string, string> = {
  domain: 'list',
  having: 'list',
  vals: 'dict',
  values: 'dict',
  default: 'dict',
  options: 'dict',
  specification: 'dict',
  fields_spec: 'dict',
  vals_list: 'list[dict]',
  data: 'list[list]',
  grouping_sets: 'list[list]',
  groupby: 'list[str]',
  fields: 'list[str]',
  aggregates: 'list[str]',
};

/** Types of JSON results in classic RPC. */
const RESULT_TYPES: Record<string, string> = {
  read: 'list[dict]',
  search_read: 'list[dict]',
  web_read: 'list[dict]',
  web_save: 'list[dict]',
  web_name_search: 'list[dict]',
  copy_data: 'list[dict]',
  get_metadata: 'list[dict]',
  read_group: 'list[dict]',
  formatted_read_group: 'list[dict]',
  formatted_read_grouping_sets: 'list[list]',
  name_search: 'list[list]',
  name_create: 'list',
  fields_get: 'dict',
  default_get: 'dict',
  web_search_read: 'dict',
  web_read_group: 'dict',
  onchange: 'dict',
  load: 'dict',
  export_data: 'dict',
  context_get: 'dict',
  get_external_id: 'dict',
};

function buildSignature(parameters: Record<string, ParameterDoc>, result: string): string {
  const list = Object.entries(parameters).map(([name, parameter]) =>
    'default' in parameter ? `${name}=${toPythonLiteral(parameter.default)}` : name,
  );
  return `(${list.join(', ')}) -> ${result}`;
}

function toPythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map(toPythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${toPythonLiteral(key)}: ${toPythonLiteral(inner)}`,
  );
  return `{${entries.join(', ')}}`;
}

function describeErrors(isOnRecords: boolean, kind: Operation['kind']): Record<string, string> {
  return {
    AccessError: toParagraph('A right, a record rule or the scope of the key is missing.'),
    ...(isOnRecords && { MissingError: toParagraph('A record does not exist.') }),
    ...(kind === 'mutation' && {
      ValidationError: toParagraph('A value breaks a rule; nothing was written.'),
    }),
  };
}

function toParagraph(prose: string): string {
  const safe = prose.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return `<p>${safe.replace(/`([^`]*)`/g, '<code>$1</code>')}</p>`;
}
