import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import type { Field } from '../model/field.ts';
import { buildColumnSql, buildScopeSql, buildTableSql } from './columns.ts';
import { addSource, type ModelRows, type Statement } from './statement.ts';
import { buildRuleSql } from './where.ts';

/** Maximum number of links in the paths of a sort order or grouping. Common prefixes count once. */
const MAX_PATH_JOINS = 20;

/** Joins for many2one paths. Each record is joined once, even if several paths use it. */
export interface PathJoins {
  /**
   * Joins the record that `field` links to. Its columns are null if the caller may not read the record.
   * @throws USER_ERROR if `MAX_PATH_JOINS` is exceeded
   */
  follow(source: ModelRows, field: Field): ModelRows;
  /** Builds an expression that is null if `source` has no row, even if `value` would not be null. */
  buildValueSql(source: ModelRows, value: Sql): Sql;
  /** Builds the left joins for the `from` clause. They never multiply rows. */
  sql(): Sql;
}

export function createPathJoins(statement: Statement): PathJoins {
  const sources = new Map<Sql, Map<Field, ModelRows>>();
  const joined = new Set<Sql>();
  const joins: Sql[] = [];
  const getValueSql = ({ row }: ModelRows, value: Sql): Sql =>
    joined.has(row) ? sql`case when ${row}.id is not null then ${value} end` : value;
  const join = (source: ModelRows, field: Field): ModelRows => {
    assertPathJoins(joins.length + 1);
    const targetRows = addSource(statement, statement.registry.get(field.relation!)!);
    const id = getValueSql(source, buildColumnSql(statement, source, field));
    joins.push(sql` left join ${buildTableSql(statement, targetRows.model)} ${targetRows.row}
        on ${buildScopeSql(statement, targetRows)}
      and ${targetRows.row}.id = ${id}${buildRuleSql(statement, targetRows)}`);
    joined.add(targetRows.row);
    return targetRows;
  };
  return {
    buildValueSql: getValueSql,
    follow(source, field) {
      const links = sources.get(source.row) ?? new Map<Field, ModelRows>();
      sources.set(source.row, links);
      const targetRows = links.get(field) ?? join(source, field);
      links.set(field, targetRows);
      return targetRows;
    },
    sql: () => sql.join(joins, ''),
  };
}

/** @throws USER_ERROR */
export function assertPathJoins(count: number): void {
  if (count > MAX_PATH_JOINS) throw errors.tooManyPaths(MAX_PATH_JOINS);
}
