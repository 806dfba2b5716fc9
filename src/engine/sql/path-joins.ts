import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Field } from '../model/field.ts';
import { columnSql, scopeSql, tableOf } from './columns.ts';
import { otherRows, type Source, type Statement } from './statement.ts';
import { ruleSql } from './where.ts';

/** Records that paths over many2ones lead to, each joined once however many paths lead over it. */
export interface PathJoins {
  /**
   * The record behind `field` of a row of `source`, or a row of nulls where the reader may not read it.
   * @throws USER_ERROR above `limits.record.pathJoins`
   */
  follow(source: Source, field: Field): Source;
  /** An expression on a row of `source`: null without such a row, where it might have a value all the same. */
  valueIn(source: Source, value: Sql): Sql;
  /** Left joins for the `from` of the rows. None of them multiplies a row. */
  sql(): Sql;
}

export function createPathJoins(statement: Statement): PathJoins {
  const sources = new Map<Sql, Map<Field, Source>>();
  const joined = new Set<Sql>();
  const joins: Sql[] = [];
  const valueIn = ({ row }: Source, value: Sql): Sql =>
    joined.has(row) ? sql`case when ${row}.id is not null then ${value} end` : value;
  const join = (source: Source, field: Field): Source => {
    checkPathJoins(joins.length + 1);
    const far = otherRows(statement, statement.registry.get(field.relation!)!);
    const id = valueIn(source, columnSql(statement, source, field));
    joins.push(sql` left join ${tableOf(statement, far.model)} ${far.row} on ${scopeSql(statement, far)}
      and ${far.row}.id = ${id}${ruleSql(statement, far)}`);
    joined.add(far.row);
    return far;
  };
  return {
    valueIn,
    follow(source, field) {
      const links = sources.get(source.row) ?? new Map<Field, Source>();
      sources.set(source.row, links);
      const far = links.get(field) ?? join(source, field);
      links.set(field, far);
      return far;
    },
    sql: () => sql.join(joins, ''),
  };
}

/** @throws USER_ERROR */
export function checkPathJoins(count: number): void {
  if (count > limits.record.pathJoins) throw errors.tooManyPaths(limits.record.pathJoins);
}
