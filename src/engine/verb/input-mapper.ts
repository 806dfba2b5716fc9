import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql';

/** An argument, or a field of an input type. */
export type Input = GraphQLArgument | GraphQLInputField;

type Values = Record<string, unknown>;

/**
 * A function that changes values of arguments at any depth: those of inputs that `isMine` says yes to, each item of a
 * list by itself. Values without any are returned as they are.
 */
export function inputMapper(
  isMine: (input: Input) => boolean,
  change: (value: unknown, input: Input) => unknown,
): (inputs: readonly Input[], values: Values) => Values {
  const holding = new WeakMap<GraphQLInputObjectType, boolean>();

  function holds(input: Input): boolean {
    if (isMine(input)) return true;
    const type = getNamedType(input.type);
    if (!isInputObjectType(type)) return false;
    const known = holding.get(type);
    if (known !== undefined) return known;
    // An input that leads back to itself holds no more for it.
    holding.set(type, false);
    const found = Object.values(type.getFields()).some(holds);
    holding.set(type, found);
    return found;
  }

  function mapped(inputs: readonly Input[], values: Values): Values {
    let result = values;
    for (const input of inputs) {
      const value = values[input.name];
      if (value === undefined || value === null || !holds(input)) continue;
      if (result === values) result = { ...values };
      result[input.name] = mappedValue(input, value);
    }
    return result;
  }

  function mappedValue(input: Input, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return value.map((item) => mappedValue(input, item));
    if (isMine(input)) return change(value, input);
    // What is no object is refused where its type is known.
    if (typeof value !== 'object') return value;
    const type = getNamedType(input.type) as GraphQLInputObjectType;
    return mapped(Object.values(type.getFields()), value as Values);
  }

  return mapped;
}
