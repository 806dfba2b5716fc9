import { type Sql, sql } from '../../db/sql.ts';
import { DATE_PARTS, type DomainNode, type HierarchyTree, mergeLinks } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import {
  defaultsToZero,
  isAlwaysSet,
  isFractionField,
  isNumberField,
  isStoredField,
  isTextField,
} from '../model/field.ts';
import { INT_MAX, WIDE_MAX } from '../value/number.ts';
import {
  buildColumnSql,
  buildComparedColumnSql,
  buildFixedColumnsSql,
  buildHasCredentialSql,
  buildLinkSql,
  buildListOwnerSql,
  buildScopeSql,
  buildSourceSql,
  buildStoredColumnSql,
  buildTableSql,
} from './columns.ts';
import { buildIndexLookupSql, canUseIndex } from './lookup.ts';
import { buildLikeSql, OPERATORS } from './operators.ts';
import { buildPropertyWhereSql } from './property-sql.ts';
import { addSource, createAlias, type ModelRows, type Statement } from './statement.ts';

export function buildWhereSql(statement: Statement, source: ModelRows, node: DomainNode): Sql {
  switch (node.kind) {
    case 'const':
      return node.value ? TRUE : FALSE;
    case 'and':
    case 'or': {
      const items = mergeLinks(node.kind, flattenItems(node)).map((item) =>
        buildWhereSql(statement, source, item),
      );
      return sql`(${sql.join(items, node.kind === 'and' ? ' and ' : ' or ')})`;
    }
    case 'not':
      return buildNotTrueSql(buildWhereSql(statement, source, node.item));
    case 'column':
      return buildComparisonSql(statement, source, node);
    case 'part':
      return buildPartSql(statement, source, node);
    case 'property':
      return buildPropertyWhereSql(statement, source, node);
    case 'exists':
      return buildExistsSql(statement, source, node);
    case 'tree':
      return buildTreeSql(statement, source, node);
    case 'follows':
      return buildFollowsSql(statement, source, node);
    case 'held':
      return buildOwnerListSql(statement, source, node);
  }
}

type NodeOf<Kind extends DomainNode['kind']> = Extract<DomainNode, { kind: Kind }>;

/**
 * Flattens nested items with the same operator, because building SQL level by level would copy the inner SQL at each
 * level.
 */
function flattenItems(node: NodeOf<'and' | 'or'>, items: DomainNode[] = []): DomainNode[] {
  for (const item of node.items) {
    if (item.kind === node.kind) flattenItems(item, items);
    else items.push(item);
  }
  return items;
}

const TRUE = sql`true`;
const FALSE = sql`false`;

const buildNotTrueSql = (condition: Sql): Sql => sql`(${condition}) is not true`;

const joinWithOr = (parts: Sql[]): Sql =>
  parts.length === 1 ? parts[0]! : sql`(${sql.join(parts, ' or ')})`;

/** Builds the caller's rule conditions as ` and …`. Empty if no rule applies. */
export function buildRuleSql(statement: Statement, source: ModelRows): Sql {
  const rule = statement.rule(source.model);
  return rule ? sql` and ${buildWhereSql(statement, source, rule)}` : sql.empty;
}

export const buildActiveSql = (statement: Statement, source: ModelRows): Sql =>
  buildColumnSql(statement, source, source.model.active!);

/** Builds the condition that the caller may read the record to which the row is attached. */
function buildFollowsSql(statement: Statement, { row }: ModelRows, node: NodeOf<'follows'>): Sql {
  const [model, id] = [sql`${row}.${sql.id(node.fields.model)}`, sql`${row}.${sql.id(node.fields.id)}`];
  const ruleConditions = node.restrictedModels.map(({ model: target, rule }) => {
    const relatedRows = addSource(statement, target);
    return sql`${model} = ${sql.literal(target.name)}
      and exists (select 1 from ${buildSourceSql(statement, relatedRows)}
      and ${relatedRows.row}.id = ${id} and ${buildWhereSql(statement, relatedRows, rule)})`;
  });
  const conditions = [sql`${model} = any(${node.unrestrictedModels})`, ...ruleConditions];
  return sql`(${id} > 0 and (${sql.join(conditions, ' or ')}))`;
}

