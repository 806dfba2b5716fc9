import type { Sql } from '../../db/sql.ts';
import { type ColumnExpression, type Field, type FieldType, getMaximum, type SqlContext } from './field.ts';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';

/** Groups of MCP tools (contract, "MCP tools"). */
export type ToolGroup = 'data' | 'schema' | 'mail' | 'live' | 'website';

export type Operation = 'read' | 'write' | 'create' | 'unlink';

/** What a user, by name of group, may do with a model: letters of `crwu` (create, read, write, unlink). */
export type AccessRights = Record<string, string>;

/** A record rule of a new workspace. */
export interface InitialRule {
  name: string;
  /** The group it is for; without one it binds everybody. */
  group?: string;
  operations?: Operation[];
  /** A domain in the text form of ir.rule (see rule-text.ts). */
  domain: string;
}

export type Values = Record<string, unknown>;

interface ComputedField {
  type: FieldType;
  label: string;
  help?: string;
  relation?: string;
  selection?: [string, string][];
  groups?: string[];
  currency?: string;
  digits?: [number, number];
  aggregator?: string;
  asText?: boolean;
  kept?: boolean;
  /** Searched by, sorted by and grouped by like any column. */
  sql: (row: Sql, words: SqlContext) => Sql;
}

/** What GraphQL calls a model, and who may ask there. */
export interface GraphOptions {
  /** Name of the type, of the root field of one record, and of that of the list. */
  type: string;
  one: string;
  many: string;
  /** The field that clients know records by; `id` when absent. */
  key?: string;
  /** Names of fields, where they differ from the record API's in camelCase. */
  names?: Record<string, string>;
  /** Names of the records that a relation leads to, by field, where they differ from those made of its name. */
  relations?: Record<string, string>;
  /** As how many values a field counts in what a document costs, by field; 1 when absent. */
  costs?: Record<string, number>;
  /** Integers that are the ids of something. */
  ids?: string[];
  /** Names of enums, by field: models whose fields have the same values may share one. */
  enums?: Record<string, string>;
  /** Of the root fields that read; any user may call them when absent. */
  policy?: Policy;
  /** False: records are changed by verbs of their own alone. */
  writes?: boolean;
  /** The type and its root fields are made by the builder's Prisma plugin; the record graph only leads to it. */
  prisma?: boolean;
  /** Records are only ever added: a subscription sends new ones under the name of one record. */
  log?: boolean;
}

/** The many2many whose owners a record is in reach with; `loose` is a domain of those that are in no such list. */
export interface ListOwnership {
  model: string;
  list: string;
  loose: unknown[];
}

