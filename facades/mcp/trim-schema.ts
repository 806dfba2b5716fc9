import { isObject } from '../../src/json.ts';

/**
 * A schema as it is listed: without what an agent does not need to read (bounds that a refusal names, defaults that
 * are the same as nothing, and that no other arguments are allowed), and with `listed` in place of what clients refuse
 * in a schema, such as mixed types. Every client reads the list of tools whole. Pure.
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
