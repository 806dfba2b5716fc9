import { memoizePerObject } from '../../cache.ts';
import { type Param, type Sql, sql } from '../../db/sql.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Field, SqlModel } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';

/**
 * Format of values. `record`: as in classic RPC, where unset is false. `ids`: like `record`, but without many2one
 * names. `graph`: as in GraphQL, where unset is null.
 */
export type Flavour = 'record' | 'ids' | 'graph';

/** `workspace` is a single parameter, even if the statement uses it several times. */
export interface StatementScope {
  workspace: Param;
}

export interface Statement extends StatementScope {
  registry: Registry;
  flavour: Flavour;
  aliases: number;
  /** Number of related tables in the conditions so far. */
  joins: number;
  /** Returns the caller's rules for `model`. Null if no rule applies. */
  rule(model: Model): DomainNode | null;
  /** Returns the caller's rule conditions on these rows as ` and …`. Empty if no rule applies. */
  readable(rows: ModelRows): Sql;
  /**
   * Left joins for the `from` clause that provide many2one names. If null, each name is a subquery, which PostgreSQL
   * evaluates after sorting and limiting.
   */
  nameJoins: Sql[] | null;
  /** True if the rows contain JSON from callers, whose nulls must be kept. */
  nested: boolean;
  properties: Set<string>;
  /** True if the rows contain placeholders for blob content. */
  contents: boolean;
  /** Number of file columns whose complete content is in the rows. */
  files: number;
  /** True if the statement reads only the sizes of files. */
  weighs: boolean;
  /** True if the facade must not reveal whether a masked value is set. */
  mask: boolean;
  /** True if lists of related records include archived records. */
  archived: boolean;
  /** Returns the current date in the caller's time zone as `YYYY-MM-DD`. */
  today(): string;
  publicUrl: string;
  /** Language of translated strings. Null for the source language. */
  lang: string | null;
  /** Company for company-dependent fields. Null for their default values. */
  company: number | null;
  /** Keys of `namedWith` that the caller's context contains. */
  displayNameKeys: readonly string[];
  /** Returns true if the caller requests the field's size instead of its content. */
  sizes(field: string): boolean;
  mayField(field: Field): boolean;
  /** @throws ACCESS_ERROR if the caller may not read the model */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR if the caller may not see the field */
  checkField(model: Model, field: Field): void;
  /** @throws ACCESS_ERROR if the caller may not filter or sort by the field */
  checkCompared(model: Model, field: Field): void;
}

// Cached, because every statement uses identifiers.
export const getFieldIdentifier = memoizePerObject(({ name }: Field) => sql.id(name));
export const getTableIdentifier = memoizePerObject(({ table }: SqlModel) => sql.id(table));

export interface ModelRows<M extends SqlModel = Model> {
  model: M;
  row: Sql;
}

export const MAIN_ROW = sql`t`;

export const getMainSource = (model: Model): ModelRows => ({ model, row: MAIN_ROW });

export const addSource = (statement: Statement, model: Model): ModelRows => ({
  model,
  row: createAlias(statement),
});

export function createAlias(statement: Statement): Sql {
  const number = ++statement.aliases;
  aliases[number] ??= sql`t${sql.literal(number)}`;
  return aliases[number];
}

const aliases: Sql[] = [];
