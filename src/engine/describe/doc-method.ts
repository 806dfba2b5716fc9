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
import type { Verb } from '../verb/verb.ts';
import { listParameters, type Parameter, type RootField, takesIds } from '../verb/verb.ts';

/** A parameter in the format of `/doc`; required without `default`. */
interface ParameterDoc {
  default?: unknown;
  annotation: string;
  /** HTML. */
  doc?: string;
}

/** A method in the format of `/doc` (Odoo 19's api_doc). Texts named `doc` are HTML. */
export interface MethodDoc {
  signature: string;
  /** In positional order, without the ids. */
  parameters: Record<string, ParameterDoc>;
  return: { annotation: string };
  /** `model` when the method takes no ids, `readonly` when it never writes. */
  api: ('model' | 'readonly')[];
  raise: Record<string, string>;
  doc: string;
  /** The model that declares it; `core` when every model has it. */
  model: string;
  module: string | null;
}

/** The root field behind a method. */
export interface RootDoc {
  kind: 'query' | 'mutation';
  field: string;
  /** Types of its arguments, as the SDL prints them. */
  arguments: Record<string, string>;
  select: string;
}

/** Describes the method at a verb's address from its root field. Pure. */
export function buildMethodDoc(verb: Verb, field: RootField, module: string | null): MethodDoc {
  const isCore = verb.model === '*';
  const isOnRecords = takesIds(field);
  const parameters = Object.fromEntries(
    listParameters(verb, field).map((parameter) => [parameter.name, buildParameterDoc(parameter)]),
  );
  const annotation = toResultType(verb.method!, verb.returns ?? field.type);
  return {
    signature: buildSignature(parameters, annotation),
    parameters,
    return: { annotation },
    api: [
      ...(isOnRecords ? [] : ['model' as const]),
      ...(verb.kind === 'query' ? ['readonly' as const] : []),
    ],
    raise: describeErrors(isOnRecords, verb.kind),
    doc: toParagraph(verb.description),
    model: isCore ? 'core' : verb.model!,
    module: isCore ? 'core' : module,
  };
}

/** What a GraphQL client has to know of the same method. Pure. */
export const buildRootDoc = (verb: Verb, field: RootField): RootDoc => ({
  kind: verb.kind,
  field: verb.name,
  arguments: Object.fromEntries(field.args.map((arg) => [arg.name, String(arg.type)])),
  select: buildSelection(field.type),
});

/** `{ id name }`: the plain fields of the type; '' where there is nothing to select from. */
function buildSelection(type: GraphQLType): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const plain = Object.values(named.getFields()).filter((field) => isLeafType(getNamedType(field.type)));
  return `{ ${plain.map((field) => field.name).join(' ') || '__typename'} }`;
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

/** At an address an `ID` is the id of a record, which these clients have as a number. */
const PYTHON_SCALARS: Record<string, string> = {
  Int: 'int',
  ID: 'int',
  Float: 'float',
  Boolean: 'bool',
  JSON: 'Any',
};

/** A GraphQL type as Python writes it; `json` is what a JSON value stands for there. */
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

/** What JSON stands for in the arguments of classic RPC (reference of Odoo 19, section 5). */
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

/** And in its results. */
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

/** A JSON value as Python writes it. */
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

function describeErrors(isOnRecords: boolean, kind: Verb['kind']): Record<string, string> {
  return {
    AccessError: toParagraph('A right, a record rule or the scope of the key is missing.'),
    ...(isOnRecords && { MissingError: toParagraph('A record does not exist.') }),
    ...(kind === 'mutation' && {
      ValidationError: toParagraph('A value breaks a rule; nothing was written.'),
    }),
  };
}

/** Prose as one paragraph of HTML, names in backticks as code. */
function toParagraph(prose: string): string {
  const safe = prose.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  return `<p>${safe.replace(/`([^`]*)`/g, '<code>$1</code>')}</p>`;
}
