import { createBudget } from '../budget.ts';
import { errors } from '../errors.ts';
import { parseJson } from '../json.ts';
import { limits } from '../limits.ts';
import { runInThread, type TaskOwner } from '../thread.ts';
import { createBodyTimeout } from './body-timeout.ts';
import { getArrival } from './client-address.ts';

// Bodies of requests: how much of whose is read, kept and parsed.

/** How a body is read. */
export interface BodyReadOptions {
  /** Bytes it may have; of a sender who is not known at most `limits.http.strangerBody`. */
  maxBytes: number;
  owner: TaskOwner;
  /**
   * Looks for a sender who is not known in the first bytes of a body.
   * @returns null when they do not say
   * @throws what the door answers to a wrong credential
   */
  authenticate?(head: Buffer): Promise<TaskOwner | null>;
}

export interface RequestBody {
  bytes: Buffer;
  /** Whose it is, as far as it has been proved. */
  owner: TaskOwner;
}

export const UNAUTHENTICATED_OWNER: TaskOwner = 0;

/**
 * The body of a request. What it takes of the memory for bodies is held until `releaseBody`.
 * @throws BAD_REQUEST with the HTTP status 413 (too large) or 408 (too slow); BUSY when others hold the memory
 */
export async function readBody(request: Request, reading: BodyReadOptions): Promise<RequestBody> {
  const { maxBytes: most, owner: holder } = reading;
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > most) throw errors.bodyTooLarge(most);
  const uncounted = holder === UNAUTHENTICATED_OWNER ? limits.http.bodyHead : limits.http.largeBody;
  // Asked for first: merely looking at `request.body` makes the server build a stream.
  if (announced > 0 && announced <= uncounted) {
    const bytes = await createBodyTimeout().wait(readAll(request), announced);
    if (bytes.length > most) throw errors.bodyTooLarge(most);
    return { bytes, owner: holder };
  }
  return request.body
    ? readStream(request, request.body, reading, announced)
    : { bytes: EMPTY_BODY, owner: holder };
}

const EMPTY_BODY = Buffer.alloc(0);

/** Of the connection itself: a Request would copy it. */
async function readAll(request: Request): Promise<Buffer> {
  const { incoming } = getArrival(request.headers);
  if (!incoming || incoming.readableDidRead) return Buffer.from(await request.arrayBuffer());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    incoming.on('error', reject);
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(errors.bodyCut());
    });
  });
}

