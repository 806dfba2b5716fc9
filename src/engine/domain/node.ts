import type { Field } from '../model/field.ts';
import { isNumberField, isTextField } from '../model/field.ts';
import type { Model } from '../model/model.ts';

/**
 * A parsed domain.
 *
 * - `column` compares a column of the record itself, `part` a date part, and `property` one of its properties.
 * - `exists` tests related records, and `tree` the record's position in a hierarchy.
 * - `follows` tests the record that this one is attached to: it must belong to one of the `unrestrictedModels`, or its
 *   model's rule must allow it.
 * - `held` tests the records of `model` whose `list` contains this one: the rule must allow one of them, or the record
 *   is in no list and matches `loose`.
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
  | {
      kind: 'follows';
      fields: FollowedFields;
      unrestrictedModels: string[];
      restrictedModels: { model: Model; rule: DomainNode }[];
    }
  | { kind: 'held'; model: Model; list: Field; rule: DomainNode; loose: DomainNode };

interface FollowedFields {
  model: string;
  id: string;
}

/**
 * Operators after parsing. `in` and `not in` take a list in which null means "not set", and `contains` takes JSON text.
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
  | '=unaccent like'
  | '=unaccent ilike'
  | 'contains';

/** Numeric date parts and their PostgreSQL names. Sunday is day 0. */
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

/** Numeric date parts, and `tz` for the date itself in the call's time zone. */
export const DATE_PARTS = { ...POSTGRES_DATE_PARTS, tz: null } as const;
export type DatePart = keyof typeof DATE_PARTS;

/**
 * Matches the start records of `model` and all their descendants (ancestors if `up`) through the many2one `parent`,
 * regardless of the reader's rights. The start records are `ids`, and the records that match `names` and the reader's
 * rules.
 */
export interface HierarchyTree {
  model: Model;
  /** Null if the model has no hierarchy. */
  parent: Field | null;
  up: boolean;
  ids: number[];
  /** Start records that are searched under the reader's rules. */
  searched: DomainNode | null;
  ruled: boolean;
  active: boolean;
}

export const TRUE: DomainNode = { kind: 'const', value: true };
export const FALSE: DomainNode = { kind: 'const', value: false };

/** Combines conditions with AND. True if empty. Folds constants. */
export function and(items: DomainNode[]): DomainNode {
  const rest = items.filter((n) => !(n.kind === 'const' && n.value));
  if (rest.some((n) => n.kind === 'const')) return FALSE;
  return rest.length === 0 ? TRUE : rest.length === 1 ? rest[0]! : { kind: 'and', items: rest };
}

/** Combines conditions with OR. False if empty. Folds constants. */
export function or(items: DomainNode[]): DomainNode {
  const rest = items.filter((n) => !(n.kind === 'const' && !n.value));
  if (rest.some((n) => n.kind === 'const')) return TRUE;
  return rest.length === 0 ? FALSE : rest.length === 1 ? rest[0]! : { kind: 'or', items: rest };
}

/** Negates a domain. Inverts `in` and `not in`, and removes a double negation. */
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
 * Merges conditions on the same link, so that the linked record is looked up once. This is valid if the link leads to
 * at most one record, or if it suffices that any linked record meets any of the conditions.
 */
export function mergeLinks(word: 'and' | 'or', items: readonly DomainNode[]): DomainNode[] {
  const joined: (DomainNode | LinkedConditions)[] = [];
  const links = new Map<Field, LinkedConditions[]>();
  for (const item of items) {
    const link = findLink(word, item);
    const existingLinks = link && (links.get(link.exists.field) ?? []);
    const equalLink = existingLinks?.find((existingLink) => isSameLink(existingLink, link!));
    if (equalLink) equalLink.items.push(...link!.items);
    else joined.push(link ?? item);
    if (link && !equalLink) links.set(link.exists.field, [...existingLinks!, link]);
  }
  return joined.map((item) => (item.kind === 'linked' ? buildExists(item) : item));
}

type ExistsCondition = Extract<DomainNode, { kind: 'exists' }>;

/** Conditions on the records behind one link, possibly negated. */
interface LinkedConditions {
  kind: 'linked';
  exists: ExistsCondition;
  isOpposite: boolean;
  word: 'and' | 'or';
  items: DomainNode[];
}

/**
 * Finds the link that a condition tests. Null if the condition cannot be merged, because a different record may match
 * it.
 */
function findLink(word: 'and' | 'or', item: DomainNode): LinkedConditions | null {
  const isOpposite = item.kind === 'not';
  const exists = isOpposite ? item.item : item;
  if (exists.kind !== 'exists') return null;
  // De Morgan: "not A and not B" is "not (A or B)".
  const inner = isOpposite ? OPPOSITE_WORD[word] : word;
  if (inner === 'and' && exists.field.type !== 'many2one') return null;
  return { kind: 'linked', exists, isOpposite, word: inner, items: [exists.where] };
}

const OPPOSITE_WORD = { and: 'or', or: 'and' } as const;

const isSameLink = (a: LinkedConditions, b: LinkedConditions): boolean =>
  a.isOpposite === b.isOpposite &&
  a.exists.field === b.exists.field &&
  a.exists.model === b.exists.model &&
  a.exists.ruled === b.exists.ruled &&
  a.exists.active === b.exists.active;

function buildExists({ exists, isOpposite, word, items }: LinkedConditions): DomainNode {
  const where = word === 'and' ? and(items) : or(items);
  const joinedNode: DomainNode = items.length === 1 ? exists : { ...exists, where };
  return isOpposite ? { kind: 'not', item: joinedNode } : joinedNode;
}

/** Matches records whose field has one of `values`. Null means "not set". */
export const oneOf = (field: Field, values: unknown[]): DomainNode =>
  values.length ? { kind: 'column', field, operator: 'in', value: values } : FALSE;

/**
 * Returns true if a record whose fields are all unset matches. An unset number counts as zero, and unset text as empty.
 */
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
  const zero = kind === 'part' ? null : isNumberField(field) ? 0 : isTextField(field) ? '' : null;
  if (operator === 'in' || operator === 'not in') {
    const values = value as unknown[];
    const unsetValues: unknown[] = field.type === 'boolean' ? [false] : [zero, null];
    return values.some((v) => unsetValues.includes(v)) === (operator === 'in');
  }
  if (zero === null || operator.endsWith('like')) return false;
  const limit = value as number | string;
  if (operator === '<') return zero < limit;
  if (operator === '>') return zero > limit;
  return operator === '<=' ? zero <= limit : zero >= limit;
}
