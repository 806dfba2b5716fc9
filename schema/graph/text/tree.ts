import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { memoizePerObject } from '../../../src/cache.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { coerceVariables } from '../../../src/engine/operation/coerce.ts';
import { collectFragments, type Fragments } from '../../../src/engine/operation/fragments.ts';
import type { FieldDef } from '../plan/definition.ts';
import type { ListArguments } from '../read/page.ts';
import { collectSelections } from '../read/selection.ts';

// An operation's selection for the text path, by response key in response order.

/** Thrown if the resolvers must run the operation. */
export class ResolversRequiredError extends Error {}

export type SelectionItem = { key: string } & (
  | { kind: 'typename'; type: string }
  | { kind: 'column'; field: Field; type: GraphQLOutputType }
  | { kind: 'one'; field: Field; items: SelectionItem[] }
  | { kind: 'list'; field: Field; readArgs: ArgumentReader; list: ListSelection }
  /** A field that a directive skips. */
  | { kind: 'omitted'; field: Field }
);

export type EdgeItem = { key: string } & (
  | { kind: 'typename'; type: string }
  | { kind: 'cursor' }
  | { kind: 'node'; items: SelectionItem[] }
);

export type ConnectionPart = { key: string } & (
  | { kind: 'typename'; type: string }
  | { kind: 'totalCount' }
  | { kind: 'nodes'; items: SelectionItem[] }
  | { kind: 'edges'; edge: EdgeItem[] }
  | { kind: 'pageInfo'; info: { key: string; name: string }[] }
);

export interface ListSelection {
  parts: ConnectionPart[];
}

export type RootSelection = { key: string; nodes: FieldNodes } & (
  | { kind: 'typename'; type: string }
  | { kind: 'many'; model: string; policy: Policy; readArgs: ArgumentReader; list: ListSelection }
  | { kind: 'one'; model: string; policy: Policy; readArgs: ArgumentReader; items: SelectionItem[] }
);

/** Response keys become column names, which PostgreSQL truncates at this length. */
const MAX_KEY_BYTES = 63;

/** An operation's selection, and the values of its variables. */
export interface Selection {
  roots: RootSelection[];
  variables: Variables;
}

export type Variables = Record<string, unknown>;

/** Returns a field's arguments for these variables. */
type ArgumentReader = (variables: Variables) => ListArguments & { id?: string };

/** Stands for the value of a variable in a cached tree. */
class VariableReference {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Cached trees by operation, and by how its variables are set: directives and defaults depend on that, but not on the
 * values. Keyed by schema as well, because workspaces share documents. Null if the resolvers must run the operation.
 */
const getTrees = memoizePerObject((_schema: GraphQLSchema) =>
  memoizePerObject((_operation: OperationDefinitionNode) => new Map<string, RootSelection[] | null>()),
);

/** Limits the memory for an operation with many optional variables. Further trees are built for each request. */
const MAX_TREES = 8;

/** Returns null if the resolvers must run the operation. */
export function buildSelectionTree({
  schema,
  document,
  operationName,
  variableValues,
}: ExecutionArgs): Selection | null {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'query') return null;
  const definitions = operation.variableDefinitions ?? [];
  const { coerced: variables } = coerceVariables(schema, definitions, variableValues ?? {});
  if (!variables) return null;
  const trees = getTrees(schema)(operation);
  const key = definitions.map(({ variable }) => describeSetting(variables, variable.name.value)).join();
  let roots = trees.get(key);
  if (roots === undefined) {
    roots = buildTree(schema, document, operation, toReferences(variables));
    if (trees.size < MAX_TREES) trees.set(key, roots);
  }
  return roots && { roots, variables };
}

/** Booleans are part of the key, because directives use them. An unset variable may be named `toString`. */
function describeSetting(variables: Variables, name: string): string {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return isFixed(value) ? String(value) : 'set';
}

const isFixed = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'boolean';

const toReferences = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      isFixed(value) ? value : new VariableReference(name),
    ]),
  );

function hasReferences(value: unknown): boolean {
  if (value instanceof VariableReference) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasReferences);
}

