import { Fraction, formatFraction } from '../../../src/engine/value/fraction.ts';
import { yieldToOthers } from '../../../src/loop/yield.ts';
import { MarshalError } from '../faults.ts';

const MAX_RESULT_DEPTH = 500;
const HEAD = '<?xml version="1.0"?>\n<methodResponse>';
const END = '</methodResponse>\n';
const NO_FLOATS: ReadonlySet<string> = new Set();

/**
 * Serializes a result as `<methodResponse>` (Odoo 19): dates and binaries are strings, and empty values are a false
 * boolean. JSON has one number type, so members named in `floats` are sent as `<double>` even if they are whole, as are
 * whole numbers over 32 bits. Null is always a false boolean, whereas Odoo returns a fault after a successful call.
 * Undefined members are omitted, as in JSON.
 * @throws MarshalError for values that JSON cannot represent
 */
export function encodeResponse(result: unknown, floats: ReadonlySet<string> = NO_FLOATS): string {
  return appendValue('', result, buildResponseTags(), { floats, members: new Map(), depth: 0 });
}

/** Like `encodeResponse`, in UTF-8. Yields to the event loop while it encodes a long result. @throws MarshalError */
export async function encodeResponseInSteps(
  result: unknown,
  floats: ReadonlySet<string> = NO_FLOATS,
): Promise<Buffer<ArrayBuffer>> {
  const state: LongWriteState = { floats, members: new Map(), depth: 0, out: '', chunks: [] };
  await writeValue(result, buildResponseTags(), state);
  return Buffer.concat([...state.chunks, Buffer.from(state.out)]);
}

/** Encodes rows of JSON text as they arrive. Yields to the event loop. @throws MarshalError */
export async function* encodeRows(
  batches: AsyncIterable<readonly string[]>,
  floats: ReadonlySet<string> = NO_FLOATS,
): AsyncGenerator<string> {
  const tags = buildResponseTags();
  const state: WriteState = { floats, members: new Map(), depth: 1 };
  let out = tags.array;
  for await (const rows of batches)
    for (const row of rows) {
      out = appendValue(out, parseJson(row), ITEM, state);
      if (out.length < CHUNK_CHARS) continue;
      yield out;
      out = '';
      const pause = yieldToOthers();
      if (pause) await pause;
    }
  yield out + tags.arrayEnd;
}

const buildResponseTags = (): ValueTags =>
  buildTags(`${HEAD}<params><param><value>`, `</value></param></params>${END}`, false);

/**
 * Encodes JSON text. Parsing it is faster than rewriting it in one pass (95 instead of 120 µs for 80 rows with 7
 * columns), because the built-in parser is native.
 */
export function encodeJsonText(json: string, floats: ReadonlySet<string> = NO_FLOATS): string {
  return encodeResponse(parseJson(json), floats);
}

/** Serializes a fault as `<methodResponse>`: with an integer code on `/xmlrpc/2`, a string code on `/xmlrpc`. */
export function encodeFault(code: number | string, text: string): string {
  const tags = buildTags(`${HEAD}<fault><value>`, `</value></fault>${END}`, false);
  const fault = { faultCode: code, faultString: text };
  return appendValue('', fault, tags, { floats: NO_FLOATS, members: new Map(), depth: 0 });
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new MarshalError('the result is not valid JSON');
  }
}

/**
 * The text before and after a value, including the value's own tags. Rows repeat their member names, so precomputing
 * this text saves string operations for each cell.
 */
interface ValueTags {
  string: string;
  stringEnd: string;
  int: string;
  intEnd: string;
  double: string;
  doubleEnd: string;
  array: string;
  arrayEnd: string;
  struct: string;
  structEnd: string;
  false: string;
  true: string;
  isFloat: boolean;
}

function buildTags(open: string, close: string, isFloat: boolean): ValueTags {
  return {
    string: `${open}<string>`,
    stringEnd: `</string>${close}`,
    int: `${open}<int>`,
    intEnd: `</int>${close}`,
    double: `${open}<double>`,
    doubleEnd: `</double>${close}`,
    array: `${open}<array><data>`,
    arrayEnd: `</data></array>${close}`,
    struct: `${open}<struct>`,
    structEnd: `</struct>${close}`,
    false: `${open}<boolean>0</boolean>${close}`,
    true: `${open}<boolean>1</boolean>${close}`,
    isFloat,
  };
}

const ITEM = buildTags('<value>', '</value>', false);

interface WriteState {
  floats: ReadonlySet<string>;
  members: Map<string, ValueTags>;
  depth: number;
}

