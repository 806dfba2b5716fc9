/** A number that may have decimals. In JSON and XML it keeps its point, by which clients recognise it: `9950.0`. */
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

/** `1.0`, `1.5`, `1e+16`, `1e-05`: as rows are read (src/engine/sql/projection.ts), and as Python writes it. Pure. */
export function formatFraction(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e16 || (size > 0 && size < 1e-4))
    return value.toExponential().replace(/(e[+-])(\d)$/, '$10$2');
  const digits = String(value);
  return digits.includes('.') ? digits : `${digits}.0`;
}

/** Node 24 has it, the library of ES2024 does not. */
const toRawJson = (text: string): unknown =>
  (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** The number as clients of the record API get it; what is none stays. */
export const toFraction = (value: unknown): unknown =>
  typeof value === 'number' ? new Fraction(value) : value;