/**
 * Builds the condition that the caller may read a record whose list contains the row, or that the row is in no list and
 * matches `loose`.
 */
function buildOwnerListSql(
  statement: Statement,
  source: ModelRows,
  { model, list, rule, loose }: NodeOf<'held'>,
): Sql {
  const { table, self, other } = list.join!;
  const owners = sql`select ${sql.id(self)} from ${sql.id(table)}
    where workspace_id = ${statement.workspace}${buildFixedColumnsSql(list.join!)}
      and ${sql.id(other)} = ${source.row}.id`;
  const target = addSource(statement, model);
  return sql`(exists (select 1 from ${buildSourceSql(statement, target)} and ${target.row}.id in (${owners})
      and ${buildWhereSql(statement, target, rule)})
    or not exists (${owners}) and ${buildWhereSql(statement, source, loose)})`;
}

/**
 * For masked callers, excludes strings with a credential instead of comparing them without it, because a comparison
 * with an expression cannot use the column's index.
 */
function buildComparisonSql(statement: Statement, source: ModelRows, node: NodeOf<'column'>): Sql {
  const { field, operator } = node;
  if (!statement.mask || field.type !== 'char')
    return buildColumnConditionSql(statement, source, node, buildComparedColumnSql(statement, source, field));
  const column = buildColumnSql(statement, source, field);
  const condition = buildColumnConditionSql(statement, source, node, column);
  const credential = buildHasCredentialSql(column);
  return operator === 'not in'
    ? sql`(${condition} or ${credential})`
    : sql`(${condition} and ${buildNotTrueSql(credential)})`;
}

function buildColumnConditionSql(
  statement: Statement,
  source: ModelRows,
  { field, operator, value }: NodeOf<'column'>,
  column: Sql,
): Sql {
  // The parser guarantees a list for `in` and `not in`.
  if (operator === 'in') {
    const inSql = buildInSql(field, column, value as unknown[]);
    return canUseIndex(field, value as unknown[])
      ? sql`(${buildIndexLookupSql(statement, source.row, field, value as unknown[])} and ${inSql})`
      : inSql;
  }
  if (operator === 'contains') return sql`${column} @> ${value}::jsonb`;
  if (operator === 'not in') return buildNotInSql(field, column, value as unknown[]);
  if (operator.endsWith('like')) {
    // An unset number has no digits to search (Odoo 19).
    const writtenSql =
      defaultsToZero(field) && isStoredField(field) ? buildStoredColumnSql(field, source.row) : column;
    return buildLikeSql(buildTextSql(field, writtenSql), operator, value);
  }
  return sql`${buildComparableSql(field, column)} ${OPERATORS[operator]!} ${value}${chooseCast(field, [value])}`;
}

function buildTextSql(field: Field, column: Sql): Sql {
  if (field.type === 'strings') return sql`array_to_string(${column}, ',')`;
  return isTextField(field) ? column : sql`${column}::text`;
}

/** Treats unset values as zero, empty text or false. */
function buildComparableSql(field: Field, column: Sql): Sql {
  if (isAlwaysSet(field)) return column;
  if (isNumberField(field)) return sql`coalesce(${column}, 0)`;
  if (isTextField(field)) return sql`coalesce(${column}, '')`;
  return field.type === 'boolean' ? sql`coalesce(${column}, false)` : column;
}

function buildEquatableSql(field: Field, column: Sql): Sql {
  // Stored instants are more precise than the seconds that callers see.
  if (field.type === 'datetime') return sql`date_trunc('second', ${column})`;
  return isTextField(field) ? column : buildComparableSql(field, column);
}

/**
 * PostgreSQL infers a parameter's type from the comparison and rejects values outside int. The cast is added only for
 * such values, so that common statements keep the same text.
 */
