import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { AppError } from '../../../src/errors.ts';
import { getInputName } from '../plan/input-map.ts';

/**
 * Runs a write. If the engine reports an invalid field, adds its path in the input to the error.
 * @param argument name of the argument with the input, such as `input`
 * @param input value of the argument
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
      const name = error.details.field && getInputName(registry, model, error.details.field);
      if (name && !hasNestedName(input, name)) error.withDetails({ argument: `${argument}.${name}` });
    }
    throw error;
  }
}

/** Returns true if nested records in the input have a value with the same name, which the error may refer to. */
const hasNestedName = (input: unknown, name: string): boolean =>
  typeof input === 'object' &&
  input !== null &&
  Object.values(input).some((inner) => typeof inner === 'object' && inner !== null && hasName(inner, name));

const hasName = (value: object, name: string): boolean =>
  Object.entries(value).some(
    ([key, inner]) => key === name || (typeof inner === 'object' && inner !== null && hasName(inner, name)),
  );
