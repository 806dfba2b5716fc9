export interface Row {
  id: number;
  name: string | null;
  int: number | null;
  bool: boolean | null;
  date: string | null;
  dt: string | null;
  sel: string | null;
  labels: string[];
  parent_id: Row | null;
  tag_ids: Tag[];
  line_ids: Line[];
}

export interface Tag {
  id: number;
  name: string;
  active: boolean;
}

export interface Line {
  id: number;
  name: string | null;
  qty: number | null;
  active: boolean;
}

type Leaf = [string, string, unknown];
type AnyRecord = Row | Tag | Line;

/** Current time of the random domains. The user is in Brussels, one hour ahead of UTC on all relevant days. */
export const NOW = '2026-02-15T10:20:30Z';

/** Expected values of relative dates: the day, and the instant if they specify one. */
export const RELATIVE: Record<string, [string, string | null]> = {
  today: ['2026-02-15', null],
  'today -15d': ['2026-01-31', null],
  'today =15d +1m': ['2026-03-15', null],
  now: ['2026-02-15', '2026-02-15 10:20:30'],
  '=1d': ['2026-02-01', '2026-01-31 23:00:00'],
  '-2w =0H': ['2026-02-01', '2026-01-31 23:00:00'],
  // A Sunday, on which the user's week starts.
  '=monday -6w': ['2026-01-05', '2026-01-04 23:00:00'],
};

/** Reference implementation: true if a record matches a domain. Shares no code with the engine. */
export function matches(domain: unknown[], record: AnyRecord, world: Row[]): boolean {
  const stack: boolean[] = [];
  for (const item of [...domain].reverse()) {
    if (item === '!') stack.push(!stack.pop());
    else if (item === '&') stack.push([stack.pop(), stack.pop()].every(Boolean));
    else if (item === '|') stack.push([stack.pop(), stack.pop()].some(Boolean));
    else stack.push(matchesLeaf(item as Leaf, record, world));
  }
  return stack.every(Boolean);
}

function matchesLeaf([path, operator, value]: Leaf, record: AnyRecord, world: Row[]): boolean {
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const fieldValue = (record as unknown as Record<string, unknown>)[name];
  if (rest.length && (name === 'date' || name === 'dt'))
    return operator === '=?' && !value
      ? true
      : matchesPart(getDatePart(fieldValue as string | null, rest[0]!), operator, value);
  if (rest.length) {
    const inner: Leaf = [rest.join('.'), operator, value];
    return getRelated(name, fieldValue, rest[0] === 'active').some((relatedRecord) =>
      matchesLeaf(inner, relatedRecord, world),
    );
  }
  if (operator === 'any' || operator === 'not any') {
    const asksActive = (value as unknown[]).some((item) => Array.isArray(item) && item[0] === 'active');
    const hasMatch = getRelated(name, fieldValue, asksActive).some((relatedRecord) =>
      matches(value as unknown[], relatedRecord, world),
    );
    return operator === 'any' ? hasMatch : !hasMatch;
  }
  if (operator === '=?') return value ? matchesLeaf([name, '=', value], record, world) : true;
  if (operator === '!=') return !matchesLeaf([name, '=', value], record, world);
  if (operator.startsWith('not ')) return !matchesLeaf([name, operator.slice(4), value], record, world);
  if (operator === '=') return matchesLeaf([name, 'in', [value]], record, world);
  if (operator.endsWith('_of')) return matchesTree(name, record, operator, value, world);
  if (name === 'display_name') return matchesLeaf(['name', operator, value], record, world);
  if (name.endsWith('_id') || name.endsWith('_ids'))
    return matchesRelation(name, fieldValue, operator, value, world);
  if (name === 'date' || name === 'dt')
    return matchesDate(name, fieldValue as string | null, operator, value);
  return matchesValue(name, fieldValue, operator, value);
}

/** For `id` and `parent_id`, which both mean the record itself. Tags have no hierarchy. */
function matchesTree(
  name: string,
  record: AnyRecord,
  operator: string,
  value: unknown,
  world: Row[],
): boolean {
  const expectedIds = (Array.isArray(value) ? value : [value]).filter((v) => v !== false);
  const isSeed = (relatedRecord: AnyRecord): boolean =>
    expectedIds.some((v) =>
      typeof v === 'number' ? v === relatedRecord.id : matchesPattern(relatedRecord.name, 'ilike', v),
    );
  if (name === 'tag_ids') {
    const isNamedSeed = (tag: Tag) => isSeed({ ...tag, name: tag.active ? tag.name : '' });
    return (record as Row).tag_ids.some(isNamedSeed);
  }
  const listAncestors = (row: Row): Row[] => [row, ...(row.parent_id ? listAncestors(row.parent_id) : [])];
  if (operator === 'child_of') return listAncestors(record as Row).some(isSeed);
  return world.filter(isSeed).some((seed) => listAncestors(seed).includes(record as Row));
}

