import { toApiValues } from './document.ts';
import type { FormValues } from './fields.ts';
import type { FieldDescription, ModelDescription } from './model.ts';

/** True if each field has one of its accepted values. */
export function matchesConditions(
  { fields }: ModelDescription,
  values: FormValues,
  conditions: FieldDescription['conditions'],
): boolean {
  const comparedFields = fields.filter(({ name }) => conditions.some(({ field }) => field === name));
  const current = toApiValues(comparedFields, values);
  return conditions.every(({ field, values }) => values.includes(String(current[field])));
}