const chooseCast = (field: Field, values: unknown[]): Sql =>
  exceedsRange(field, values, WIDE_MAX)
    ? NUMERIC
    : exceedsRange(field, values, INT_MAX)
      ? sql`::int8`
      : sql.empty;

const NUMERIC = sql`::numeric`;

const exceedsRange = (field: Field, values: unknown[], max: number): boolean =>
  !isFractionField(field) && values.some((v) => typeof v === 'number' && Math.abs(v) > max);

function buildInSql(field: Field, column: Sql, values: unknown[]): Sql {
  if (field.type === 'strings') return buildStringsSql(column, values);
  const unsetSql = isTextField(field) ? sql`(${column} is null or ${column} = '')` : sql`${column} is null`;
  return buildSetSql(field, buildEquatableSql(field, column), values, unsetSql);
}

function buildNotInSql(field: Field, column: Sql, values: unknown[]): Sql {
  const [value] = values;
  if (values.length !== 1 || value === null || field.type === 'strings')
    return buildNotTrueSql(buildInSql(field, column, values));
  return sql`${buildEquatableSql(field, column)} is distinct from ${value}${chooseCast(field, values)}`;
}

/**
 * Builds a condition that is true if `left` is one of `values`, or if `values` contains null and `unsetSql` is true.
 */
function buildSetSql(field: Field, left: Sql, values: unknown[], unsetSql: Sql): Sql {
  const set = values.filter((v) => v !== null);
  const parts: Sql[] = [];
  if (set.length < values.length) parts.push(unsetSql);
  if (set.length === 1) parts.push(sql`${left} = ${set[0]}${chooseCast(field, set)}`);
  else if (set.length > 1)
    parts.push(
      exceedsRange(field, set, INT_MAX) ? sql`${left} = any(${set}::numeric[])` : sql`${left} = any(${set})`,
    );
  return joinWithOr(parts);
}

function buildStringsSql(column: Sql, values: unknown[]): Sql {
  const set = values.filter((v) => v !== null);
  // The cast to text also supports lists of numbers.
  const parts = set.length ? [sql`${column}::text[] && ${set}::text[]`] : [];
  if (set.length < values.length) parts.push(sql`coalesce(cardinality(${column}), 0) = 0`);
  return sql`(${sql.join(parts, ' or ')})`;
}

/**
 * Builds SQL for a part of a date, in UTC or in the node's time zone. Omits fractions of a second, which callers do not
 * see.
 */
function buildPartSql(statement: Statement, source: ModelRows, node: NodeOf<'part'>): Sql {
  const { operator, value } = node;
  const word = DATE_PARTS[node.part];
  const storedSql = sql`${buildColumnSql(statement, source, node.field)}::timestamp`;
  const local = node.tz
    ? sql`(${storedSql} at time zone 'UTC' at time zone ${sql.literal(node.tz)})`
    : storedSql;
  const part = word
    ? sql`floor(extract(${sql.literal(word)} from ${local}))`
    : sql`date_trunc('second', ${local})`;
  const cast = word ? NUMERIC : sql`::timestamp`;
  if (operator === 'in') return buildPartInSql(part, value as unknown[], cast);
  if (operator === 'not in') return buildNotTrueSql(buildPartInSql(part, value as unknown[], cast));
  if (operator.endsWith('like')) return buildLikeSql(sql`${part}::text`, operator, value);
  return sql`${part} ${OPERATORS[operator]!} ${value}${cast}`;
}

function buildPartInSql(part: Sql, values: unknown[], cast: Sql): Sql {
  const set = values.filter((v) => v !== null);
  const parts = set.length ? [sql`${part} = any(${set}${cast}[])`] : [];
  if (set.length < values.length) parts.push(sql`${part} is null`);
  return sql`(${sql.join(parts, ' or ')})`;
}

/**
 * PostgreSQL turns `exists` into joins and tries every join order. Planning ten levels took more than 30 s. Beyond this
 * number of joins, `offset 0` prevents the conversion, and rows are looked up one by one by key.
 */
