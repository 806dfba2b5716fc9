import type { Field } from '../model/field.ts';
import { isNumber, isText } from '../model/field.ts';
import type { Model } from '../model/model.ts';

/**
 * A parsed domain. `column` compares a column of the record itself, `part` a part of its date, `property` one of its
 * properties; `exists` looks at related records, `tree` at where the record stands in a hierarchy, `follows` at the
 * record it hangs on: one of the `open` models, or one that the model's rule lets through; `held` at the records of
 * `model` in whose `list` it is: one that the rule lets through, or it is in none and matches `loose`.
 */
export type DomainNode =
  | { kind: 'const'; value: boolean }
  | { kind: 'and' | 'or'; items: DomainNode[] }
  | { kind: 'not'; item: DomainNode }
  | { kind: 'column'; field: Field; operator: ColumnOperator; value: unknown }
  | {
      kind: 'part';
      field: Field;
      part: DatePart;
      tz: string | null;
      operator: ColumnOperator;
      value: unknown;
    }
  | { kind: 'property'; field: Field; name: string; operator: ColumnOperator; value: unknown }
  | { kind: 'exists'; field: Field; model: Model; where: DomainNode; ruled: boolean; active: boolean }
  | { kind: 'tree'; field: Field; tree: HierarchyTree }
  | { kind: 'follows'; fields: FollowedFields; open: string[]; ruled: { model: Model; rule: DomainNode }[] }
  | { kind: 'held'; model: Model; list: Field; rule: DomainNode; loose: DomainNode };

/** The fields that say which record another one hangs on: its model's name and its id. */
export interface FollowedFields {
  model: string;
  id: string;
}

/**
 * Operators that are left after parsing; `in` and `not in` have a list, in which null is "not set", and `contains` JSON
 * as text.
 */
export type ColumnOperator =
  | 'in'
  | 'not in'
  | '<'
  | '>'
  | '<='
  | '>='
  | 'like'
  | 'ilike'
  | '=like'
  | '=ilike'
  | 'contains';

/** Parts of a date as numbers, and what Postgres calls them. Sunday is day 0 of the week. */
export const POSTGRES_DATE_PARTS = {
  year_number: 'year',
  quarter_number: 'quarter',
  month_number: 'month',
  iso_week_number: 'week',
  day_of_year: 'doy',
  day_of_month: 'day',
  day_of_week: 'dow',
  hour_number: 'hour',
  minute_number: 'minute',
  second_number: 'second',
} as const;

/** What a condition asks of a date: a part, or with `tz` the date itself in that zone. */
export const DATE_PARTS = { ...POSTGRES_DATE_PARTS, tz: null } as const;
export type DatePart = keyof typeof DATE_PARTS;

/**
 * Records of `model` that were named, and all below them (or above, when `up`) by the many2one `parent`, for
 * every reader. Named are the `ids`, and those that match `names`: under the reader's rules, not archived.
 */
export interface HierarchyTree {
  model: Model;
  /** null: the model has no hierarchy. */
  parent: Field | null;
  up: boolean;
  ids: number[];
  names: DomainNode | null;
  ruled: boolean;
  active: boolean;
}

export const TRUE: DomainNode = { kind: 'const', value: true };
export const FALSE: DomainNode = { kind: 'const', value: false };

/** All of them: true without any. What is constant is left out, and decides when it is false. */
export function and(items: DomainNode[]): DomainNode {
  const rest = items.filter((n) => !(n.kind === 'const' && n.value));
  if (rest.some((n) => n.kind === 'const')) return FALSE;
  return rest.length === 0 ? TRUE : rest.length === 1 ? rest[0]! : { kind: 'and', items: rest };
}

/** Any of them: false without any. What is constant is left out, and decides when it is true. */
export function or(items: DomainNode[]): DomainNode {
  const rest = items.filter((n) => !(n.kind === 'const' && !n.value));
  if (rest.some((n) => n.kind === 'const')) return TRUE;
  return rest.length === 0 ? FALSE : rest.length === 1 ? rest[0]! : { kind: 'or', items: rest };
}

