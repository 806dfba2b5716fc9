import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { type Field, isAlwaysSet, isList } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { fieldByGraphName, isPropertyName } from '../model/naming.ts';
import { columnSql, sourceSql, wordsOf } from './columns.ts';
import { checkPathJoins, type PathJoins } from './path-joins.ts';
import { propertySql } from './property-sql.ts';
import { otherRows, type Source, type Statement } from './statement.ts';
import { ruleSql } from './where.ts';

const TERM =
  /^\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*$/i;

/** One term of an order: an expression, its direction, where nulls go (Postgres' default when empty). */
export interface OrderTerm {
  sql: Sql;
  down: boolean;
  nulls: '' | 'first' | 'last';
  /** The expression is never null. */
  set: boolean;
  type: Field['type'];
}

/** An `order by` list from a specification such as `name desc, id`; the id makes it total. */
export const orderSql = (statement: Statement, source: Source, specification: string): Sql => {
  checkPathJoins(specification.split('.').length - 1);
  return termsSql(orderTerms(statement, source, specification));
};

export const termsSql = (terms: OrderTerm[]): Sql => sql.join(terms.map(termSql));

/** The order from its end. Unless a term says where nulls go, Postgres turns them round by itself. */
export const reversedTerms = (terms: OrderTerm[]): OrderTerm[] =>
  terms.map((term) => ({ ...term, down: !term.down, nulls: OTHER_END[term.nulls] }));

const OTHER_END = { '': '', first: 'last', last: 'first' } as const;

/** The words after an expression: its direction, and where nulls go. */
export const DIRECTIONS = {
  up: { '': sql.empty, first: sql` nulls first`, last: sql` nulls last` },
  down: { '': sql` desc`, first: sql` desc nulls first`, last: sql` desc nulls last` },
};

const termSql = ({ sql: column, down, nulls }: OrderTerm): Sql =>
  down || nulls ? sql`${column}${DIRECTIONS[down ? 'down' : 'up'][nulls]}` : column;

/**
 * The terms of a specification. A path that comes again decides nothing and is left out.
 * @param joins of the rows' `from`, for paths of callers; without them each term is a subquery
 * @throws USER_ERROR for one that is none, BAD_VALUE for an unknown field
 */
export function orderTerms(
  statement: Statement,
  source: Source,
  specification: string,
  joins: PathJoins | null = null,
): OrderTerm[] {
  const parts = specification.split(',').filter((part) => part.trim() !== '');
  if (parts.length > limits.record.orderTerms) throw errors.tooManyOrderTerms(limits.record.orderTerms);
  const written = new Map<string, WrittenTerm>();
  for (const part of parts) {
    const term = parseTerm(source.model, part, specification);
    const key = term.path.join('.').toLowerCase();
    if (!written.has(key)) written.set(key, { ...term, joins: term.isOwn ? null : joins });
  }
  const terms = [...written.values()].flatMap((term) => pathTerms(statement, source, term.path, term));
  if (!parts.some((part) => /^\s*id\b/i.test(part)))
    terms.push({ sql: sql`${source.row}.id`, down: false, nulls: '', set: true, type: 'integer' });
  return terms;
}

/** A term as it is written, and the specification that it is a part of. */
interface WrittenTerm {
  path: string[];
  down: boolean;
  nulls: OrderTerm['nulls'];
  specification: string;
  /** The order that a model has by itself is the same for everybody. */
  isOwn: boolean;
  joins: PathJoins | null;
}

function parseTerm(model: Model, part: string, specification: string): WrittenTerm {
  const match = TERM.exec(part);
  if (!match) throw errors.badOrder(specification);
  const [, path, direction, nulls] = match;
  const steps = path!.split('.');
  if (steps.length > limits.record.pathSteps) throw errors.badOrder(specification);
  return {
    path: steps,
    down: direction?.toLowerCase() === 'desc',
    nulls: (nulls?.toLowerCase() ?? '') as OrderTerm['nulls'],
    specification,
    isOwn: specification === model.order,
    joins: null,
  };
}

/**
 * A path is followed from record to record, a caller's only over those it may read: a sort order would reveal the
 * others. A relation at its end is in the order its records have among themselves.
 */
function pathTerms(
  statement: Statement,
  source: Source,
  [name, ...rest]: string[],
  term: WrittenTerm,
): OrderTerm[] {
  const { model } = source;
  const field = model.fields.get(name!) ?? model.fields.get(name!.toLowerCase());
  if (!field)
    throw errors.unknownField(name!.slice(0, 80), model.name, 'on model', fieldByGraphName(model, name!));
  if (isUnsortable(field))
    throw errors.badOrder(term.specification).about({ model: model.name, field: field.name });
  // The order that a model has by itself is left out where it would reveal a masked value.
  if (term.isOwn && statement.mask && field.masked) return [];
  statement.checkCompared(model, field);
  const { down, nulls } = term;
  if (field.definition && rest.length === 1 && isPropertyName(rest[0]!)) {
    const value = propertySql(wordsOf(statement, source), source, { field, name: rest[0]! });
    return [{ sql: value, down, nulls, set: false, type: field.type }];
  }
  const column = columnSql(statement, source, field);
  if (field.type !== 'many2one') {
    if (rest.length) throw errors.badOrder(term.specification);
    return [{ sql: sortable(field, column), down, nulls, set: isAlwaysSet(field), type: field.type }];
  }
  if (rest.length === 1 && rest[0] === 'id')
    return [{ sql: column, down, nulls, set: false, type: field.type }];
  const target = statement.registry.get(field.relation!)!;
  if (rest.length > 0 && !term.isOwn) statement.checkModel(target);
  if (term.joins) {
    const joined = term.joins.follow(source, field);
    const terms =
      rest.length > 0 ? pathTerms(statement, joined, rest, term) : relationTerms(statement, joined, term);
    const { joins } = term;
    return terms.map((each) => ({ ...each, set: false, sql: joins.valueIn(joined, each.sql) }));
  }
  const far = otherRows(statement, target);
  const rule = term.isOwn ? sql.empty : ruleSql(statement, far);
  const from = sql`${sourceSql(statement, far)} and ${far.row}.id = ${column}${rule}`;
  const terms = rest.length > 0 ? pathTerms(statement, far, rest, term) : relationTerms(statement, far, term);
  return terms.map((each) => valueAt(each, from));
}

/** The order that the records of `far` have among themselves. */
function relationTerms(statement: Statement, far: Source, { down, nulls }: WrittenTerm): OrderTerm[] {
  return far.model.order.split(',').flatMap((each) => {
    const [name, direction] = each.trim().split(/\s+/);
    const field = far.model.fields.get(name!)!;
    if (statement.mask && field.masked) return [];
    const isDown = down !== (direction?.toLowerCase() === 'desc');
    return [{ sql: columnSql(statement, far, field), down: isDown, nulls, set: false, type: field.type }];
  });
}

/** A term on another record, as a term of the row itself. */
const valueAt = (term: OrderTerm, from: Sql): OrderTerm => ({
  ...term,
  set: false,
  sql: sql`(select ${term.sql} from ${from})`,
});

const UNSORTABLE: ReadonlySet<string> = new Set(['json', 'binary', 'properties_definition']);
const isUnsortable = (field: Field): boolean => field.secret || isList(field) || UNSORTABLE.has(field.type);

/** Unset booleans are false. */
const sortable = (field: Field, column: Sql): Sql =>
  field.type === 'boolean' && (!field.required || field.custom) ? sql`coalesce(${column}, false)` : column;
