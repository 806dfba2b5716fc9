import { type Param, type Sql, sql } from '../../db/sql.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Field, SqlModel } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';

/**
 * `record` returns values as classic RPC does (unset is false), `ids` does the same but omits the names of many2ones,
 * and `graph` returns values as GraphQL does (unset is null).
 */
export type Flavour = 'record' | 'ids' | 'graph';

/** The workspace of the statement. It is a single parameter, even if used several times. */
export interface StatementScope {
  workspace: Param;
}

/** State shared by the parts of a statement while it is built. */
export interface Statement extends StatementScope {
  registry: Registry;
  flavour: Flavour;
  aliases: number;
  /** Number of related tables in the conditions so far. */
  joins: number;
  /** Returns the rule tree for the reader of `model`, or null if no rule applies. */
  rule(model: Model): DomainNode | null;
  /** Returns the rule conditions of these rows for the reader, as ` and …`. Empty if no rule applies. */
  readable(rows: ModelRows): Sql;
  /**
   * Left joins for the names of many2one values, for the `from` of the rows. If null, each name is a subquery, which
   * PostgreSQL evaluates after sorting and limiting.
   */
  nameJoins: Sql[] | null;
  /** True if the rows contain JSON from callers, in which nulls must be kept. */
  nested: boolean;
  /** Keys of the rows that contain properties. */
  properties: Set<string>;
  /** True if the rows contain placeholders for contents of the blob store. */
  contents: boolean;
  /** Number of file columns whose complete content is in the rows. */
  files: number;
  /** True if the statement only reads the sizes of these files. */
  weighs: boolean;
  /** True for facades that must not reveal whether a masked value is set. */
  mask: boolean;
  /** True if lists of related records include archived records. */
  archived: boolean;
  /** Returns the current day in the reader's time zone, such as `2026-11-20`. */
  today(): string;
  publicUrl: string;
  /** Language of translated strings. Null for the source strings. */
  lang: string | null;
  /** Company for company-dependent fields, or null. */
  company: number | null;
  /** Context keys that add to display names: keys of `namedWith`. */
  displayNameKeys: readonly string[];
  /** Returns true if the field's content is returned as its size. */
  sizes(field: string): boolean;
  mayField(field: Field): boolean;
  /** @throws ACCESS_ERROR if the reader may not read the model */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR if the reader may not see the field */
  checkField(model: Model, field: Field): void;
  /** @throws ACCESS_ERROR if the reader may not filter or sort by the field */
  checkCompared(model: Model, field: Field): void;
}

/** Cached identifiers of fields and tables, because every statement uses them. */
const identifiers = new WeakMap<Field | SqlModel, Sql>();

function getIdentifier(source: Field | SqlModel, name: string): Sql {
  let id = identifiers.get(source);
  if (!id) {
    id = sql.id(name);
    identifiers.set(source, id);
  }
  return id;
}

export const getFieldIdentifier = (field: Field): Sql => getIdentifier(field, field.name);
export const getTableIdentifier = (model: SqlModel): Sql => getIdentifier(model, model.table);

/** Rows of a model, under an alias. */
export interface ModelRows<M extends SqlModel = Model> {
  model: M;
  row: Sql;
}

/** Alias of the statement's main rows. */
export const MAIN_ROW = sql`t`;

export const getMainSource = (model: Model): ModelRows => ({ model, row: MAIN_ROW });

export const addSource = (statement: Statement, model: Model): ModelRows => ({
  model,
  row: createAlias(statement),
});

/** Creates a new alias that is unique in the statement: `t1`. */
export function createAlias(statement: Statement): Sql {
  const number = ++statement.aliases;
  aliases[number] ??= sql`t${sql.literal(number)}`;
  return aliases[number];
}

const aliases: Sql[] = [];
