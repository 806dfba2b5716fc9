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
import { perOwner } from '../../cache.ts';

// Variables as `getVariableValues` of graphql coerces them, a few times as fast where there is nothing to object to:
// each type is looked at once, and no path is kept for a message. All else is left to graphql.

/** In place of a value that graphql has to look at. */
const OPEN = Symbol('open');

type Coercer = (value: unknown) => unknown;

/** @returns as `getVariableValues` */
export function coercedVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Record<string, unknown>,
): ReturnType<typeof getVariableValues> {
  const coerced: Record<string, unknown> = Object.create(null);
  const coercerOf = coercersOf(schema);
  for (const definition of definitions) {
    const name = definition.variable.name.value;
    const isGiven = Object.hasOwn(given, name);
    if (!isGiven && !definition.defaultValue && definition.type.kind !== 'NonNullType') continue;
    const value = isGiven ? coercerOf(definition)(given[name]) : OPEN;
    if (value === OPEN) return getVariableValues(schema, definitions, given);
    coerced[name] = value;
  }
  return { coerced };
}

const coercersOf = perOwner((schema: GraphQLSchema) =>
  perOwner(({ type }: VariableDefinitionNode): Coercer => {
    const known = typeFromAST(schema, type as Parameters<typeof typeFromAST>[1]);
    return known ? ofType(known as GraphQLInputType) : () => OPEN;
  }),
);

const ofType = perOwner((type: GraphQLInputType & object): Coercer => {
  if (isNonNullType(type)) return required(ofType(type.ofType as GraphQLInputType));
  if (isListType(type)) return optional(list(ofType(type.ofType)));
  if (isInputObjectType(type)) return optional(object(type));
  return optional((value) => {
    try {
      return type.parseValue(value) ?? OPEN;
    } catch {
      return OPEN;
    }
  });
});

const isUnset = (value: unknown): boolean => value === null || value === undefined;

const required =
  (inner: Coercer): Coercer =>
  (value) =>
    isUnset(value) ? OPEN : inner(value);

const optional =
  (inner: Coercer): Coercer =>
  (value) =>
    isUnset(value) ? null : inner(value);

const list =
  (item: Coercer): Coercer =>
  (value) => {
    if (!Array.isArray(value)) return OPEN;
    const items = new Array(value.length);
    for (let at = 0; at < value.length; at++) {
      items[at] = item(value[at]);
      if (items[at] === OPEN) return OPEN;
    }
    return items;
  };

function object(type: GraphQLInputObjectType): Coercer {
  // Made at the first value, since an input may lead back to itself.
  let fields: { name: string; isRequired: boolean; defaultValue: unknown; coerce: Coercer }[] | undefined;
  return (given) => {
    if (typeof given !== 'object' || Array.isArray(given) || type.isOneOf) return OPEN;
    const values = given as Record<string, unknown>;
    const coerced: Record<string, unknown> = {};
    let known = 0;
    fields ??= Object.values(type.getFields()).map((field) => ({
      name: field.name,
      isRequired: isNonNullType(field.type),
      defaultValue: field.defaultValue,
      coerce: ofType(field.type),
    }));
    for (const { name, isRequired, defaultValue, coerce } of fields) {
      const value = values[name];
      if (value === undefined) {
        if (Object.hasOwn(values, name)) known++;
        if (defaultValue !== undefined) coerced[name] = defaultValue;
        else if (isRequired) return OPEN;
        continue;
      }
      known++;
      coerced[name] = coerce(value);
      if (coerced[name] === OPEN) return OPEN;
    }
    return Object.keys(values).length === known ? coerced : OPEN;
  };
}
