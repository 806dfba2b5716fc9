import sax from 'sax';
import { limits as all } from '../../../src/limits.ts';
import {
  declarationRefused,
  incomplete,
  malformedXml,
  misplaced,
  nameTooLong,
  RpcParseError,
  strayText,
  tooDeep,
  tooManyAttributes,
  tooManyValues,
} from '../faults.ts';
import { SCALARS } from './scalars.ts';
import { sourceText } from './source.ts';

/** What one message may cost before it is refused: bytes, levels, elements, XML attributes, characters of a name. */
export interface CallLimits {
  bytes: number;
  depth: number;
  values: number;
  /** The format defines none, some clients send namespaces. */
  attributes: number;
  nameLength: number;
}

export const CALL_LIMITS: Readonly<CallLimits> = {
  bytes: all.rpc.body,
  depth: all.rpc.depth,
  values: all.rpc.values,
  attributes: all.rpc.attributes,
  nameLength: all.rpc.nameLength,
};

/** One XML-RPC call: structs are objects without a prototype, `nil` is null, base64 stays text. */
export interface RpcCall {
  method: string;
  params: unknown[];
}

/**
 * Reads a `<methodCall>`.
 * dateTime.iso8601 becomes `YYYY-MM-DD HH:MM:SS` in UTC, every integer width a JSON number, an untyped value a string.
 * @throws RpcParseError for anything else than one well-formed call within `limits`, and only that
 */
export function decodeCall(xml: Buffer | string, limits: CallLimits = CALL_LIMITS): RpcCall {
  const call = newReading(limits);
  const text = sourceText(xml, limits.bytes);
  parsing(() => {
    const parser = parserFor(call);
    feed(parser, text);
    parser.close();
  });
  return finish(call);
}

/**
 * The first params of a call of which only the beginning is there.
 * @throws RpcParseError as `decodeCall`
 */
export function firstParams(head: Buffer): unknown[] {
  const call = newReading(CALL_LIMITS);
  parsing(() => feed(parserFor(call), sourceText(wholeTags(head), CALL_LIMITS.bytes)));
  return (call.frames.find(({ tag }) => tag === 'params')?.value ?? []) as unknown[];
}

/** A beginning without the character or tag that was cut, in any of the encodings. */
function wholeTags(head: Buffer): Buffer {
  const end = head.lastIndexOf('>') + 1;
  return head.subarray(0, (head[0] ?? 0) >= 0xfe ? end + (end % 2) : end);
}

function parsing(read: () => void): void {
  try {
    read();
  } catch (error) {
    // The parser throws other errors of its own on some hostile input; none of them is ours to leak.
    throw error instanceof RpcParseError ? error : malformedXml('it cannot be read');
  }
}

const newReading = (limits: CallLimits): Reading => ({
  limits,
  frames: [newFrame('')],
  values: 0,
  depth: 0,
  attributes: 0,
});

function parserFor(call: Reading): sax.SAXParser {
  const parser = sax.parser(true);
  // Its own table inherits Object's members, so that &constructor; would expand to source text.
  parser.ENTITIES = Object.assign(Object.create(null), { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });
  parser.onopentag = (tag) => open(call, localName(tag.name));
  parser.onclosetag = () => close(call);
  parser.ontext = (text) => addText(call, text);
  parser.oncdata = (text) => addText(call, text);
  parser.onattribute = () => countAttribute(call);
  parser.onerror = (error) => {
    throw malformedXml(error.message.split('\n')[0] ?? '');
  };
  return parser;
}

// The types of the parser leave out its state.
const DECLARATION_STATE = (sax as unknown as { STATE: Record<string, number> }).STATE.SGML_DECL;

/**
 * Stops at each `<!` to refuse what is neither a comment nor CDATA: entity declarations are the way to a
 * billion laughs, and the parser's own reading of a long declaration takes quadratic time.
 */
function feed(parser: sax.SAXParser, text: string): void {
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/<\s*!/g)) {
    const next = index + mark.length;
    write(parser, text, from, next);
    from = next;
    const declares = (parser as unknown as { state: number }).state === DECLARATION_STATE;
    if (declares && !text.startsWith('--', next) && !text.startsWith('[CDATA[', next))
      throw declarationRefused();
  }
  write(parser, text, from, text.length);
}

const PIECE = 64 * 1024;

/** In pieces: between two writes the parser refuses a name, reference or attribute that grew over 64 KiB. */
function write(parser: sax.SAXParser, text: string, from: number, to: number): void {
  for (let at = from; at < to; at += PIECE) parser.write(text.slice(at, Math.min(at + PIECE, to)));
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

const CHILDREN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    '': ['methodCall'],
    methodCall: ['methodName', 'params'],
    params: ['param'],
    param: ['value'],
    value: [...SCALARS.keys(), 'array', 'struct'],
    array: ['data'],
    data: ['value'],
    struct: ['member'],
    member: ['name', 'value'],
  }).map(([tag, children]) => [tag, new Set(children)]),
);

