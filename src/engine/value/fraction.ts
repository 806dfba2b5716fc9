/** A decimal number. In JSON and XML it retains its decimal point, so that clients recognize it: `9950.0`. */
export class Fraction {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toJSON(): unknown {
    return Number.isFinite(this.value) ? toRawJson(formatFraction(this.value)) : null;
  }
  toString(): string {
    return String(this.value);
  }
}

/** Formats a number as in rows (src/engine/sql/projection.ts) and in Python: `1.0`, `1.5`, `1e+16`, `1e-05`. */
export function formatFraction(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e16 || (size > 0 && size < 1e-4))
    return value.toExponential().replace(/(e[+-])(\d)$/, '$10$2');
  const digits = String(value);
  return digits.includes('.') ? digits : `${digits}.0`;
}

/** `JSON.rawJSON` exists in Node 24, but not in the ES2024 library types. */
const toRawJson = (text: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** Converts a number to the format that clients of the record API receive. Other values are returned unchanged. */
export const toFraction = (value: unknown): unknown =>
  typeof value === 'number' ? new Fraction(value) : value;
