import { Kind, type OperationDefinitionNode, type TypeNode } from 'graphql';
import { limits } from '../../src/limits.ts';
import { documentError } from './bounds.ts';

/** Variables as they came, before their types are looked at. */
export type RawVariables = Readonly<Record<string, unknown>>;

/**
 * Bounds the variables that the operation declares before they are coerced, which takes a long time for many objects.
 * JSON is taken as it is, so of that only the depth counts.
 * @throws a GraphQLError with the code TOO_COMPLEX
 */
export function boundVariables(operation: OperationDefinitionNode, variables: RawVariables): void {
  const count: Count = { objects: 0, values: 0 };
  for (const { variable, type } of operation.variableDefinitions ?? [])
    walk(variables[variable.name.value], namedType(type) === 'JSON' ? null : count);
}

interface Count {
  objects: number;
  values: number;
}

const namedType = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);

/** Level by level, since a value may be nested deeper than the stack is. */
function walk(value: unknown, count: Count | null): void {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.call.depth) throw tooMuch(`${limits.call.depth} levels of lists and objects`);
    const next: object[] = [];
    for (const item of level) {
      const inner = Object.values(item);
      if (count) add(count, inner.length);
      for (const one of inner) if (isNested(one)) next.push(one);
    }
    level = next;
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function add(count: Count, values: number): void {
  const most = limits.graphql.variableObjects;
  count.objects += 1;
  count.values += values;
  if (count.objects > most) throw tooMuch(`${most} lists and objects`);
  if (count.values > limits.graphql.variableValues) throw tooMuch(`${limits.graphql.variableValues} values`);
}

const tooMuch = (what: string) => documentError('TOO_COMPLEX', `Variables may hold at most ${what}.`);
