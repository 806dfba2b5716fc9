import { Kind, type OperationDefinitionNode, type TypeNode } from 'graphql';
import { limits } from '../../src/limits.ts';
import { createDocumentError } from './bounds.ts';

/** Maximum number of objects and lists in the variables of a request. Variables of the type JSON do not count. */
export const MAX_VARIABLE_OBJECTS = 5_000;
/** Maximum number of values in the variables of a request. Variables of the type JSON do not count. */
export const MAX_VARIABLE_VALUES = 200_000;

export type RawVariables = Readonly<Record<string, unknown>>;

/**
 * Limits the declared variables before they are coerced, which is slow for many objects. JSON variables are not
 * coerced, so only their depth is limited.
 * @throws GraphQLError with the code TOO_COMPLEX
 */
export function checkVariableLimits(operation: OperationDefinitionNode, variables: RawVariables): void {
  const count: VariableCounts = { objects: 0, values: 0 };
  for (const { variable, type } of operation.variableDefinitions ?? [])
    measureValue(variables[variable.name.value], getTypeName(type) === 'JSON' ? null : count);
}

interface VariableCounts {
  objects: number;
  values: number;
}

const getTypeName = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : getTypeName(type.type);

/** Iterates level by level, because a value may be nested deeper than the stack allows. */
function measureValue(value: unknown, count: VariableCounts | null): void {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.call.depth)
      throw createTooComplexError(`${limits.call.depth} levels of lists and objects`);
    const next: object[] = [];
    for (const item of level) {
      const values = Object.values(item);
      if (count) addValues(count, values.length);
      for (const nested of values) if (isNested(nested)) next.push(nested);
    }
    level = next;
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function addValues(count: VariableCounts, values: number): void {
  count.objects += 1;
  count.values += values;
  if (count.objects > MAX_VARIABLE_OBJECTS)
    throw createTooComplexError(`${MAX_VARIABLE_OBJECTS} lists and objects`);
  if (count.values > MAX_VARIABLE_VALUES) throw createTooComplexError(`${MAX_VARIABLE_VALUES} values`);
}

const createTooComplexError = (limit: string) =>
  createDocumentError('TOO_COMPLEX', `Variables may contain at most ${limit}.`);
