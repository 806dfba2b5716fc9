import { toApiValues } from './document.ts';
import type { FormValues } from './fields.ts';
import type { ModelDescription } from './model.ts';

/**
 * True if each field has one of its accepted values.
 * @param conditions accepted values by field, of the type that the GraphQL schema declares as JSON
 */
export function matchesConditions(
  { fields }: ModelDescription,
  values: FormValues,
  conditions: unknown,
): boolean {
  const acceptedValues = (conditions ?? {}) as Record<string, unknown[]>;
  const current = toApiValues(
    fields.filter(({ name }) => name in acceptedValues),
    values,
  );
  return Object.entries(acceptedValues).every(([name, accepted]) => accepted.includes(current[name]));
}