/** Copies a literal's value with the values of its variables. */
function insertVariables(value: unknown, variables: Variables): unknown {
  if (value instanceof VariableReference) return variables[value.name];
  if (Array.isArray(value)) return value.map((item) => insertVariables(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, insertVariables(item, variables)]),
  );
}

function buildTree(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): RootSelection[] | null {
  try {
    return new TreeBuilder(schema, document, variables).roots(operation);
  } catch {
    // The resolvers report invalid arguments.
    return null;
  }
}

type FieldNodes = readonly FieldNode[];
type AnyField = GraphQLField<unknown, unknown>;

class TreeBuilder {
  readonly #schema: GraphQLSchema;
  readonly #fragments: Fragments;
  readonly #variables: Variables;

  constructor(schema: GraphQLSchema, document: DocumentNode, variables: Variables) {
    this.#schema = schema;
    this.#variables = variables;
    this.#fragments = collectFragments(document);
  }

  roots({ selectionSet }: OperationDefinitionNode): RootSelection[] {
    const type = this.#schema.getQueryType()!;
    const rootFields = collectFields(this.#schema, this.#fragments, this.#variables, type, selectionSet);
    return [...rootFields].map(([key, nodes]) => this.#root(type, key, nodes));
  }

  #root(type: GraphQLObjectType, key: string, nodes: FieldNodes): RootSelection {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, nodes, kind: 'typename', type: type.name };
    const field = getField(type, name);
    const { role, model } = getFieldDef(field);
    const policy = field.extensions.policy as Policy | undefined;
    if (!policy || !model) throw new ResolversRequiredError(`the root field ${name}`);
    const readArgs = this.#buildArgumentReader(field, nodes);
    if (role === 'readMany')
      return { key, nodes, kind: 'many', model, policy, readArgs, list: this.#list(field, nodes) };
    if (role === 'readOne')
      return { key, nodes, kind: 'one', model, policy, readArgs, items: this.#items(field, nodes) };
    throw new ResolversRequiredError(`the root field ${name}`);
  }

  #buildArgumentReader(field: AnyField, nodes: FieldNodes): ArgumentReader {
    const args: ListArguments = getArgumentValues(field, nodes[0]!, this.#variables);
    return hasReferences(args)
      ? (variables) => insertVariables(args, variables) as ListArguments
      : () => args;
  }

  #below(field: AnyField, nodes: FieldNodes): [GraphQLObjectType, [string, FieldNodes][]] {
    const type = getNamedType(field.type) as GraphQLObjectType;
    const subfields = [...collectSubfields(this.#schema, this.#fragments, this.#variables, type, nodes)];
    if (subfields.length === 0) throw new ResolversRequiredError('nothing is selected');
    for (const [key] of subfields)
      if (key.length > MAX_KEY_BYTES) throw new ResolversRequiredError('a long response key');
    return [type, subfields];
  }

  #list(field: AnyField, nodes: FieldNodes): ListSelection {
    const [type, subfields] = this.#below(field, nodes);
    const parts = subfields.map(([key, children]) => this.#part(type, key, children));
    // The resolvers also read rows that a directive skips, and can report an error there.
    this.#checkWhole(nodes, subfields, ['nodes', 'edges', 'pageInfo']);
    return { parts };
  }

  /** @throws ResolversRequiredError if a directive skips one of the fields `names` */
  #checkWhole(nodes: FieldNodes, subfields: [string, FieldNodes][], names: string[]): void {
    const fieldNames = subfields.flatMap(([, children]) => children).map(({ name }) => name.value);
    const selectedNodes = this.#wanted(nodes);
    for (const name of names)
      if (
        (selectedNodes.get(name)?.length ?? 0) > fieldNames.filter((fieldName) => fieldName === name).length
      )
        throw new ResolversRequiredError('rows that a directive leaves out');
  }

  #part(type: GraphQLObjectType, key: string, nodes: FieldNodes): ConnectionPart {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, kind: 'typename', type: type.name };
    const field = getField(type, name);
    switch (getFieldDef(field).role) {
      case 'totalCount':
        return { key, kind: 'totalCount' };
      case 'nodes':
        return { key, kind: 'nodes', items: this.#items(field, nodes) };
      case 'edges': {
        const [edgeType, subfields] = this.#below(field, nodes);
        this.#checkWhole(nodes, subfields, ['node']);
        return {
          key,
          kind: 'edges',
          edge: subfields.map(([ownFields, children]) => this.#edge(edgeType, ownFields, children)),
        };
      }
      case 'pageInfo': {
        const [, subfields] = this.#below(field, nodes);
        return {
          key,
          kind: 'pageInfo',
          info: subfields.map(([ownFields, [node]]) => ({ key: ownFields, name: node!.name.value })),
        };
      }
      default:
        throw new ResolversRequiredError(`${type.name}.${name}`);
    }
  }

  #edge(type: GraphQLObjectType, key: string, nodes: FieldNodes): EdgeItem {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, kind: 'typename', type: type.name };
    const field = getField(type, name);
    const { role } = getFieldDef(field);
    if (role === 'cursor') return { key, kind: 'cursor' };
    if (role === 'node') return { key, kind: 'node', items: this.#items(field, nodes) };
    throw new ResolversRequiredError(`${type.name}.${name}`);
  }

  #items(field: AnyField, nodes: FieldNodes): SelectionItem[] {
    const [type, subfields] = this.#below(field, nodes);
    const items = subfields.map(([key, children]) => this.#item(type, key, children));
    return [...items, ...this.#omitted(type, nodes, subfields)];
  }

  /** Finds fields that a directive skips. The resolvers read them too, and record hidden ones. */
  #omitted(type: GraphQLObjectType, nodes: FieldNodes, subfields: [string, FieldNodes][]): SelectionItem[] {
    const omissions = new Map<string, number>();
    for (const [, children] of subfields)
      for (const { name } of children) omissions.set(name.value, (omissions.get(name.value) ?? 0) + 1);
    const omittedItems: SelectionItem[] = [];
    for (const [name, sets] of this.#wanted(nodes)) {
      const { role, field } =
        name === '__typename' ? {} : (type.getFields()[name]!.extensions.def as FieldDef);
      if (sets.length > (omissions.get(name) ?? 0) && role !== 'list')
        throw new ResolversRequiredError('records that a directive leaves out');
      if (role === 'column' && !omissions.has(name) && field!.groups.length > 0)
        omittedItems.push({ key: '', kind: 'omitted', field: field! });
    }
    return omittedItems;
  }

  /** Returns the selection below the nodes, ignoring directives. */
  #wanted(nodes: FieldNodes) {
    return collectSelections(
      nodes.flatMap((node) => node.selectionSet ?? []),
      this.#fragments,
    );
  }

  #item(type: GraphQLObjectType, key: string, nodes: FieldNodes): SelectionItem {
    const name = nodes[0]!.name.value;
    if (name === '__typename') return { key, kind: 'typename', type: type.name };
    const field = getField(type, name);
    const { role, field: column } = getFieldDef(field);
    if (role === 'column') return { key, kind: 'column', field: column!, type: field.type };
    if (role === 'one') return { key, kind: 'one', field: column!, items: this.#items(field, nodes) };
    if (role === 'list')
      return {
        key,
        kind: 'list',
        field: column!,
        readArgs: this.#buildArgumentReader(field, nodes),
        list: this.#list(field, nodes),
      };
    throw new ResolversRequiredError(`${type.name}.${name}`);
  }
}

function getField(type: GraphQLObjectType, name: string): AnyField {
  const field = type.getFields()[name];
  if (!field) throw new ResolversRequiredError(`${type.name}.${name}`);
  return field;
}

/** Fields from other sources have only resolvers. @throws ResolversRequiredError */
function getFieldDef({ name, extensions }: AnyField): FieldDef {
  const def = extensions.def as FieldDef | undefined;
  if (!def) throw new ResolversRequiredError(`the field ${name}`);
  return def;
}

/** Returns true if the response needs the page's rows, or its ends for `pageInfo`. */
export const hasRows = ({ parts }: ListSelection): boolean =>
  parts.some(({ kind }) => kind === 'nodes' || kind === 'edges' || kind === 'pageInfo');
