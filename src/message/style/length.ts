/** Pixels per unit, on a page of 1000 by 800 pixels with text of 16 pixels. */
const PIXELS_PER_UNIT: Record<string, number> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 9.6 / 2.54, q: 2.4 / 2.54 },
  ...{ em: 16, rem: 16, ex: 8, ch: 8, vw: 10, vh: 8, vmin: 8, vmax: 10, vi: 10, vb: 8 },
};

const FONT_UNIT = /^(?:em|ex|ch)$/;

interface LengthContext {
  /** Font size in pixels. */
  font?: number;
  /** Pixels per percent. Without it, percentages other than 0 are unknown. */
  percent?: number;
}

const MAX_CHARS = 200;
const MAX_DEPTH = 8;

/** Computes a CSS length in pixels. Null if it is unknown. A number without a unit counts as pixels. */
export function parseLength(text: string | undefined, context: LengthContext = {}): number | null {
  if (text === undefined || text === '' || text.length > MAX_CHARS) return null;
  const plain = PLAIN_NUMBER.exec(text);
  if (plain) return toPixels(Number(plain[1]), plain[2] ?? '', context);
  if (!/^(?:calc|min|max|clamp)\(/.test(text)) return null;
  const reader = { tokens: text.match(TOKEN) ?? [], at: 0, context };
  const value = readValue(reader, 0);
  return reader.at === reader.tokens.length ? value : null;
}

const NUMBER = String.raw`[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?`;
const PLAIN_NUMBER = new RegExp(`^(${NUMBER})([a-z]{1,4}|%)?$`);
const TOKEN = new RegExp(String.raw`${NUMBER}(?:[a-z]{1,4}|%)?|(?:calc|min|max|clamp)?\(|[-+*/(),]|\S`, 'g');

function toPixels(number: number, unit: string, { font = 16, percent }: LengthContext): number | null {
  if (number === 0) return 0;
  if (unit === '') return number;
  if (unit === '%') return percent === undefined ? null : number * percent;
  const pixels = PIXELS_PER_UNIT[unit];
  if (pixels === undefined) return null;
  return number * (FONT_UNIT.test(unit) ? (pixels * font) / 16 : pixels);
}

interface TokenReader {
  tokens: readonly string[];
  at: number;
  context: LengthContext;
}

function readSum(reader: TokenReader, depth: number): number | null {
  let sum = readProduct(reader, depth);
  for (let sign = reader.tokens[reader.at]; sign === '+' || sign === '-'; sign = reader.tokens[reader.at]) {
    reader.at += 1;
    const next = readProduct(reader, depth);
    sum = sum === null || next === null ? null : sum + (sign === '+' ? next : -next);
  }
  return sum;
}

function readProduct(reader: TokenReader, depth: number): number | null {
  let product = readValue(reader, depth);
  for (let sign = reader.tokens[reader.at]; sign === '*' || sign === '/'; sign = reader.tokens[reader.at]) {
    reader.at += 1;
    const next = readValue(reader, depth);
    product = product === null || next === null ? null : sign === '*' ? product * next : product / next;
  }
  return product;
}

function readValue(reader: TokenReader, depth: number): number | null {
  const token = reader.tokens[reader.at++] ?? '';
  const plain = PLAIN_NUMBER.exec(token);
  if (plain) return toPixels(Number(plain[1]), plain[2] ?? '', reader.context);
  if (!token.endsWith('(') || depth >= MAX_DEPTH) return null;
  const values: (number | null)[] = [];
  do values.push(readSum(reader, depth + 1));
  while (reader.tokens[reader.at] === ',' && reader.at++ >= 0);
  if (reader.tokens[reader.at++] !== ')' || values.includes(null)) return null;
  return selectValue(token, values as number[]);
}

function selectValue(name: string, values: readonly number[]): number | null {
  if (name === 'min(') return Math.min(...values);
  if (name === 'max(') return Math.max(...values);
  if (name === 'clamp(') {
    const [low = 0, value = 0, high = 0] = values;
    return values.length === 3 ? Math.max(low, Math.min(value, high)) : null;
  }
  return values.length === 1 ? values[0]! : null;
}

/** Parses a number or percentage between 0 and 1, such as an opacity. Null if it is unknown. */
export const parseFraction = (text: string | undefined): number | null => {
  const value = parseLength(text, { percent: 0.01 });
  return value === null ? null : Math.max(0, Math.min(value, 1));
};
