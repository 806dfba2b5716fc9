import { createHash } from 'node:crypto';

/** Computes a hash that identifies repeated requests, regardless of field order. */
export function computeRequestHash(payload: unknown): string {
  return createHash('sha256').update(toCanonicalJson(payload)).digest('base64');
}

function toCanonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  const values = value as Record<string, unknown>;
  let text = '';
  for (const { key, label } of sortFields(Object.keys(values))) {
    const inner = values[key];
    if (inner === undefined || inner === null) continue;
    text += `${text ? ',' : ''}${label}${toCanonicalJson(inner)}`;
  }
  return `{${text}}`;
}

/** Keys of the last object, cached because emails in a batch usually have the same keys. */
let last: { keys: string[]; fields: { key: string; label: string }[] } = { keys: [], fields: [] };

function sortFields(keys: string[]) {
  if (keys.length !== last.keys.length || keys.some((key, index) => key !== last.keys[index])) {
    const fields = keys.toSorted().map((key) => ({ key, label: `${JSON.stringify(key)}:` }));
    last = { keys, fields };
  }
  return last.fields;
}
