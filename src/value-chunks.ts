// Transfers a large value between threads in pieces, because receiving it at once would block the receiving thread for
// seconds.

/** A step that applies to the innermost open list or object. */
type RebuildStep =
  | { do: 'put'; keys: string[] | null; values: unknown[] }
  | { do: 'open'; key: string | null; list: boolean }
  | { do: 'close' }
  | { do: 'text'; key: string | null; parts: number }
  | { do: 'part'; text: string };

export type RebuildSteps = RebuildStep[];

/** Approximate values per piece. A character counts as a hundredth of a value. */
const CHUNK_WEIGHT = 4_000;
const TEXT_CHUNK_CHARS = 100 * CHUNK_WEIGHT;

/** Splits a JSON value into pieces for `createChunkJoiner`. The recursion is as deep as the value. */
export function* splitIntoChunks(value: unknown): Generator<RebuildSteps> {
  let piece: RebuildSteps = [];
  let weight = 0;
  for (const [step, cost] of generateSteps(null, value)) {
    piece.push(step);
    weight += cost;
    if (weight < CHUNK_WEIGHT) continue;
    yield piece;
    piece = [];
    weight = 0;
  }
  if (piece.length > 0) yield piece;
}

type WeightedStep = [step: RebuildStep, weight: number];

function* generateSteps(key: string | null, value: unknown): Generator<WeightedStep> {
  const weight = computeWeight(value, CHUNK_WEIGHT);
  if (weight < CHUNK_WEIGHT)
    yield [{ do: 'put', keys: key === null ? null : [key], values: [value] }, weight];
  else if (typeof value === 'string') yield* generateTextSteps(key, value);
  else {
    yield [{ do: 'open', key, list: Array.isArray(value) }, 1];
    yield* generateContainerSteps(value as object);
    yield [{ do: 'close' }, 1];
  }
}

function* generateTextSteps(key: string | null, text: string): Generator<WeightedStep> {
  const parts = Math.ceil(text.length / TEXT_CHUNK_CHARS);
  yield [{ do: 'text', key, parts }, 1];
  for (let index = 0; index < parts; index++)
    yield [
      { do: 'part', text: text.slice(index * TEXT_CHUNK_CHARS, (index + 1) * TEXT_CHUNK_CHARS) },
      CHUNK_WEIGHT,
    ];
}

/** Generates the steps of a list or object. Combines small neighboring values. */
function* generateContainerSteps(container: object): Generator<WeightedStep> {
  const list = Array.isArray(container);
  let keys: string[] = [];
  let values: unknown[] = [];
  let pendingWeight = 0;
  const flushValues = (): WeightedStep => {
    const step: WeightedStep = [{ do: 'put', keys: list ? null : keys, values }, pendingWeight];
    [keys, values, pendingWeight] = [[], [], 0];
    return step;
  };
  for (const [key, value] of list ? container.entries() : Object.entries(container)) {
    const weight = computeWeight(value, CHUNK_WEIGHT);
    if (pendingWeight > 0 && pendingWeight + weight >= CHUNK_WEIGHT) yield flushValues();
    if (weight >= CHUNK_WEIGHT) yield* generateSteps(list ? null : (key as string), value);
    else {
      keys.push(key as string);
      values.push(value);
      pendingWeight += weight;
    }
  }
  if (pendingWeight > 0) yield flushValues();
}

function computeWeight(value: unknown, maxWeight: number): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (value === null || typeof value !== 'object') return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && weight < maxWeight; index++)
      weight += computeWeight(value[index], maxWeight - weight);
    return weight;
  }
  for (const key in value) {
    weight +=
      1 + key.length / 100 + computeWeight((value as Record<string, unknown>)[key], maxWeight - weight);
    if (weight >= maxWeight) return weight;
  }
  return weight;
}

/** Rebuilds a value from its pieces. Call `take` with each piece, then `value`. */
export function createChunkJoiner(): { take(piece: RebuildSteps): void; value(): unknown } {
  const root: unknown[] = [];
  const openContainers: Container[] = [root];
  let text = { key: null as string | null, value: '', missing: 0 };
  const rebuildFromStep = (step: RebuildStep): void => {
    const parentChunk = openContainers.at(-1)!;
    if (step.do === 'put')
      for (const [index, value] of step.values.entries()) putMember(parentChunk, step.keys?.[index], value);
    else if (step.do === 'close') openContainers.pop();
    else if (step.do === 'open') openContainers.push(putMember(parentChunk, step.key, step.list ? [] : {}));
    else if (step.do === 'text') text = { key: step.key, value: '', missing: step.parts };
    else {
      text.value += step.text;
      if (--text.missing === 0) putMember(parentChunk, text.key, text.value);
    }
  };
  return { take: (piece) => piece.forEach(rebuildFromStep), value: () => root[0] };
}

type Container = unknown[] | Record<string, unknown>;

function putMember<T>(container: Container, key: string | null | undefined, value: T): T {
  if (Array.isArray(container)) container.push(value);
  // Like JSON.parse, creates an own property instead of setting the prototype.
  else if (key === '__proto__')
    Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
  else container[key!] = value;
  return value;
}
