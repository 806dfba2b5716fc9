import sax from 'sax';
import { limits as all } from '../../../src/limits.ts';
import { RpcParseError } from '../faults.ts';
import { SCALARS } from './scalars.ts';
import { decodeSource } from './source.ts';

const MAX_XML_DEPTH = 100;
const MAX_XML_VALUES = 500_000;
const MAX_XML_ATTRIBUTES = 1_000;
const MAX_XML_NAME_CHARS = 255;

/** Limits for a message: bytes, nesting levels, elements, XML attributes, and characters in a name. */
interface CallLimits {
  bytes: number;
  depth: number;
  values: number;
  /** Some clients send namespaces, although the format defines no attributes. */
  attributes: number;
  nameLength: number;
}

export const XML_CALL_LIMITS: Readonly<CallLimits> = {
  bytes: all.rpc.body,
  depth: MAX_XML_DEPTH,
  values: MAX_XML_VALUES,
  attributes: MAX_XML_ATTRIBUTES,
  nameLength: MAX_XML_NAME_CHARS,
};

/** Structs are objects without a prototype, `nil` is null, and base64 data remains a string. */
export interface RpcCall {
  method: string;
  params: unknown[];
}

/**
 * Parses a `<methodCall>`. Converts dateTime.iso8601 to `YYYY-MM-DD HH:MM:SS` in UTC, every integer width to a JSON
 * number, and an untyped value to a string.
 * @throws RpcParseError, and no other error, unless the input is one well-formed call within `limits`
 */
export function decodeCall(xml: Buffer | string, limits: CallLimits = XML_CALL_LIMITS): RpcCall {
  const call = createParseState(limits);
  const text = decodeSource(xml, limits.bytes);
  withParseErrors(() => {
    const parser = createParser(call);
    feedParser(parser, text);
    parser.close();
  });
  return finishCall(call);
}

/**
 * Parses the params at the start of a partial call.
 * @throws RpcParseError under the same conditions as `decodeCall`
 */
export function decodeFirstParams(head: Buffer): unknown[] {
  const call = createParseState(XML_CALL_LIMITS);
  withParseErrors(() =>
    feedParser(createParser(call), decodeSource(trimPartialTag(head), XML_CALL_LIMITS.bytes)),
  );
  return (call.frames.find(({ tag }) => tag === 'params')?.value ?? []) as unknown[];
}

/** Removes an incomplete character or tag from the end, in any supported encoding. */
function trimPartialTag(head: Buffer): Buffer {
  const end = head.lastIndexOf('>') + 1;
  return head.subarray(0, (head[0] ?? 0) >= 0xfe ? end + (end % 2) : end);
}

function withParseErrors(parse: () => void): void {
  try {
    parse();
  } catch (error) {
    // The parser throws other errors on some hostile input, which must not reach the client.
    throw error instanceof RpcParseError ? error : createMalformedXmlError('it cannot be read');
  }
}

const createParseState = (limits: CallLimits): CallParseState => ({
  limits,
  frames: [createFrame('')],
  values: 0,
  depth: 0,
  extraMembers: 0,
  attributes: 0,
});

function createParser(call: CallParseState): sax.SAXParser {
  const parser = sax.parser(true);
  // The parser's table inherits from Object, so `&constructor;` would expand to a function's source text.
  parser.ENTITIES = Object.assign(Object.create(null), { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" });
  parser.onopentag = (tag) => openElement(call, getLocalName(tag.name));
  parser.onclosetag = () => close(call);
  parser.ontext = (text) => addText(call, text);
  parser.oncdata = (text) => addText(call, text);
  parser.onattribute = () => countAttribute(call);
  parser.onerror = (error) => {
    throw createMalformedXmlError(error.message.split('\n')[0] ?? '');
  };
  return parser;
}

// The parser's types omit its state constants.
const DECLARATION_STATE = (sax as unknown as { STATE: Record<string, number> }).STATE.SGML_DECL;

/**
 * Checks each `<!` and rejects everything except comments and CDATA. Entity declarations enable "billion laughs"
 * attacks, and the parser takes quadratic time for a long declaration.
 */
function feedParser(parser: sax.SAXParser, text: string): void {
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/<\s*!/g)) {
    const next = index + mark.length;
    write(parser, text, from, next);
    from = next;
    const declares = (parser as unknown as { state: number }).state === DECLARATION_STATE;
    if (declares && !text.startsWith('--', next) && !text.startsWith('[CDATA[', next))
      throw new RpcParseError('DOCTYPE and other declarations are not accepted');
  }
  write(parser, text, from, text.length);
}

const CHUNK_CHARS = 64 * 1024;

/**
 * Writes in chunks, because the parser checks its limit of 64 KiB for names, references and attributes only between
 * writes.
 */
function write(parser: sax.SAXParser, text: string, from: number, to: number): void {
  for (let start = from; start < to; start += CHUNK_CHARS)
    parser.write(text.slice(start, Math.min(start + CHUNK_CHARS, to)));
}