/** The opposite: of a list of values in the condition itself, and of an opposite what that was made of. */
export function not(item: DomainNode): DomainNode {
  if (item.kind === 'const') return item.value ? FALSE : TRUE;
  if (item.kind === 'not') return item.item;
  if (item.kind === 'column' || item.kind === 'part') {
    if (item.operator === 'in') return { ...item, operator: 'not in' };
    if (item.operator === 'not in') return { ...item, operator: 'in' };
  }
  return { kind: 'not', item };
}

/**
 * Items joined by one word, with the conditions on each linked record in one: the record is then looked up once. They
 * may be about one record where a link leads to at most one, or where any that meets one of them will do.
 */
export function mergeLinks(word: 'and' | 'or', items: readonly DomainNode[]): DomainNode[] {
  const joined: (DomainNode | LinkedConditions)[] = [];
  const links = new Map<Field, LinkedConditions[]>();
  for (const item of items) {
    const link = findLink(word, item);
    const known = link && (links.get(link.exists.field) ?? []);
    const same = known?.find((each) => isSameLink(each, link!));
    if (same) same.items.push(...link!.items);
    else joined.push(link ?? item);
    if (link && !same) links.set(link.exists.field, [...known!, link]);
  }
  return joined.map((each) => (each.kind === 'linked' ? buildExists(each) : each));
}

type ExistsCondition = Extract<DomainNode, { kind: 'exists' }>;

/** Conditions on what one link leads to, or their opposite. */
interface LinkedConditions {
  kind: 'linked';
  exists: ExistsCondition;
  isOpposite: boolean;
  word: 'and' | 'or';
  items: DomainNode[];
}

/** null for what has to be about a record of its own. */
function findLink(word: 'and' | 'or', item: DomainNode): LinkedConditions | null {
  const isOpposite = item.kind === 'not';
  const exists = isOpposite ? item.item : item;
  if (exists.kind !== 'exists') return null;
  // Not the one and not the other is neither of them.
  const inner = isOpposite ? OPPOSITE_WORD[word] : word;
  if (inner === 'and' && exists.field.type !== 'many2one') return null;
  return { kind: 'linked', exists, isOpposite, word: inner, items: [exists.where] };
}

const OPPOSITE_WORD = { and: 'or', or: 'and' } as const;

const isSameLink = (one: LinkedConditions, other: LinkedConditions): boolean =>
  one.isOpposite === other.isOpposite &&
  one.exists.field === other.exists.field &&
  one.exists.model === other.exists.model &&
  one.exists.ruled === other.exists.ruled &&
  one.exists.active === other.exists.active;

function buildExists({ exists, isOpposite, word, items }: LinkedConditions): DomainNode {
  const where = word === 'and' ? and(items) : or(items);
  const joined: DomainNode = items.length === 1 ? exists : { ...exists, where };
  return isOpposite ? { kind: 'not', item: joined } : joined;
}

/** Whether the field has one of `values`; null among them is "not set". */
export const oneOf = (field: Field, values: unknown[]): DomainNode =>
  values.length ? { kind: 'column', field, operator: 'in', value: values } : FALSE;

/** Whether a record whose every field is unset matches: unset is zero for a number, empty for a text. */
export function acceptsUnset(node: DomainNode): boolean {
  switch (node.kind) {
    case 'const':
      return node.value;
    case 'and':
      return node.items.every(acceptsUnset);
    case 'or':
      return node.items.some(acceptsUnset);
    case 'not':
      return !acceptsUnset(node.item);
    case 'column':
    case 'part':
      return matchesUnset(node);
    default:
      return false;
  }
}

function matchesUnset({ kind, field, operator, value }: DomainNode & { kind: 'column' | 'part' }): boolean {
  const zero = kind === 'part' ? null : isNumber(field) ? 0 : isText(field) ? '' : null;
  if (operator === 'in' || operator === 'not in') {
    const values = value as unknown[];
    const held: unknown[] = field.type === 'boolean' ? [false] : [zero, null];
    return values.some((v) => held.includes(v)) === (operator === 'in');
  }
  if (zero === null || operator.endsWith('like')) return false;
  const limit = value as number | string;
  if (operator === '<') return zero < limit;
  if (operator === '>') return zero > limit;
  return operator === '<=' ? zero <= limit : zero >= limit;
}
