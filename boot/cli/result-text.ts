/** The result of a command for people: a line for each record, `none` for no records. Pure. */
export function resultLines(result: unknown): string {
  if (Array.isArray(result)) return result.length ? result.map((row) => `${line(row)}\n`).join('') : 'none\n';
  return `${line(result)}\n`;
}

function line(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${Array.isArray(inner) ? inner.join(', ') || '-' : (inner ?? '-')}`)
    .join('   ');
}