/** Behaviour of a model, kept beside its verbs. The shape comes from the Prisma schema. */
export interface ModelOptions {
  /** The tools that work with its records. Agents that are bound to other groups do not reach them. */
  group: ToolGroup;
  /** The Prisma model, when it is not the one of the model's own name. */
  shape?: string;
  /** Field shown where a record is named. Default `name`. */
  display?: string;
  /** Fields that name_search and a text compared with a relation look at. Default the display field. */
  searchNames?: string[];
  order?: string;
  /** Rights that a new workspace begins with; from then on its administrators edit them as ir.model.access. */
  access: AccessRights;
  /**
   * What rights can give at most, whatever administrators write into ir.model.access: letters of `crwu`, '' for none;
   * or such letters by group, when no other group can have rights. Without it rights have no limit.
   */
  ceiling?: string | AccessRights;
  /** Rules that a new workspace begins with, as ir.rule. */
  rules?: InitialRule[];
  /**
   * A domain of the records that are in reach of the principal at most, whatever rights and rules say: the ceiling of
   * rows. `false` where it can reach none.
   */
  own?(principal: Principal): unknown[] | false;
  /**
   * The two fields name the record that this one hangs on, and it is in reach when that is: to read, else to write.
   * `also` is a domain of further records the principal may access.
   */
  follows?: {
    model: string;
    id: string;
    also(principal: Principal, operation: Operation): unknown[];
    /**
     * For principals that it names a list of another model for: a record that is in such lists is in reach by the one
     * it hangs on only with one of their owners, and one that is in none as far as it matches `loose`.
     */
    heldBy?(principal: Principal): ListOwnership | null;
  };
  /** The two fields name a record with which this one goes; so do those of `follows`. */
  goesWith?: { model: string; id: string };
  /** A search that does not say otherwise is narrowed by this. */
  narrow?(domain: unknown): unknown;
  related?: Record<string, { path: `${string}.${string}`; label: string }>;
  /**
   * The many2one to the record that each record is as well: it has all fields of that one, as far as its reader may
   * read it there. The hooks write them.
   */
  inherits?: string;
  computed?: Record<string, ComputedField>;
  /** Additions to a record's display name, by the context key that requests them. */
  namedWith?: Record<string, (name: Sql, row: Sql, words: SqlContext) => Sql>;
  /** What a field shows instead of its column; it is searched by, sorted by and grouped by that. */
  shows?: Record<string, ColumnExpression>;
  /** one2manys over a many2one without a foreign key. */
  lists?: Record<string, { label: string; relation: string; inverse: string }>;
  /**
   * Records lie below others of the model, by the many2one `parent`; `loop` is said of one that would lie below itself.
   */
  tree?: { parent: string; loop: string };
  /** Names of abilities (see mixins.ts). */
  mixins?: string[];
  /** Methods that set a readonly field, by its name; listed in the error of a refused write. */
  setBy?: Record<string, string[]>;
  /** Required fields that the hooks set where a caller does not. */
  completes?: string[];
  /** Fields without a column of their own for which the hooks take values. */
  accepts?: string[];
  /**
   * `onchange` shows what storing the form would make of it. `follows` names fields that are recomputed when a field
   * changes; `ignores` those that are decided only when the record is stored.
   */
  preview?: { follows?: Record<string, string[]>; ignores?: string[] };
  /** Names in GraphQL; derived from the model's name when absent. */
  graph?: GraphOptions;
  /**
   * Rights of the workspace itself (a team key), as in `access`. Groups do not apply to it, and neither do the
   * rights that administrators edit.
   */
  team?: string;
  /**
   * For a team key that is bound to a domain: the field that holds the id of the record's domain, as a path if it
   * lies on another record. null: all records of the model. Without this option such a key reads none.
   */
  boundBy?: string | null;
  /** A change of such a record may send mail: of agents it counts as a send. */
  sends?: boolean;
  /** A change to such a record is a security event. */
  audited?: boolean;
  /** A table whose rows every workspace has beside its own; its columns are named alike. */
  sharedTable?: string;
}

/** The largest id that a record of the model can have. */
export const getMaximumId = (model: Model | undefined): number => getMaximum(model?.fields.get('id'));

export interface Model {
  name: string;
  prisma: string;
  table: string;
  label: string;
  /** What else there is to say of it; '' for nothing. */
  help: string;
  fields: Map<string, Field>;
  /** The module it belongs to; null for one that a workspace has added. */
  module: string | null;
  /** null: a record is named by its model and id. */
  display: string | null;
  searchNames: string[];
  order: string;
  /** The field that marks archived records, if there is one. */
  active: Field | null;
  /** Rows of a model that a workspace has added lie in one table for all such models, under this id. */
  customId: number | null;
  /** The table takes custom fields. */
  extensible: boolean;
  /** Of a model with a shared table, which describes models and fields: those that the workspace does not have. */
  lacks?: { models: readonly string[]; fields: readonly string[] };
  options: ModelOptions;
}

/** Which names are those of masked fields of the model. */
export const createMaskTest =
  (model: Model | undefined) =>
  (name: string): boolean =>
    model?.fields.get(name)?.masked === true;

export type Registry = Map<string, Model>;
