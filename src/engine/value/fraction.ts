/** A decimal number that keeps its decimal point in JSON and XML, so that clients recognize its type: `9950.0`. */
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

/** Formats a number as src/engine/sql/projection.ts and Python do: `1.0`, `1.5`, `1e+16`, `1e-05`. */
export function formatFraction(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e16 || (size > 0 && size < 1e-4))
    return value.toExponential().replace(/(e[+-])(\d)$/, '$10$2');
  const digits = String(value);
  return digits.includes('.') ? digits : `${digits}.0`;
}

/** TypeScript's ES2024 library does not declare `JSON.rawJSON`, which Node 24 supports. */
const toRawJson = (text: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** Wraps a number in the format for record API clients. Returns other values unchanged. */
export const toFraction = (value: unknown): unknown =>
  typeof value === 'number' ? new Fraction(value) : value;
