import type { Node } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';

/** One statement being written. `$1` is always the workspace. */
export interface Statement {
  registry: Registry;
  params: unknown[];
  aliases: number;
  /** Related tables that the conditions so far look into. */
  joins: number;
  /** The rule tree that binds the reader of `model`, or null when none does. */
  rule(model: Model): Node | null;
  /**
   * Left joins that give the names of many2one values, for the `from` of the rows. null: each name is a subquery of
   * its own, which Postgres puts off until after sorting and cutting.
   */
  named: string[] | null;
  /** True when the rows hold JSON of callers, in which a null must stay one. */
  nested: boolean;
  /** Keys of the rows that hold properties. */
  properties: Set<string>;
  /** True for doors that must not even show that a secret-named value is set. */
  mask: boolean;
  /** Whether the lists of related records have the archived ones too. */
  archived: boolean;
  /** The day it is where the reader is: `2026-11-20`. */
  today(): string;
  /** Translated texts are those of this language, where there are some; null for the source. */
  lang: string | null;
  /** Fields whose content is shown as its size. */
  sizes(field: string): boolean;
  /** @throws ACCESS_ERROR when the reader may not read the model */
  checkModel(model: Model): void;
  /** @throws ACCESS_ERROR when the reader may not see the field */
  checkField(model: Model, field: Field): void;
}

/** A place for `value` among the statement's parameters: `$2`. */
export function param(statement: Statement, value: unknown): string {
  statement.params.push(value);
  return `$${statement.params.length}`;
}

export const alias = (statement: Statement): string => `t${++statement.aliases}`;
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A text in SQL; only for names of ours and of models and fields. */
export const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
