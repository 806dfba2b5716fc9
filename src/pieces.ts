// A large value as it goes from one thread to another: in pieces, because taking over all of it at once would block
// the thread that gets it for seconds.

/** What is done to rebuild a value; the innermost list or object that is open takes it. */
type Step =
  | { do: 'put'; keys: string[] | null; values: unknown[] }
  | { do: 'open'; key: string | null; list: boolean }
  | { do: 'close' }
  | { do: 'text'; key: string | null; parts: number }
  | { do: 'part'; text: string };

/** Steps that are taken over at once. */
export type Steps = Step[];

/** Values of one piece, about: a character counts as a hundredth. */
const PIECE = 4_000;
const TEXT = 100 * PIECE;

/** Cuts a value of JSON into pieces; `joiner` rebuilds it. Recursion goes as deep as the value. */
export function* cut(value: unknown): Generator<Steps> {
  let piece: Steps = [];
  let weight = 0;
  for (const [step, cost] of steps(null, value)) {
    piece.push(step);
    weight += cost;
    if (weight < PIECE) continue;
    yield piece;
    piece = [];
    weight = 0;
  }
  if (piece.length > 0) yield piece;
}

type Weighed = [step: Step, weight: number];

function* steps(key: string | null, value: unknown): Generator<Weighed> {
  const weight = weightOf(value, PIECE);
  if (weight < PIECE) yield [{ do: 'put', keys: key === null ? null : [key], values: [value] }, weight];
  else if (typeof value === 'string') yield* textSteps(key, value);
  else {
    yield [{ do: 'open', key, list: Array.isArray(value) }, 1];
    yield* innerSteps(value as object);
    yield [{ do: 'close' }, 1];
  }
}

function* textSteps(key: string | null, text: string): Generator<Weighed> {
  const parts = Math.ceil(text.length / TEXT);
  yield [{ do: 'text', key, parts }, 1];
  for (let at = 0; at < parts; at++)
    yield [{ do: 'part', text: text.slice(at * TEXT, (at + 1) * TEXT) }, PIECE];
}

/** Small neighbours go together. */
function* innerSteps(container: object): Generator<Weighed> {
  const list = Array.isArray(container);
  let keys: string[] = [];
  let values: unknown[] = [];
  let held = 0;
  const together = (): Weighed => {
    const step: Weighed = [{ do: 'put', keys: list ? null : keys, values }, held];
    [keys, values, held] = [[], [], 0];
    return step;
  };
  for (const [key, value] of list ? container.entries() : Object.entries(container)) {
    const weight = weightOf(value, PIECE);
    if (held > 0 && held + weight >= PIECE) yield together();
    if (weight >= PIECE) yield* steps(list ? null : (key as string), value);
    else {
      keys.push(key as string);
      values.push(value);
      held += weight;
    }
  }
  if (held > 0) yield together();
}

/** Values in a value, itself included; counted no further than `most`. */
function weightOf(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + value.length / 100;
  if (value === null || typeof value !== 'object') return 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && weight < most; at++) weight += weightOf(value[at], most - weight);
    return weight;
  }
  for (const key in value) {
    weight += 1 + key.length / 100 + weightOf((value as Record<string, unknown>)[key], most - weight);
    if (weight >= most) return weight;
  }
  return weight;
}

/** Rebuilds a value from its pieces: `take` each, then ask for the `value`. */
export function joiner(): { take(piece: Steps): void; value(): unknown } {
  const root: unknown[] = [];
  const open: Container[] = [root];
  let text = { key: null as string | null, value: '', missing: 0 };
  const takeStep = (step: Step): void => {
    const into = open.at(-1)!;
    if (step.do === 'put') for (const [at, value] of step.values.entries()) put(into, step.keys?.[at], value);
    else if (step.do === 'close') open.pop();
    else if (step.do === 'open') open.push(put(into, step.key, step.list ? [] : {}));
    else if (step.do === 'text') text = { key: step.key, value: '', missing: step.parts };
    else {
      text.value += step.text;
      if (--text.missing === 0) put(into, text.key, text.value);
    }
  };
  return { take: (piece) => piece.forEach(takeStep), value: () => root[0] };
}

type Container = unknown[] | Record<string, unknown>;

function put<T>(container: Container, key: string | null | undefined, value: T): T {
  if (Array.isArray(container)) container.push(value);
  // As JSON.parse does: a member of that name is a member, and not what the object inherits from.
  else if (key === '__proto__')
    Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
  else container[key!] = value;
  return value;
}