const MAX_JOINS = 4;

function buildExistsSql(statement: Statement, source: ModelRows, node: ExistsNode): Sql {
  const { field } = node;
  const target = addSource(statement, node.model);
  const links = field.links ?? field.join;
  statement.joins += links ? 2 : 1;
  const fence = statement.joins > MAX_JOINS ? sql` offset 0` : sql.empty;
  const buildTargetSql = (
    link: Sql,
  ): Sql => sql`exists (select 1 from ${buildTableSql(statement, node.model)} ${target.row}
    where ${buildRelatedRowsSql(statement, target, node, [link])}${fence})`;
  if (!links) return buildTargetSql(buildLinkSql(statement, source, field, target));
  // Joins the links first. PostgreSQL would evaluate `target.id in (links of the row)` for each pair of rows.
  const row = createAlias(statement);
  const owner = buildListOwnerSql(statement, source, field);
  return sql`exists (select 1 from ${sql.id(links.table)} ${row}
    where ${row}.workspace_id = ${statement.workspace}${buildFixedColumnsSql(links)}
      and ${row}.${sql.id(links.self)} = ${owner.id}
      and ${buildTargetSql(sql`${target.row}.id = ${row}.${sql.id(links.other)}`)}${fence})`;
}

export type ExistsNode = NodeOf<'exists'>;

export function buildRelatedRowsSql(
  statement: Statement,
  target: ModelRows,
  node: ExistsNode,
  links: Sql[] = [],
): Sql {
  const conditions = [buildScopeSql(statement, target), ...links];
  if (node.active && node.model.active) conditions.push(buildActiveSql(statement, target));
  const rule = node.ruled ? statement.rule(node.model) : null;
  for (const part of [node.where, rule])
    if (part && !(part.kind === 'const' && part.value))
      conditions.push(buildWhereSql(statement, target, part));
  return sql.join(conditions, ' and ');
}

/**
 * Builds the condition that the row, or the record it links to, is in the hierarchy. `union` ends the recursion if
 * there is a cycle.
 */
function buildTreeSql(statement: Statement, source: ModelRows, { field, tree }: NodeOf<'tree'>): Sql {
  const column = buildColumnSql(statement, source, field);
  // Custom links are 64-bit, and all parts of a recursive query must have the same type.
  const wideSql = tree.parent?.custom ? sql`::int8` : sql.empty;
  const seeds = buildSeedsSql(statement, tree, wideSql);
  if (!tree.parent) return sql`${column} in (${seeds})`;
  const walk = createAlias(statement);
  const next = addSource(statement, tree.model);
  const parent = buildColumnSql(statement, next, tree.parent);
  const ownId = sql`${next.row}.id`;
  const [takenSql, joinedSql] = tree.up ? [parent, ownId] : [ownId, parent];
  return sql`${column} in (with recursive ${walk}(id) as (${seeds}
    union select ${takenSql}${wideSql} from ${walk}
    join ${buildTableSql(statement, tree.model)} ${next.row} on ${joinedSql} = ${walk}.id
    where ${buildScopeSql(statement, next)} and ${parent} is not null) select id from ${walk})`;
}

function buildSeedsSql(
  statement: Statement,
  { model, ids, searched, ruled, active }: HierarchyTree,
  cast: Sql,
): Sql {
  const seed = addSource(statement, model);
  const parts: Sql[] = [];
  if (ids.length) parts.push(buildSetSql(model.fields.get('id')!, sql`${seed.row}.id`, ids, FALSE));
  if (searched) {
    const rule = ruled ? statement.rule(model) : null;
    const conditions = [searched, rule].flatMap((part) => (part ? buildWhereSql(statement, seed, part) : []));
    if (active && model.active) conditions.push(buildActiveSql(statement, seed));
    parts.push(sql`(${sql.join(conditions, ' and ')})`);
  }
  return sql`select ${seed.row}.id${cast} from ${buildSourceSql(statement, seed)} and (${sql.join(parts, ' or ')})`;
}