/** Counts received bytes: a client that announces many and sends none does not block others. */
async function readStream(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { maxBytes: most, owner: holder, authenticate: prove }: BodyReadOptions,
  announced: number,
): Promise<RequestBody> {
  const reader = body.getReader();
  const pace = createBodyTimeout();
  const memory = createGrowingBuffer(most, announced);
  const proof = createSenderProof(prove);
  let owner = holder;
  try {
    for (;;) {
      const { value, done } = await pace.wait(reader.read(), memory.size());
      if (done) {
        proof.check();
        return { bytes: memory.bytes(), owner: owner };
      }
      memory.add(value);
      const size = Math.max(announced, memory.size());
      if (owner === UNAUTHENTICATED_OWNER && memory.size() > limits.http.bodyHead)
        owner = await proof.sender(memory.head());
      if (owner === UNAUTHENTICATED_OWNER && size > limits.http.strangerBody) {
        proof.check();
        throw bodyTooLarge(most);
      }
      reserveBody(request, owner, memory.size());
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

const bodyTooLarge = (most: number) =>
  most > limits.http.strangerBody
    ? errors.strangerTooLarge(limits.http.strangerBody)
    : errors.bodyTooLarge(most);

/**
 * Asks once who the sender is. A small body is read to its end before a wrong credential is answered: many clients do
 * not listen before they have sent all.
 */
function createSenderProof(prove: BodyReadOptions['authenticate']) {
  let isAsked = prove === undefined;
  let fault: unknown = null;
  return {
    async sender(head: Buffer): Promise<TaskOwner> {
      if (isAsked) return UNAUTHENTICATED_OWNER;
      isAsked = true;
      try {
        return (await prove!(head)) ?? UNAUTHENTICATED_OWNER;
      } catch (error) {
        fault = error;
        return UNAUTHENTICATED_OWNER;
      }
    },
    check(): void {
      if (fault !== null) throw fault;
    },
  };
}

const GROWTH_STEP_BYTES = 1024 * 1024;

/**
 * Bytes that come in parts. A large body is one buffer from the start: to join its parts would block the process. What
 * is announced and does not come takes no memory, only addresses.
 */
function createGrowingBuffer(most: number, announced: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  let buffer: ArrayBuffer | null = null;
  const addLarge = (part: Uint8Array, at: number) => {
    const end = at + part.byteLength;
    if (end > buffer!.byteLength)
      buffer!.resize(
        Math.min(most, Math.max(announced, Math.ceil(end / GROWTH_STEP_BYTES) * GROWTH_STEP_BYTES)),
      );
    new Uint8Array(buffer!, at).set(part);
  };
  return {
    size: () => size,
    head: () => (buffer ? Buffer.from(buffer) : Buffer.concat(parts)).subarray(0, limits.http.bodyHead),
    /** @throws BAD_REQUEST with the HTTP status 413 */
    add(part: Uint8Array) {
      const start = size;
      size += part.byteLength;
      if (size > most) throw errors.bodyTooLarge(most);
      if (buffer) addLarge(part, start);
      else parts.push(part);
      if (buffer || size <= limits.http.largeBody) return;
      buffer = new ArrayBuffer(0, { maxByteLength: most });
      let at = 0;
      for (const each of parts) {
        addLarge(each, at);
        at += each.byteLength;
      }
      parts = [];
    },
    bytes(): Buffer {
      if (!buffer) return Buffer.concat(parts);
      buffer.resize(size);
      return Buffer.from(buffer);
    },
  };
}

const authenticatedBudget = createBudget(limits.http.largeBodies, limits.http.largeBodiesOfOne);
const unauthenticatedBudget = createBudget(limits.http.strangerBodies);

const getBudget = (holder: TaskOwner) =>
  holder === UNAUTHENTICATED_OWNER ? unauthenticatedBudget : authenticatedBudget;

/** What the bodies of requests hold. */
const reservations = new WeakMap<Request, { holder: TaskOwner; bytes: number }>();

/** Strangers are counted from the first byte: they may be many. */
function reserveBody(request: Request, holder: TaskOwner, bytes: number): void {
  if (holder !== UNAUTHENTICATED_OWNER && bytes <= limits.http.largeBody) return;
  releaseBody(request);
  getBudget(holder).reserve(bytes, holder);
  reservations.set(request, { holder, bytes });
}

/** Gives back what the body of a request holds: once it is answered, because what was parsed of it lives as long. */
export function releaseBody(request: Request): void {
  const own = reservations.get(request);
  if (!own) return;
  reservations.delete(request);
  getBudget(own.holder).release(own.bytes, own.holder);
}

/**
 * The value of a JSON body; a large one is parsed beside the event loop, and is no longer there afterwards.
 * @throws TypeError for bytes that are no UTF-8, SyntaxError for text that is no JSON, BAD_REQUEST with the HTTP status
 *   413 for a large one with too many values or levels
 */
export function parseBody(body: RequestBody): unknown {
  return body.bytes.length > limits.http.largeBody
    ? parseInThread(body, new URL('../json-parse.ts', import.meta.url))
    : parseJson(body.bytes);
}

/** What a module makes of a large body beside the event loop; see `inThread`. The bytes are handed over to it. */
export const parseInThread = <T>({ bytes, owner: holder }: RequestBody, module: URL): Promise<T> =>
  runInThread<T>(module, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), holder, {
    transfer: [bytes.buffer as ArrayBuffer],
  });
