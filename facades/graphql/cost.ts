import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from '../../src/engine/operation/fragments.ts';
import { limits } from '../../src/limits.ts';

// Estimates the number of values that a document requests, which `MAX_OPERATION_COST` limits. The estimate is computed
// once per document and schema. Only page sizes in variables are resolved per request.

/** Estimated number of records in a nested list without `first`. */
export const ASSUMED_NESTED_ROWS = 10;

export type CostFunction = (variables: Readonly<Record<string, unknown>>) => number;

/** The cost of a selection: the number of its own values per record, and its nested lists. */
interface CostTerm {
  values: number;
  lists: { size: CostFunction; of: CostTerm }[];
}

interface CostContext {
  schema: GraphQLSchema;
  fragments: Fragments;
  operation: OperationDefinitionNode;
  /** Terms by fragment name. Only a recursive fragment could be used while incomplete, and validation rejects it. */
  knownTerms: Map<string, CostTerm>;
}

export function compileCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): CostFunction {
  const root = schema.getRootType(operation.operation);
  const term = buildTerm(
    { schema, fragments, operation, knownTerms: new Map() },
    operation.selectionSet,
    root ?? null,
  );
  return term.lists.length === 0 ? () => term.values : (variables) => evaluateTerm(term, variables);
}

const evaluateTerm = ({ values, lists }: CostTerm, variables: Readonly<Record<string, unknown>>): number =>
  lists.reduce((sum, { size, of }) => sum + size(variables) * evaluateTerm(of, variables), values);

function buildTerm(
  costReading: CostContext,
  set: SelectionSetNode,
  parent: GraphQLNamedType | null | undefined,
): CostTerm {
  const term: CostTerm = { values: 0, lists: [] };
  const add = ({ values, lists }: CostTerm) => {
    term.values += values;
    term.lists.push(...lists);
  };
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) add(buildFieldTerm(costReading, node, parent));
    else if (node.kind === Kind.INLINE_FRAGMENT) {
      const type = node.typeCondition ? costReading.schema.getType(node.typeCondition.name.value) : parent;
      add(buildTerm(costReading, node.selectionSet, type));
    } else add(buildFragmentTerm(costReading, node.name.value));
  }
  return term;
}

function buildFragmentTerm(costReading: CostContext, name: string): CostTerm {
  const knownTerm = costReading.knownTerms.get(name);
  if (knownTerm) return knownTerm;
  costReading.knownTerms.set(name, { values: 0, lists: [] });
  const { selectionSet, typeCondition } = costReading.fragments[name]!;
  const term = buildTerm(costReading, selectionSet, costReading.schema.getType(typeCondition.name.value));
  costReading.knownTerms.set(name, term);
  return term;
}

function buildFieldTerm(
  costReading: CostContext,
  node: FieldNode,
  parent: GraphQLNamedType | null | undefined,
): CostTerm {
  const field =
    isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
  const type = field && getNamedType(field.type);
  // Leaf fields and introspection have a fixed size.
  if (!field || !node.selectionSet || !isCompositeType(type))
    return { values: getFieldWeight(field), lists: [] };
  const term = buildTerm(costReading, node.selectionSet, type);
  const size = buildListSize(costReading, node, field, parent!);
  if (size === null) return { values: term.values + getFieldWeight(field), lists: term.lists };
  return { values: getFieldWeight(field), lists: [{ size, of: term }] };
}

/** Returns a field's weight: `cost` in its extensions for a large or computed field, otherwise 1. */
function getFieldWeight(field: GraphQLField<unknown, unknown> | undefined): number {
  const cost = field?.extensions.cost;
  return typeof cost === 'number' ? cost : 1;
}

const SIZE_ARGUMENTS = ['first', 'last', 'limit'];

/**
 * Returns the number of records that the field returns: its size argument, or `size` in its extensions. Null if it is
 * not a list.
 */
function buildListSize(
  { schema, operation }: CostContext,
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLNamedType,
): CostFunction | null {
  const sizeArgs = field.args.filter(({ name }) => SIZE_ARGUMENTS.includes(name));
  const isPlain = isListType(getNullableType(field.type)) && !parent.name.endsWith('Connection');
  if (sizeArgs.length === 0 && !isPlain) return null;
  const declared = [...sizeArgs.map(({ defaultValue }) => defaultValue), field.extensions.size];
  const isRoot = parent === schema.getRootType(operation.operation);
  const usual =
    declared.find((value) => typeof value === 'number') ??
    (isRoot ? limits.graphql.pageDefault : ASSUMED_NESTED_ROWS);
  const sizeArguments = (node.arguments ?? []).filter(({ name }) => SIZE_ARGUMENTS.includes(name.value));
  const sizes = sizeArguments.map(({ value }) => (variables: Readonly<Record<string, unknown>>): unknown => {
    if (value.kind === Kind.INT) return Number(value.value);
    if (value.kind !== Kind.VARIABLE) return undefined;
    return variables[value.name.value] ?? findDefault(operation, value.name.value);
  });
  return (variables) => {
    const numbers = sizes.map((size) => size(variables)).filter((size) => typeof size === 'number');
    return numbers.length === 0 ? usual : Math.max(0, ...numbers);
  };
}

function findDefault(operation: OperationDefinitionNode, name: string): number | undefined {
  const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return definition?.defaultValue?.kind === Kind.INT ? Number(definition.defaultValue.value) : undefined;
}
