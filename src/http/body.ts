import { createBudget } from '../budget.ts';
import { errors } from '../errors.ts';
import { parseSmallJson } from '../json-parse.ts';
import { limits } from '../limits.ts';
import { runInThread, type TaskOwner } from '../thread.ts';
import { createBodyTimeout } from './body-timeout.ts';
import { getArrival } from './client-address.ts';

/** Maximum total size of authenticated callers' large bodies in one process. */
const MAX_LARGE_BODIES_BYTES = 256 * 1024 * 1024;
/** This size is sufficient for the largest request. */
const MAX_LARGE_BODIES_BYTES_PER_WORKSPACE = 128 * 1024 * 1024;
/**
 * Maximum total size of unauthenticated senders' bodies in one process, except bodies within `UNCOUNTED_BODY_BYTES`.
 */
const MAX_ANONYMOUS_BODIES_BYTES = 16 * 1024 * 1024;
/** Maximum size of a body that is not counted. A longer body must authenticate its sender within these bytes. */
const UNCOUNTED_BODY_BYTES = 16 * 1024;

export interface BodyReadOptions {
  /** Unauthenticated senders are limited to `limits.http.strangerBody`. */
  maxBytes: number;
  owner: TaskOwner;
  /**
   * Authenticates the sender from the first bytes of a body.
   * @returns null if they contain no credential
   * @throws the facade's error for an invalid credential
   */
  authenticate?(head: Buffer): Promise<TaskOwner | null>;
}

export interface RequestBody {
  bytes: Buffer;
  owner: TaskOwner;
}

export const UNAUTHENTICATED_OWNER: TaskOwner = 0;

/**
 * Reads the body of a request. Its memory budget stays reserved until `releaseBody`.
 * @throws BAD_REQUEST with the HTTP status 413 (too large) or 408 (too slow); BUSY if other bodies use the budget
 */
export async function readBody(request: Request, options: BodyReadOptions): Promise<RequestBody> {
  const { maxBytes, owner: holder } = options;
  const announcedBytes = Number(request.headers.get('content-length') ?? 0);
  if (announcedBytes > maxBytes) throw errors.bodyTooLarge(maxBytes);
  const uncounted = holder === UNAUTHENTICATED_OWNER ? UNCOUNTED_BODY_BYTES : limits.http.largeBody;
  // Checked first, because `request.body` makes the server create a stream.
  if (announcedBytes > 0 && announcedBytes <= uncounted) {
    const bytes = await createBodyTimeout().wait(readAll(request), announcedBytes);
    if (bytes.length > maxBytes) throw errors.bodyTooLarge(maxBytes);
    return { bytes, owner: holder };
  }
  return request.body
    ? readStream(request, request.body, options, announcedBytes)
    : { bytes: EMPTY_BODY, owner: holder };
}

const EMPTY_BODY = Buffer.alloc(0);

/** Reads from the connection directly, because a Request would copy the bytes. */
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

/**
 * Counts received bytes, not announced ones, so that a client that announces many bytes and sends none does not block
 * others.
 */
async function readStream(
  request: Request,
  body: ReadableStream<Uint8Array>,
  { maxBytes, owner: holder, authenticate: prove }: BodyReadOptions,
  announcedBytes: number,
): Promise<RequestBody> {
  const reader = body.getReader();
  const pace = createBodyTimeout();
  const memory = createGrowingBuffer(maxBytes, announcedBytes);
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
      const size = Math.max(announcedBytes, memory.size());
      if (owner === UNAUTHENTICATED_OWNER && memory.size() > UNCOUNTED_BODY_BYTES)
        owner = await proof.sender(memory.head());
      if (owner === UNAUTHENTICATED_OWNER && size > limits.http.strangerBody) {
        proof.check();
        throw bodyTooLarge(maxBytes);
      }
      reserveBody(request, owner, memory.size());
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

const bodyTooLarge = (maxBytes: number) =>
  maxBytes > limits.http.strangerBody
    ? errors.strangerTooLarge(limits.http.strangerBody)
    : errors.bodyTooLarge(maxBytes);

/**
 * Authenticates the sender once. A small body is read completely before an invalid credential is reported, because many
 * clients do not read a response until they have sent the whole body.
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
 * Collects bytes that arrive in chunks. A large body uses one buffer from the start, because joining its chunks would
 * block the process. Announced bytes that never arrive use address space, but no memory.
 */
function createGrowingBuffer(maxBytes: number, announcedBytes: number) {
  let parts: Uint8Array[] = [];
  let size = 0;
  let buffer: ArrayBuffer | null = null;
  const addLarge = (part: Uint8Array, index: number) => {
    const end = index + part.byteLength;
    if (end > buffer!.byteLength)
      buffer!.resize(
        Math.min(maxBytes, Math.max(announcedBytes, Math.ceil(end / GROWTH_STEP_BYTES) * GROWTH_STEP_BYTES)),
      );
    new Uint8Array(buffer!, index).set(part);
  };
  return {
    size: () => size,
    head: () => (buffer ? Buffer.from(buffer) : Buffer.concat(parts)).subarray(0, UNCOUNTED_BODY_BYTES),
    /** @throws BAD_REQUEST with the HTTP status 413 */
    add(part: Uint8Array) {
      const start = size;
      size += part.byteLength;
      if (size > maxBytes) throw errors.bodyTooLarge(maxBytes);
      if (buffer) addLarge(part, start);
      else parts.push(part);
      if (buffer || size <= limits.http.largeBody) return;
      buffer = new ArrayBuffer(0, { maxByteLength: maxBytes });
      let offset = 0;
      for (const part of parts) {
        addLarge(part, offset);
        offset += part.byteLength;
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

const authenticatedBudget = createBudget(MAX_LARGE_BODIES_BYTES, MAX_LARGE_BODIES_BYTES_PER_WORKSPACE);
const unauthenticatedBudget = createBudget(MAX_ANONYMOUS_BODIES_BYTES);

const getBudget = (holder: TaskOwner) =>
  holder === UNAUTHENTICATED_OWNER ? unauthenticatedBudget : authenticatedBudget;

const reservations = new WeakMap<Request, { holder: TaskOwner; bytes: number }>();

/** Bodies of unauthenticated senders count from the first byte, because there may be many of them. */
function reserveBody(request: Request, holder: TaskOwner, bytes: number): void {
  if (holder !== UNAUTHENTICATED_OWNER && bytes <= limits.http.largeBody) return;
  releaseBody(request);
  getBudget(holder).reserve(bytes, holder);
  reservations.set(request, { holder, bytes });
}

/** Must be called after the response has been sent, because the parsed values stay in memory until then. */
export function releaseBody(request: Request): void {
  const reservation = reservations.get(request);
  if (!reservation) return;
  reservations.delete(request);
  getBudget(reservation.holder).release(reservation.bytes, reservation.holder);
}

/**
 * Parses a JSON body. A large body is parsed in a worker thread, and its bytes are no longer available afterwards.
 * @throws the errors of `parseLargeJson`
 */
export function parseBody(body: RequestBody): unknown {
  return body.bytes.length > limits.http.largeBody
    ? parseInThread(body, new URL('../json-parse.ts', import.meta.url))
    : parseSmallJson(body.bytes);
}

/** Processes a large body with a module in a worker thread (`runInThread`). Transfers the bytes to the thread. */
export const parseInThread = <T>({ bytes, owner: holder }: RequestBody, module: URL): Promise<T> =>
  runInThread<T>(module, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), holder, {
    transfer: [bytes.buffer as ArrayBuffer],
  });