const TEXT_TAGS: ReadonlySet<string> = new Set(['value', 'name', 'methodName', ...SCALARS.keys()]);

/** An open element: what its children have given it so far. `value` is undefined until one has. */
interface Frame {
  tag: string;
  text: string;
  name: string | undefined;
  value: unknown;
}

type Container = unknown[] | Record<string, unknown>;

/** A call being read: the open elements, outermost first, and what it has cost so far. */
interface Reading {
  limits: CallLimits;
  frames: Frame[];
  values: number;
  depth: number;
  attributes: number;
}

function open(call: Reading, tag: string): void {
  const parent = innermost(call);
  if (!CHILDREN.get(parent.tag)?.has(tag) || isTaken(parent, tag)) throw misplaced(tag, parent.tag);
  if (tag === 'value' && ++call.values > call.limits.values) throw tooManyValues(call.limits.values);
  if (isNesting(tag) && ++call.depth > call.limits.depth) throw tooDeep(call.limits.depth);
  call.frames.push(newFrame(tag));
}

function addText(call: Reading, text: string): void {
  const frame = innermost(call);
  // The search also flattens a text the parser joined from single characters, which else holds 20 times its size.
  const isBlank = !/\S/.test(text);
  if (TEXT_TAGS.has(frame.tag)) frame.text += text;
  else if (!isBlank) throw strayText(frame.tag);
}

function countAttribute(call: Reading): void {
  if (++call.attributes > call.limits.attributes) throw tooManyAttributes(call.limits.attributes);
}

function close(call: Reading): void {
  const frame = call.frames.pop() as Frame;
  if (isNesting(frame.tag)) call.depth--;
  if (isNaming(frame.tag) && frame.text.length > call.limits.nameLength)
    throw nameTooLong(call.limits.nameLength);
  attach(innermost(call), frame);
}

function finish(call: Reading): RpcCall {
  const { name, value } = innermost(call);
  if (name === undefined) throw incomplete('methodCall', 'methodName');
  return { method: name, params: value as unknown[] };
}

function innermost(call: Reading): Frame {
  return call.frames[call.frames.length - 1] as Frame;
}

const isNesting = (tag: string) => tag === 'array' || tag === 'struct';
const isNaming = (tag: string) => tag === 'name' || tag === 'methodName';

/** Lists and structs exist from the start, so an empty one closes as empty. */
function newFrame(tag: string): Frame {
  return { tag, text: '', name: undefined, value: emptyOf(tag) };
}

function emptyOf(tag: string): Container | undefined {
  if (tag === 'params' || tag === 'data') return [];
  return tag === 'struct' ? Object.create(null) : undefined;
}

const REPEATING: ReadonlySet<string> = new Set(['params', 'data', 'struct']);

function isTaken(parent: Frame, tag: string): boolean {
  if (REPEATING.has(parent.tag)) return false;
  return isNaming(tag) ? parent.name !== undefined : parent.value !== undefined;
}

/** Hands what a closed element holds to the element around it. */
function attach(parent: Frame, frame: Frame): void {
  if (frame.tag === 'name') parent.name = frame.text;
  else if (frame.tag === 'methodName') parent.name = frame.text.trim();
  else if (frame.tag === 'methodCall') attachCall(parent, frame);
  else if (frame.tag === 'member') attachMember(parent, frame);
  else if (parent.tag === 'params' || parent.tag === 'data') (parent.value as unknown[]).push(heldBy(frame));
  else parent.value = heldBy(frame);
}

function attachCall(root: Frame, call: Frame): void {
  if (!call.name) throw incomplete('methodCall', 'methodName');
  root.name = call.name;
  root.value = call.value ?? [];
}

function attachMember(struct: Frame, { name, value }: Frame): void {
  if (name === undefined) throw incomplete('member', 'name');
  if (value === undefined) throw incomplete('member', 'value');
  (struct.value as Record<string, unknown>)[name] = value;
}

function heldBy(frame: Frame): unknown {
  const read = SCALARS.get(frame.tag);
  if (read) return read(frame.text);
  if (frame.tag === 'value') return typedOrText(frame);
  if (frame.tag === 'param' && frame.value === undefined) throw incomplete('param', 'value');
  return frame.tag === 'array' ? (frame.value ?? []) : frame.value;
}

function typedOrText({ value, text }: Frame): unknown {
  if (value === undefined) return text;
  if (/\S/.test(text)) throw strayText('value');
  return value;
}