function appendValue(out: string, value: unknown, tags: ValueTags, state: WriteState): string {
  if (typeof value === 'string') return out + tags.string + escapeText(value) + tags.stringEnd;
  if (typeof value === 'number') return appendNumber(out, value, tags);
  if (value === false || value === null || value === undefined) return out + tags.false;
  if (value === true) return out + tags.true;
  if (value instanceof Fraction) return out + tags.double + formatFraction(value.value) + tags.doubleEnd;
  return appendContainer(out, value, tags, state);
}

function appendNumber(out: string, value: number, tags: ValueTags): string {
  if ((value | 0) === value && !tags.isFloat) return out + tags.int + value + tags.intEnd;
  if (!Number.isFinite(value)) throw createNotMarshallableError('non-finite number');
  return out + tags.double + formatFraction(value) + tags.doubleEnd;
}

function appendContainer(out: string, value: object, tags: ValueTags, state: WriteState): string {
  if (state.depth === MAX_RESULT_DEPTH)
    throw new MarshalError(`the result is nested more than ${MAX_RESULT_DEPTH} levels deep`);
  state.depth++;
  const output = Array.isArray(value)
    ? appendItems(out + tags.array, value, state) + tags.arrayEnd
    : appendMembers(out + tags.struct, toStruct(value), state) + tags.structEnd;
  state.depth--;
  return output;
}

function appendItems(out: string, items: unknown[], state: WriteState): string {
  let output = out;
  for (const item of items) output = appendValue(output, item, ITEM, state);
  return output;
}

function appendMembers(out: string, struct: Record<string, unknown>, state: WriteState): string {
  let output = out;
  for (const name of Object.keys(struct)) {
    const value = struct[name];
    if (value !== undefined) output = appendValue(output, value, getMemberTags(name, state), state);
  }
  return output;
}

/** `chunks` contains the output that precedes `out`. */
interface LongWriteState extends WriteState {
  out: string;
  chunks: Buffer[];
}

/** Nesting depth down to which the encoder yields between items: record lists, and lists in a result. */
const YIELDING_LEVELS = 3;
const CHUNK_CHARS = 64 * 1024;

/** Writes incrementally down to `YIELDING_LEVELS`, below which items are small. */
async function writeValue(value: unknown, tags: ValueTags, state: LongWriteState): Promise<void> {
  if (
    value === null ||
    typeof value !== 'object' ||
    value instanceof Fraction ||
    state.depth === YIELDING_LEVELS
  )
    state.out = appendValue(state.out, value, tags, state);
  else {
    const isList = Array.isArray(value);
    state.out += isList ? tags.array : tags.struct;
    state.depth++;
    if (isList) for (const item of value) await writeItem(item, ITEM, state);
    else await writeMembers(toStruct(value), state);
    state.depth--;
    state.out += isList ? tags.arrayEnd : tags.structEnd;
  }
}

async function writeMembers(struct: Record<string, unknown>, state: LongWriteState): Promise<void> {
  for (const name of Object.keys(struct))
    if (struct[name] !== undefined) await writeItem(struct[name], getMemberTags(name, state), state);
}

async function writeItem(value: unknown, tags: ValueTags, state: LongWriteState): Promise<void> {
  await writeValue(value, tags, state);
  if (state.out.length < CHUNK_CHARS) return;
  state.chunks.push(Buffer.from(state.out));
  state.out = '';
  const pause = yieldToOthers();
  if (pause) await pause;
}

function getMemberTags(name: string, { floats, members }: WriteState): ValueTags {
  let tags = members.get(name);
  if (!tags) {
    const open = `<member><name>${escapeText(name)}</name><value>`;
    tags = buildTags(open, '</value></member>', floats.has(name));
    members.set(name, tags);
  }
  return tags;
}

function toStruct(value: object): Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw createNotMarshallableError(value.constructor.name);
  return value as Record<string, unknown>;
}

const SPECIAL_CHARACTERS = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]/;
const EACH_SPECIAL = new RegExp(SPECIAL_CHARACTERS, 'g');

/** Parsers would read a bare carriage return as a line feed (XML 1.0 section 2.11). */
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

/** Escapes text. Drops control characters, as Odoo does, because XML cannot represent them. */
function escapeText(text: string): string {
  return SPECIAL_CHARACTERS.test(text)
    ? text.replace(EACH_SPECIAL, (character) => ESCAPES[character] ?? '')
    : text;
}

const createNotMarshallableError = (type: string) => new MarshalError(`cannot marshal ${type} values`);
