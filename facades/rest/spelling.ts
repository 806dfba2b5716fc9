import type { z } from '@hono/zod-openapi';
import { toSnakeCase } from '../../src/engine/model/datamodel.ts';

/** Fields of an object (or of a list's items) that other APIs spell differently. */
interface FieldSpellings {
  /** Our field names, keyed by their snake_case spelling. */
  names: Map<string, string>;
  nested: Map<string, FieldSpellings>;
}

/**
 * Finds fields that are spelled as in other mail APIs, such as `reply_to`. Unknown fields are ignored, but ignoring one
 * of these would send a different email than the client intended. The same applies to `__proto__`.
 * @param schema of the body; objects with the caller's own keys (`headers`, `metadata`) are not checked
 */
export function findMisspellings(schema: z.ZodType, value: unknown): string[] {
  let spelling = spellings.get(schema);
  if (spelling === undefined) {
    spelling = buildSpellings(schema);
    spellings.set(schema, spelling);
  }
  const faults: string[] = [];
  if (spelling) collectMisspellings(spelling, value, '', faults);
  return faults;
}

const spellings = new WeakMap<z.ZodType, FieldSpellings | null>();

function collectMisspellings(spelling: FieldSpellings, value: unknown, path: string, faults: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collectMisspellings(spelling, item, `${path}${index}.`, faults);
  } else if (value !== null && typeof value === 'object') {
    for (const field of Object.keys(value)) {
      const camelName = field.includes('_') && spelling.names.get(field);
      if (camelName) faults.push(`${path}${field}: use ${camelName}`);
      // Rejected, because the schema would silently drop it.
      const inner = (value as Record<string, unknown>)[field];
      if (typeof inner === 'object' && inner && Object.hasOwn(inner, '__proto__'))
        faults.push(`${path}${field}: __proto__ is not a name`);
    }
    for (const [field, inside] of spelling.nested)
      collectMisspellings(inside, (value as Record<string, unknown>)[field], `${path}${field}.`, faults);
  }
}

/** Returns null if no field has another spelling. */
function buildSpellings(schema: z.core.$ZodType): FieldSpellings | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
      return buildSpellings(def.innerType);
    case 'pipe':
      return buildSpellings(def.in);
    case 'lazy':
      return buildSpellings(def.getter());
    case 'array':
      return buildSpellings(def.element);
    case 'object':
      return buildShapeSpellings(def.shape);
    default:
      return null;
  }
}

function buildShapeSpellings(shape: z.core.$ZodShape): FieldSpellings | null {
  const spelling: FieldSpellings = { names: new Map(), nested: new Map() };
  for (const [name, schema] of Object.entries(shape)) {
    const other = toSnakeCase(name);
    if (other !== name) spelling.names.set(other, name);
    const inside = buildSpellings(schema);
    if (inside) spelling.nested.set(name, inside);
  }
  return spelling.names.size + spelling.nested.size > 0 ? spelling : null;
}