function getDatePart(actual: string | null, part: string): number | null {
  if (actual === null) return null;
  const date = new Date(`${actual.padEnd(19, ' 00:00:00').replace(' ', 'T')}Z`);
  if (part === 'year_number') return date.getUTCFullYear();
  if (part === 'month_number') return date.getUTCMonth() + 1;
  if (part === 'quarter_number') return Math.ceil((date.getUTCMonth() + 1) / 3);
  if (part === 'day_of_month') return date.getUTCDate();
  return part === 'day_of_week' ? date.getUTCDay() : date.getUTCHours();
}

function matchesPart(actual: number | null, operator: string, value: unknown): boolean {
  if (operator === '!=') return !matchesPart(actual, '=', value);
  if (operator === 'not in') return !matchesPart(actual, 'in', value);
  if (operator === 'in') return (value as unknown[]).some((v) => matchesPart(actual, '=', v));
  const expected = value === false || value === null ? null : Number(value);
  if (operator === '=' || operator === '=?') return actual === expected;
  if (actual === null || expected === null) return false;
  return compare(actual, operator, expected);
}

function compare<T extends number | string>(left: T, operator: string, right: T): boolean {
  if (operator === '<') return left < right;
  if (operator === '>') return left > right;
  return operator === '<=' ? left <= right : left >= right;
}

/** Compares days with days and instants with instants; a day includes all its instants. */
function matchesDate(name: string, actual: string | null, operator: string, value: unknown): boolean {
  if (operator.endsWith('like')) return matchesPattern(actual, operator, value);
  if (operator === 'in')
    return (value as unknown[]).some((v) =>
      v === false ? actual === null : actual === (name === 'date' ? toDay(v) : toSpan(v)[0]),
    );
  if (actual === null || value === false) return false;
  if (name === 'date') return compare(actual, operator, toDay(value));
  const [begin, end] = toSpan(value);
  return compare(actual, operator, operator === '>' || operator === '<=' ? end : begin);
}

const toDay = (value: unknown): string => RELATIVE[value as string]?.[0] ?? (value as string).slice(0, 10);

/** First and last second. */
function toSpan(value: unknown): [string, string] {
  const [day, instant] = RELATIVE[value as string] ?? [(value as string).slice(0, 10), null];
  const exact = instant ?? ((value as string)[10] === ' ' ? (value as string) : null);
  if (exact && /^\d/.test(exact)) return [exact, exact];
  const begin = Date.parse(`${day}T00:00:00Z`) - 3_600_000;
  const buildText = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
  return [buildText(begin), buildText(begin + 86_399_000)];
}

function getRelated(name: string, actual: unknown, asksActive: boolean): AnyRecord[] {
  if (name.endsWith('_id')) return actual ? [actual as Row] : [];
  return (actual as (Tag | Line)[]).filter((related) => asksActive || related.active);
}

function matchesRelation(
  name: string,
  fieldValue: unknown,
  operator: string,
  value: unknown,
  world: Row[],
): boolean {
  const all = (Array.isArray(fieldValue) ? fieldValue : fieldValue ? [fieldValue] : []) as AnyRecord[];
  if (operator.endsWith('like')) {
    return getRelated(name, fieldValue, false).some(
      (relatedRecord) => value === '' || matchesLeaf(['name', operator, value], relatedRecord, world),
    );
  }
  return (value as unknown[]).some((expected) => {
    if (expected === false) return all.length === 0;
    if (typeof expected === 'number') return all.some((relatedRecord) => relatedRecord.id === expected);
    return getRelated(name, fieldValue, false).some((relatedRecord) => relatedRecord.name === expected);
  });
}

function matchesValue(name: string, actual: unknown, operator: string, value: unknown): boolean {
  if (operator.endsWith('like')) return matchesPattern(actual, operator, value);
  if (operator === 'in') return (value as unknown[]).some((expected) => isSame(name, actual, expected));
  return compare((actual as number) ?? 0, operator, (value as number) || 0);
}

function isSame(name: string, actual: unknown, expected: unknown): boolean {
  if (name === 'labels') {
    const labels = actual as string[];
    return expected === false ? labels.length === 0 : labels.includes(expected as string);
  }
  // Unset, false, zero and '' are equal for fields of matching types, but no date equals false.
  return (actual || false) === (expected || false);
}

function matchesPattern(actual: unknown, operator: string, value: unknown): boolean {
  if (value === '') return operator.startsWith('=') ? !actual : true;
  if (actual === null) return false;
  const text = String(actual);
  const pattern = operator.startsWith('=') ? String(value) : `%${value}%`;
  return new RegExp(`^${toRegExp(pattern)}$`, operator.includes('ilike') ? 'is' : 's').test(text);
}

const toRegExp = (pattern: string): string =>
  pattern.replace(/\\(.)|[%_]|[.*+?^${}()|[\]]/g, (hit, escaped) => {
    if (escaped) return escaped.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return hit === '%' ? '.*' : hit === '_' ? '.' : `\\${hit}`;
  });
