export interface Ids {
  get(model: string, recorded: number): number | undefined;
  bind(model: string, recorded: number, ours: number): void;
  isTaken(model: string, ours: number): boolean;
}

export function createIds(): Ids {
  const idsByReference = new Map<string, number>();
  const usedIds = new Set<string>();
  return {
    get: (model, recorded) => idsByReference.get(`${model}:${recorded}`),
    bind(model, recorded, ours) {
      idsByReference.set(`${model}:${recorded}`, ours);
      usedIds.add(`${model}:${ours}`);
    },
    isTaken: (model, ours) => usedIds.has(`${model}:${ours}`),
  };
}

/** A reference in a fixture: `@model:id`, or `+model:id` for a record that was just created. */
export interface Reference {
  model: string;
  id: number;
  isCreated: boolean;
  /** Written as `@@model:id`: the text value of a reference field. */
  text: boolean;
}

const REFERENCE = /^(@@?|\+)([a-z_][\w.]*):(\d+)$/;

export function parseReference(value: unknown): Reference | null {
  const match = typeof value === 'string' ? REFERENCE.exec(value) : null;
  if (!match) return null;
  return { isCreated: match[1] === '+', text: match[1] === '@@', model: match[2]!, id: Number(match[3]) };
}

/** An id that does not exist, used for unmapped references. */
export const UNKNOWN_ID = 2_000_000_000;

export function translate(value: unknown, ids: Ids, secrets: Record<string, string>): unknown {
  if (typeof value === 'string') return translateText(value, ids, secrets);
  if (Array.isArray(value)) return value.map((item) => translate(item, ids, secrets));
  if (value === null || typeof value !== 'object') return value;
  const { $text, $range } = value as { $text?: string; $range?: [number, number] };
  if ($text !== undefined) return String(translate($text, ids, secrets));
  if ($range) return Array.from({ length: $range[1] - $range[0] + 1 }, (_, i) => $range[0] + i);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, translate(item, ids, secrets)]));
}

function translateText(value: string, ids: Ids, secrets: Record<string, string>): string | number {
  const reference = parseReference(value);
  if (reference) {
    const ownId = ids.get(reference.model, reference.id) ?? UNKNOWN_ID + reference.id;
    return reference.text ? `${reference.model},${ownId}` : ownId;
  }
  return value.replace(/<([A-Z_]+)>/g, (match, name) => secrets[name] ?? match);
}

export const translatePath = (path: string, ids: Ids, secrets: Record<string, string>): string =>
  path
    .replace(/@[a-z.]+:\d+/, (reference) => String(translate(reference, ids, {})))
    .replace(/<([A-Z_]+)>/g, (match, name) => secrets[name] ?? match);
