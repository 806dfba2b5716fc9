import { createHash } from 'node:crypto';

/** By which a repeated request is known: the same fields give the same hash, whatever their order. */
export function requestHash(payload: unknown): string {
  return createHash('sha256').update(canonical(payload)).digest('base64');
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}
