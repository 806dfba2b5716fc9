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
import type { Fragments } from '../../src/engine/verb/fragments.ts';
import { limits } from '../../src/limits.ts';

// An estimate of the values that a document asks for (`limits.graphql.cost`). It is worked out once for a document and
// a schema; what is left to do for a request are the sizes of pages that are variables.

/** How many values a request asks for, given its variables. */
export type ComputeCost = (variables: Readonly<Record<string, unknown>>) => number;

/** A selection: values of its own for each record, and the lists in it. */
interface CostTerm {
  values: number;
  lists: { size: ComputeCost; of: CostTerm }[];
}

interface CostReading {
  schema: GraphQLSchema;
  fragments: Fragments;
  operation: OperationDefinitionNode;
  /** Fragments by name; one that is being read is within itself, which validation has refused. */
  known: Map<string, CostTerm>;
}

/** The cost of an operation that fits the schema. */
export function compileCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
): ComputeCost {
  const root = schema.getRootType(operation.operation);
  const term = buildTerm(
    { schema, fragments, operation, known: new Map() },
    operation.selectionSet,
    root ?? null,
  );
  return term.lists.length === 0 ? () => term.values : (variables) => evaluateTerm(term, variables);
}

const evaluateTerm = ({ values, lists }: CostTerm, variables: Readonly<Record<string, unknown>>): number =>
  lists.reduce((sum, { size, of }) => sum + size(variables) * evaluateTerm(of, variables), values);

function buildTerm(
  reading: CostReading,
  set: SelectionSetNode,
  parent: GraphQLNamedType | null | undefined,
): CostTerm {
  const term: CostTerm = { values: 0, lists: [] };
  const add = ({ values, lists }: CostTerm) => {
    term.values += values;
    term.lists.push(...lists);
  };
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) add(buildFieldTerm(reading, node, parent));
    else if (node.kind === Kind.INLINE_FRAGMENT) {
      const type = node.typeCondition ? reading.schema.getType(node.typeCondition.name.value) : parent;
      add(buildTerm(reading, node.selectionSet, type));
    } else add(buildFragmentTerm(reading, node.name.value));
  }
  return term;
}

function buildFragmentTerm(reading: CostReading, name: string): CostTerm {
  const kept = reading.known.get(name);
  if (kept) return kept;
  reading.known.set(name, { values: 0, lists: [] });
  const { selectionSet, typeCondition } = reading.fragments[name]!;
  const term = buildTerm(reading, selectionSet, reading.schema.getType(typeCondition.name.value));
  reading.known.set(name, term);
  return term;
}

function buildFieldTerm(
  reading: CostReading,
  node: FieldNode,
  parent: GraphQLNamedType | null | undefined,
): CostTerm {
  const field =
    isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
  const type = field && getNamedType(field.type);
  // Leaves, and introspection, which is of a size known beforehand.
  if (!field || !node.selectionSet || !isCompositeType(type))
    return { values: getFieldWeight(field), lists: [] };
  const of = buildTerm(reading, node.selectionSet, type);
  const size = buildListSize(reading, node, field, parent!);
  if (size === null) return { values: of.values + getFieldWeight(field), lists: of.lists };
  return { values: getFieldWeight(field), lists: [{ size, of }] };
}

/** As how many values a field counts that is large or has to be worked out: `cost` of its extensions. */
function getFieldWeight(field: GraphQLField<unknown, unknown> | undefined): number {
  const cost = field?.extensions.cost;
  return typeof cost === 'number' ? cost : 1;
}

/** Arguments that say how long a list may be. */
const SIZES = ['first', 'last', 'limit'];

/** How many records the field holds, `size` of its extensions where no argument says it; null if it is no list. */
function buildListSize(
  { schema, operation }: CostReading,
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLNamedType,
): ComputeCost | null {
  const known = field.args.filter(({ name }) => SIZES.includes(name));
  const isPlain = isListType(getNullableType(field.type)) && !parent.name.endsWith('Connection');
  if (known.length === 0 && !isPlain) return null;
  const declared = [...known.map(({ defaultValue }) => defaultValue), field.extensions.size];
  const isRoot = parent === schema.getRootType(operation.operation);
  const usual =
    declared.find((value) => typeof value === 'number') ??
    (isRoot ? limits.graphql.pageDefault : limits.graphql.listGuess);
  const given = (node.arguments ?? []).filter(({ name }) => SIZES.includes(name.value));
  const sizes = given.map(({ value }) => (variables: Readonly<Record<string, unknown>>): unknown => {
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
  const found = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return found?.defaultValue?.kind === Kind.INT ? Number(found.defaultValue.value) : undefined;
}
