import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { AppError } from '../../../src/errors.ts';
import { inputName } from '../plan/input-map.ts';

/**
 * Runs a write; what it refuses says which part of the input is wrong, where the engine knows the field.
 * @param argument name of the argument with the input, such as `input`
 * @param input its value
 */
export async function withArgumentNames<T>(
  registry: Registry,
  model: Model,
  argument: string,
  input: unknown,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && !error.details.argument && error.details.model === model.name) {
      const name = error.details.field && inputName(registry, model, error.details.field);
      if (name && !isNested(input, name)) error.withDetails({ argument: `${argument}.${name}` });
    }
    throw error;
  }
}

/** Whether records within the input have a value of the name too, so that the wrong one may be theirs. */
const isNested = (input: unknown, name: string): boolean =>
  typeof input === 'object' &&
  input !== null &&
  Object.values(input).some((inner) => typeof inner === 'object' && inner !== null && hasName(inner, name));

const hasName = (value: object, name: string): boolean =>
  Object.entries(value).some(
    ([key, inner]) => key === name || (typeof inner === 'object' && inner !== null && hasName(inner, name)),
  );