function getLocalName(name: string): string {
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

/** An open element. `value` is undefined until a child sets it. */
interface Frame {
  tag: string;
  text: string;
  name: string | undefined;
  value: unknown;
  members: number;
}

type Container = unknown[] | Record<string, unknown>;

/** Open elements, outermost first, and the counters for the limits. */
interface CallParseState {
  limits: CallLimits;
  frames: Frame[];
  values: number;
  depth: number;
  extraMembers: number;
  attributes: number;
}

function openElement(call: CallParseState, tag: string): void {
  const parent = getInnermostFrame(call);
  if (!CHILDREN.get(parent.tag)?.has(tag) || isTagTaken(parent, tag))
    throw new RpcParseError(
      `<${tag.slice(0, 40)}> is not expected ${parent.tag ? `in <${parent.tag}>` : 'here'}`,
    );
  if (tag === 'value' && ++call.values > call.limits.values)
    throw new RpcParseError(`the call has more than ${call.limits.values} values`);
  if (isNestingTag(tag) && ++call.depth > call.limits.depth)
    throw new RpcParseError(`the call is nested more than ${call.limits.depth} levels deep`);
  call.frames.push(createFrame(tag));
}

function addText(call: CallParseState, text: string): void {
  const frame = getInnermostFrame(call);
  // The search also flattens the text. Otherwise, text that the parser concatenates from single characters takes 20
  // times the memory.
  const isBlank = !/\S/.test(text);
  if (TEXT_TAGS.has(frame.tag)) frame.text += text;
  else if (!isBlank) throw createStrayTextError(frame.tag);
}

function countAttribute(call: CallParseState): void {
  if (++call.attributes > call.limits.attributes)
    throw new RpcParseError(`the call has more than ${call.limits.attributes} attributes`);
}

function close(call: CallParseState): void {
  const frame = call.frames.pop() as Frame;
  if (isNestingTag(frame.tag)) call.depth--;
  if (isNamingTag(frame.tag) && frame.text.length > call.limits.nameLength)
    throw new RpcParseError(`a name is longer than ${call.limits.nameLength} characters`);
  const parent = getInnermostFrame(call);
  if (frame.tag === 'member' && ++parent.members > all.http.objectKeys) countExtraMember(call);
  attachFrame(parent, frame);
}

function countExtraMember(call: CallParseState): void {
  const { objectKeys, extraKeys } = all.http;
  if (++call.extraMembers > extraKeys)
    throw new RpcParseError(
      `the structs of the call have more than ${extraKeys} members beyond the first ${objectKeys} of each`,
    );
}

function finishCall(call: CallParseState): RpcCall {
  const { name, value } = getInnermostFrame(call);
  if (name === undefined) throw createIncompleteTagError('methodCall', 'methodName');
  return { method: name, params: value as unknown[] };
}

function getInnermostFrame(call: CallParseState): Frame {
  return call.frames[call.frames.length - 1] as Frame;
}

const isNestingTag = (tag: string) => tag === 'array' || tag === 'struct';
const isNamingTag = (tag: string) => tag === 'name' || tag === 'methodName';

/** The value of a list or struct is set immediately, because an empty one has no children that set it. */
function createFrame(tag: string): Frame {
  return { tag, text: '', name: undefined, value: createContainer(tag), members: 0 };
}

function createContainer(tag: string): Container | undefined {
  if (tag === 'params' || tag === 'data') return [];
  return tag === 'struct' ? Object.create(null) : undefined;
}

const REPEATABLE_ELEMENTS: ReadonlySet<string> = new Set(['params', 'data', 'struct']);

function isTagTaken(parent: Frame, tag: string): boolean {
  if (REPEATABLE_ELEMENTS.has(parent.tag)) return false;
  return isNamingTag(tag) ? parent.name !== undefined : parent.value !== undefined;
}

function attachFrame(parent: Frame, frame: Frame): void {
  if (frame.tag === 'name') parent.name = frame.text;
  else if (frame.tag === 'methodName') parent.name = frame.text.trim();
  else if (frame.tag === 'methodCall') attachCall(parent, frame);
  else if (frame.tag === 'member') attachMember(parent, frame);
  else if (parent.tag === 'params' || parent.tag === 'data')
    (parent.value as unknown[]).push(getFrameValue(frame));
  else parent.value = getFrameValue(frame);
}

function attachCall(root: Frame, call: Frame): void {
  if (!call.name) throw createIncompleteTagError('methodCall', 'methodName');
  root.name = call.name;
  root.value = call.value ?? [];
}

function attachMember(struct: Frame, { name, value }: Frame): void {
  if (name === undefined) throw createIncompleteTagError('member', 'name');
  if (value === undefined) throw createIncompleteTagError('member', 'value');
  (struct.value as Record<string, unknown>)[name] = value;
}

function getFrameValue(frame: Frame): unknown {
  const readScalar = SCALARS.get(frame.tag);
  if (readScalar) return readScalar(frame.text);
  if (frame.tag === 'value') return getValueOrText(frame);
  if (frame.tag === 'param' && frame.value === undefined) throw createIncompleteTagError('param', 'value');
  return frame.tag === 'array' ? (frame.value ?? []) : frame.value;
}

function getValueOrText({ value, text }: Frame): unknown {
  if (value === undefined) return text;
  if (/\S/.test(text)) throw createStrayTextError('value');
  return value;
}

const createMalformedXmlError = (detail: string) => new RpcParseError(`malformed XML: ${detail}`);

const createIncompleteTagError = (tag: string, part: string) =>
  new RpcParseError(`<${tag}> requires <${part}>`);

const createStrayTextError = (tag: string) => new RpcParseError(`text is not expected in <${tag}>`);
