import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { type Field, isAlwaysSet, isListField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { findFieldByGraphName, isPropertyName } from '../model/naming.ts';
import { buildColumnSql, buildComparedColumnSql, buildSourceSql } from './columns.ts';
import { assertPathJoins, type PathJoins } from './path-joins.ts';
import { buildComparedPropertySql } from './property-sql.ts';
import { addSource, type ModelRows, type Statement } from './statement.ts';
import { buildRuleSql } from './where.ts';

/** Maximum number of terms in an `order`, because each term may use another table. */
const MAX_ORDER_TERMS = 20;

const ORDER_TERM =
  /^\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*$/i;

/** A sort term. `nulls` is empty for PostgreSQL's default. */
export interface OrderTerm {
  sql: Sql;
  descending: boolean;
  nulls: '' | 'first' | 'last';
  isNeverNull: boolean;
  type: Field['type'];
}

/** Builds an `order by` list from a specification such as `name desc, id`. Adds the id, so that the order is total. */
export const buildOrderBy = (statement: Statement, source: ModelRows, specification: string): Sql => {
  assertPathJoins(specification.split('.').length - 1);
  return buildTermsSql(buildOrderTerms(statement, source, specification));
};

export const buildTermsSql = (terms: OrderTerm[]): Sql => sql.join(terms.map(buildTermSql));

/** Reverses the order. Where `nulls` is empty, PostgreSQL reverses the position of nulls as well. */
export const reverseTerms = (terms: OrderTerm[]): OrderTerm[] =>
  terms.map((term) => ({ ...term, descending: !term.descending, nulls: OPPOSITE_NULLS[term.nulls] }));

const OPPOSITE_NULLS = { '': '', first: 'last', last: 'first' } as const;

export const DIRECTION_SQL = {
  up: { '': sql.empty, first: sql` nulls first`, last: sql` nulls last` },
  down: { '': sql` desc`, first: sql` desc nulls first`, last: sql` desc nulls last` },
};

const buildTermSql = ({ sql: column, descending: down, nulls }: OrderTerm): Sql =>
  down || nulls ? sql`${column}${DIRECTION_SQL[down ? 'down' : 'up'][nulls]}` : column;

/**
 * Parses a sort order such as `name, id desc`. Skips repeated paths, which have no effect.
 * @param joins collects the joins for paths that callers specify; without it, each path is read by a subquery
 * @throws USER_ERROR for an invalid specification, BAD_VALUE for an unknown field
 */
export function buildOrderTerms(
  statement: Statement,
  source: ModelRows,
  specification: string,
  joins: PathJoins | null = null,
): OrderTerm[] {
  const parts = specification.split(',').filter((part) => part.trim() !== '');
  if (parts.length > MAX_ORDER_TERMS) throw errors.tooManyOrderTerms(MAX_ORDER_TERMS);
  const termsByKey = new Map<string, ParsedTerm>();
  for (const part of parts) {
    const term = parseTerm(source.model, part, specification);
    const key = term.path.join('.').toLowerCase();
    if (!termsByKey.has(key)) termsByKey.set(key, { ...term, joins: term.isModelDefault ? null : joins });
  }
  const terms = [...termsByKey.values()].flatMap((term) => resolvePath(statement, source, term.path, term));
  if (!parts.some((part) => /^\s*id\b/i.test(part)))
    terms.push({
      sql: sql`${source.row}.id`,
      descending: false,
      nulls: '',
      isNeverNull: true,
      type: 'integer',
    });
  return terms;
}

interface ParsedTerm {
  path: string[];
  descending: boolean;
  nulls: OrderTerm['nulls'];
  specification: string;
  /** True for the model's default order, which is the same for every caller. */
  isModelDefault: boolean;
  joins: PathJoins | null;
}

function parseTerm(model: Model, part: string, specification: string): ParsedTerm {
  const match = ORDER_TERM.exec(part);
  if (!match) throw errors.badOrder(specification);
  const [, path, direction, nulls] = match;
  const steps = path!.split('.');
  if (steps.length > limits.record.pathSteps) throw errors.badOrder(specification);
  return {
    path: steps,
    descending: direction?.toLowerCase() === 'desc',
    nulls: (nulls?.toLowerCase() ?? '') as OrderTerm['nulls'],
    specification,
    isModelDefault: specification === model.order,
    joins: null,
  };
}

/**
 * Follows a path from record to record. A caller's path crosses only records that the caller may read, because the sort
 * order would reveal the others. A path that ends at a relation uses the related model's default order.
 */
function resolvePath(
  statement: Statement,
  source: ModelRows,
  [name, ...rest]: string[],
  term: ParsedTerm,
): OrderTerm[] {
  const { model } = source;
  const field = model.fields.get(name!) ?? model.fields.get(name!.toLowerCase());
  if (!field)
    throw errors.unknownField(name!.slice(0, 80), model.name, 'on model', findFieldByGraphName(model, name!));
  if (isUnsortable(field))
    throw errors.badOrder(term.specification).withDetails({ model: model.name, field: field.name });
  // Omits a term of the default order that would reveal a masked value.
  if (term.isModelDefault && statement.mask && field.masked) return [];
  statement.checkCompared(model, field);
  const { descending: down, nulls } = term;
  if (field.definition && rest.length === 1 && isPropertyName(rest[0]!)) {
    const value = buildComparedPropertySql(statement, source, { field, name: rest[0]! });
    return [{ sql: value, descending: down, nulls, isNeverNull: false, type: field.type }];
  }
  // The default order does not hide credentials in names, because it could not use its index.
  const buildSql = term.isModelDefault ? buildColumnSql : buildComparedColumnSql;
  const column = buildSql(statement, source, field);
  if (field.type !== 'many2one') {
    if (rest.length) throw errors.badOrder(term.specification);
    return [
      {
        sql: toSortableSql(field, column),
        descending: down,
        nulls,
        isNeverNull: isAlwaysSet(field),
        type: field.type,
      },
    ];
  }
  if (rest.length === 1 && rest[0] === 'id')
    return [{ sql: column, descending: down, nulls, isNeverNull: false, type: field.type }];
  const target = statement.registry.get(field.relation!)!;
  if (rest.length > 0 && !term.isModelDefault) statement.checkModel(target);
  if (term.joins) {
    const joinedRows = term.joins.follow(source, field);
    const terms =
      rest.length > 0
        ? resolvePath(statement, joinedRows, rest, term)
        : buildRelationTerms(statement, joinedRows, term);
    const { joins } = term;
    return terms.map((term) => ({
      ...term,
      isNeverNull: false,
      sql: joins.buildValueSql(joinedRows, term.sql),
    }));
  }
  const targetRows = addSource(statement, target);
  const rule = term.isModelDefault ? sql.empty : buildRuleSql(statement, targetRows);
  const from = sql`${buildSourceSql(statement, targetRows)} and ${targetRows.row}.id = ${column}${rule}`;
  const terms =
    rest.length > 0
      ? resolvePath(statement, targetRows, rest, term)
      : buildRelationTerms(statement, targetRows, term);
  return terms.map((term) => selectTerm(term, from));
}

function buildRelationTerms(
  statement: Statement,
  targetRows: ModelRows,
  { descending: down, nulls }: ParsedTerm,
): OrderTerm[] {
  return targetRows.model.order.split(',').flatMap((item) => {
    const [name, direction] = item.trim().split(/\s+/);
    const field = targetRows.model.fields.get(name!)!;
    if (statement.mask && field.masked) return [];
    const isDown = down !== (direction?.toLowerCase() === 'desc');
    return [
      {
        sql: buildComparedColumnSql(statement, targetRows, field),
        descending: isDown,
        nulls,
        isNeverNull: false,
        type: field.type,
      },
    ];
  });
}

const selectTerm = (term: OrderTerm, from: Sql): OrderTerm => ({
  ...term,
  isNeverNull: false,
  sql: sql`(select ${term.sql} from ${from})`,
});

const UNSORTABLE_TYPES: ReadonlySet<string> = new Set(['json', 'binary', 'properties_definition']);
const isUnsortable = (field: Field): boolean =>
  field.secret || isListField(field) || UNSORTABLE_TYPES.has(field.type);

/** Sorts unset booleans as false. */
const toSortableSql = (field: Field, column: Sql): Sql =>
  field.type === 'boolean' && (!field.required || field.custom) ? sql`coalesce(${column}, false)` : column;
