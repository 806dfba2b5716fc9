import { type Param, type Sql, sql } from '../../db/sql.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Field, SqlModel } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';

/**
 * `record` gives values as classic RPC does (unset is false), `ids` as well but a many2one without its name, `graph`
 * as GraphQL does (unset is null).
 */
export type Flavour = 'record' | 'ids' | 'graph';

/** Whose rows a statement is about: the workspace, one parameter wherever it is asked for. */
export interface StatementScope {
  workspace: Param;
}

/** What the parts of one statement know of each other while it is written. */
export interface Statement extends StatementScope {
  registry: Registry;
  flavour: Flavour;
  /** How many aliases there are so far. */
  aliases: number;
  /** Related tables that the conditions so far look into. */
  joins: number;
  /** The rule tree that binds the reader of `model`, or null when none does. */
  rule(model: Model): DomainNode | null;
  /** ` and …`: what binds the reader of these rows; empty when nothing does. */
  readable(rows: ModelRows): Sql;
  /**
   * Left joins that give the names of many2one values, for the `from` of the rows. null: each name is a subquery of
   * its own, which Postgres puts off until after sorting and cutting.
   */
  named: Sql[] | null;
  /** True when the rows hold JSON of callers, in which a null must stay one. */
  nested: boolean;
  /** Keys of the rows that hold properties. */
  properties: Set<string>;
  /** Whether the rows hold marks in place of contents of the blob store. */
  contents: boolean;
  /** Files that rows hold as a whole, in columns. */
  files: number;
  /** True for a statement that asks how large these are: of all else it reads nothing. */
  weighs: boolean;
  /** True for doors that must not even show that a masked value is set. */
  mask: boolean;
  /** Whether the lists of related records have the archived ones too. */
  archived: boolean;
  /** The day it is where the reader is: `2026-11-20`. */
  today(): string;
  /** Address of the installation. */
  publicUrl: string;
  /** Translated texts are those of this language, where there are some; null for the source. */
  lang: string | null;
  /** The company whose values are meant, of fields that have one per company; null for none. */
  company: number | null;
  /** Context keys that add to display names: keys of `namedWith`. */
  namesTell: readonly string[];
  /** Fields whose content is shown as its size. */
  sizes(field: string): boolean;
  /** Whether the reader may see the field. */
  mayField(field: Field): boolean;
  /** @throws ACCESS_ERROR when the reader may not read the model */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR when the reader may not see the field */
  checkField(model: Model, field: Field): void;
  /** @throws ACCESS_ERROR when the reader may not compare by the field */
  checkCompared(model: Model, field: Field): void;
}

/** Names of fields and of tables, which come again with every statement. */
const identifiers = new WeakMap<Field | SqlModel, Sql>();

function getIdentifier(of: Field | SqlModel, name: string): Sql {
  let id = identifiers.get(of);
  if (!id) {
    id = sql.id(name);
    identifiers.set(of, id);
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

/** The rows that a statement is about. */
export const MAIN_ROW = sql`t`;

export const getMainSource = (model: Model): ModelRows => ({ model, row: MAIN_ROW });

/** Further rows that the statement looks into. */
export const addSource = (statement: Statement, model: Model): ModelRows => ({
  model,
  row: createAlias(statement),
});

/** A name that no other part of the statement uses: `t1`. */
export function createAlias(statement: Statement): Sql {
  const number = ++statement.aliases;
  aliases[number] ??= sql`t${sql.literal(number)}`;
  return aliases[number];
}

const aliases: Sql[] = [];
