import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getVariableValues,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { memoizePerObject } from '../../cache.ts';

// Coerces variables like graphql's `getVariableValues`, but several times faster for valid values, because each type is
// analyzed once and no path is tracked for error messages. graphql coerces all other values.

/** Marks a value that graphql must check. */
const NOT_COERCED = Symbol('open');

type Coercer = (value: unknown) => unknown;

/** @returns the same result as `getVariableValues` with `maxErrors: 1` */
export function coerceVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  inputs: Record<string, unknown>,
): ReturnType<typeof getVariableValues> {
  const coerced: Record<string, unknown> = Object.create(null);
  const getCoercer = getCoercers(schema);
  for (const definition of definitions) {
    const name = definition.variable.name.value;
    const isGiven = Object.hasOwn(inputs, name);
    if (!isGiven && !definition.defaultValue && definition.type.kind !== 'NonNullType') continue;
    const value = isGiven ? getCoercer(definition)(inputs[name]) : NOT_COERCED;
    // Describing each unknown field of a large object would take seconds.
    if (value === NOT_COERCED) return getVariableValues(schema, definitions, inputs, { maxErrors: 1 });
    coerced[name] = value;
  }
  return { coerced };
}

const getCoercers = memoizePerObject((schema: GraphQLSchema) =>
  memoizePerObject(({ type }: VariableDefinitionNode): Coercer => {
    const inputType = typeFromAST(schema, type as Parameters<typeof typeFromAST>[1]);
    return inputType ? getTypeCoercer(inputType as GraphQLInputType) : () => NOT_COERCED;
  }),
);

const getTypeCoercer = memoizePerObject((type: GraphQLInputType & object): Coercer => {
  if (isNonNullType(type)) return createRequiredCoercer(getTypeCoercer(type.ofType as GraphQLInputType));
  if (isListType(type)) return createOptionalCoercer(createListCoercer(getTypeCoercer(type.ofType)));
  if (isInputObjectType(type)) return createOptionalCoercer(createObjectCoercer(type));
  return createOptionalCoercer((value) => {
    try {
      return type.parseValue(value) ?? NOT_COERCED;
    } catch {
      return NOT_COERCED;
    }
  });
});

const isUnset = (value: unknown): boolean => value === null || value === undefined;

const createRequiredCoercer =
  (inner: Coercer): Coercer =>
  (value) =>
    isUnset(value) ? NOT_COERCED : inner(value);

const createOptionalCoercer =
  (inner: Coercer): Coercer =>
  (value) =>
    isUnset(value) ? null : inner(value);

const createListCoercer =
  (item: Coercer): Coercer =>
  (value) => {
    if (!Array.isArray(value)) return NOT_COERCED;
    const items = new Array(value.length);
    for (let index = 0; index < value.length; index++) {
      items[index] = item(value[index]);
      if (items[index] === NOT_COERCED) return NOT_COERCED;
    }
    return items;
  };

function createObjectCoercer(type: GraphQLInputObjectType): Coercer {
  // Created lazily, because an input type may refer to itself.
  let fields: { name: string; isRequired: boolean; defaultValue: unknown; coerce: Coercer }[] | undefined;
  return (input) => {
    if (typeof input !== 'object' || Array.isArray(input) || type.isOneOf) return NOT_COERCED;
    const values = input as Record<string, unknown>;
    const coerced: Record<string, unknown> = {};
    let knownCount = 0;
    fields ??= Object.values(type.getFields()).map((field) => ({
      name: field.name,
      isRequired: isNonNullType(field.type),
      defaultValue: field.defaultValue,
      coerce: getTypeCoercer(field.type),
    }));
    for (const { name, isRequired, defaultValue, coerce } of fields) {
      const value = values[name];
      if (value === undefined) {
        if (Object.hasOwn(values, name)) knownCount++;
        if (defaultValue !== undefined) coerced[name] = defaultValue;
        else if (isRequired) return NOT_COERCED;
        continue;
      }
      knownCount++;
      coerced[name] = coerce(value);
      if (coerced[name] === NOT_COERCED) return NOT_COERCED;
    }
    return Object.keys(values).length === knownCount ? coerced : NOT_COERCED;
  };
}
