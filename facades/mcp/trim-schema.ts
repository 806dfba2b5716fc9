import { isObject } from '../../src/json.ts';

/**
 * Reduces a schema to the parts that an agent needs, because every client reads the whole tool list. Omits bounds that
 * error messages state, defaults that match an omitted value, and `additionalProperties: false`. Uses `listed` instead
 * of constructs that clients reject, such as mixed types.
 */
export function trimSchema(schema: object): object {
  if ('listed' in schema) return trimSchema(schema.listed as object);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, key === 'properties' ? trimProperties(value) : trimValue(value)]),
  );
}

const isNoise = (key: string, value: unknown): boolean =>
  ((key === 'additionalProperties' || key === 'default') && value === false) ||
  (key === 'default' && value === 0) ||
  key === 'minimum' ||
  key === 'minItems';

const trimProperties = (properties: object): object =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, trimSchema(schema)]));

const trimValue = (value: unknown): unknown => (isObject(value) ? trimSchema(value) : value);
