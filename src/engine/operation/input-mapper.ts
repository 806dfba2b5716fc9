import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  isInputObjectType,
} from 'graphql';

export type InputDefinition = GraphQLArgument | GraphQLInputField;

type InputValues = Record<string, unknown>;

/**
 * Creates a function that applies `change` to each argument value, at any depth, whose input satisfies `isMine`. In a
 * list, `change` is applied to each item. Other values are returned unchanged.
 */
export function createInputMapper(
  isMine: (input: InputDefinition) => boolean,
  change: (value: unknown, input: InputDefinition) => unknown,
): (inputs: readonly InputDefinition[], values: InputValues) => InputValues {
  const holding = new WeakMap<GraphQLInputObjectType, boolean>();

  function containsMappedInput(input: InputDefinition): boolean {
    if (isMine(input)) return true;
    const type = getNamedType(input.type);
    if (!isInputObjectType(type)) return false;
    const isCached = holding.get(type);
    if (isCached !== undefined) return isCached;
    // Ends the recursion for an input type that refers to itself.
    holding.set(type, false);
    const containsInput = Object.values(type.getFields()).some(containsMappedInput);
    holding.set(type, containsInput);
    return containsInput;
  }

  function mapInputs(inputs: readonly InputDefinition[], values: InputValues): InputValues {
    let result = values;
    for (const input of inputs) {
      const value = values[input.name];
      if (value === undefined || value === null || !containsMappedInput(input)) continue;
      if (result === values) result = { ...values };
      result[input.name] = mapValue(input, value);
    }
    return result;
  }

  function mapValue(input: InputDefinition, value: unknown): unknown {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return value.map((item) => mapValue(input, item));
    if (isMine(input)) return change(value, input);
    // A value that is not an object is rejected later, when its type is checked.
    if (typeof value !== 'object') return value;
    const type = getNamedType(input.type) as GraphQLInputObjectType;
    return mapInputs(Object.values(type.getFields()), value as InputValues);
  }

  return mapInputs;
}
