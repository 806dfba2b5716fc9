import type { Sql } from '../../db/sql.ts';
import { type ColumnExpression, type Field, type FieldType, getMaximum, type SqlContext } from './field.ts';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';

/** Groups of MCP tools (contract, "MCP tools"). */
export const TOOL_GROUPS = ['data', 'schema', 'mail', 'live', 'website'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export type AccessKind = 'read' | 'write' | 'create' | 'unlink';

/** Rights on a model by group name: letters of `crwu` (create, read, write, unlink). */
export type AccessRights = Record<string, string>;

/** A record rule of a new workspace. */
export interface InitialRule {
  name: string;
  /** Group that the rule applies to. Without a group it applies to everybody. */
  group?: string;
  operations?: AccessKind[];
  /** A domain in the text format of ir.rule (see rule-text.ts). */
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
  /** Used for filters, sorting and grouping like any column. */
  sql: (row: Sql, context: SqlContext) => Sql;
}

/** Names of a model in GraphQL, and the policy of its root fields. */
interface GraphOptions {
  /** Names of the type, of the root field for one record and of the root field for the list. */
  type: string;
  one: string;
  many: string;
  /** Field that identifies records for clients. Defaults to `id`. */
  key?: string;
  /** Field names that differ from the camelCase names of the record API. */
  names?: Record<string, string>;
  /** Names of related records, by field, if they differ from the derived names. */
  relations?: Record<string, string>;
  /** Cost that a field adds to a document, in values. Defaults to 1. */
  costs?: Record<string, number>;
  /** Integer fields that contain ids. */
  ids?: string[];
  /** Enum names by field. Models whose fields have the same values can share an enum. */
  enums?: Record<string, string>;
  /** Policy of the read fields. By default every user may call them. */
  policy?: Policy;
  /** False if records can be changed only through the model's own operations. */
  writes?: boolean;
  /**
   * True if the type and its root fields come from the builder's Prisma plugin. The record graph then only refers to
   * the type.
   */
  prisma?: boolean;
  /** True if records are only added. A subscription then sends new records under the name of one record. */
  log?: boolean;
}

/** The many2many whose owners make a record accessible. `loose` is a domain for records that are in no such list. */
export interface ListOwnership {
  model: string;
  list: string;
  loose: unknown[];
}

/** Behavior of a model, defined next to its operations. Its shape comes from the Prisma schema. */
export interface ModelOptions {
  /** Tool group of the model's records. Agents that are limited to other groups cannot access them. */
  group: ToolGroup;
  /** True if records only hold the input of a dialog (Odoo's transient models). Lists of models omit it. */
  isWizard?: boolean;
  /** Prisma model, if it differs from the model derived from the name. */
  shape?: string;
  /** Field used as a record's name. Defaults to `name`. */
  display?: string;
  /** Fields that are searched by name_search, and for text compared with a relation. Defaults to the display field. */
  searchNames?: string[];
  order?: string;
  /** Rights of a new workspace. Its administrators can edit them later as ir.model.access. */
  access: AccessRights;
  /**
   * Maximum rights, regardless of the rights in ir.model.access: letters of `crwu`, empty for none, or such letters by
   * group if no other group can have rights. Rights are not limited by default.
   */
  ceiling?: string | AccessRights;
  /** Record rules of a new workspace, as ir.rule. */
  rules?: InitialRule[];
  /**
   * Returns the domain of all records that a principal can reach, regardless of rights and rules; `false` if it can
   * reach none.
   */
  own?(principal: Principal): unknown[] | false;
  /**
   * Fields that contain the model and the id of the record that this one is attached to. Reading requires read access
   * to that record, and all other operations require write access. `also` is a domain of further records that the
   * principal may access.
   */
  follows?: {
    model: string;
    id: string;
    also(principal: Principal, operation: AccessKind): unknown[];
    /**
     * Names a list field of another model for certain principals, for example the files of a message. A record in such
     * lists is accessible only if the principal may also read the owner of one of them. A record in no list must match
     * `loose`.
     */
    heldBy?(principal: Principal): ListOwnership | null;
  };
  /**
   * Fields that contain the model and the id of another record. This record is deleted together with that record. The
   * fields of `follows` have the same effect.
   */
  goesWith?: { model: string; id: string };
  /** Returns the restriction that applies by default to a search whose domain does not mention it. */
  narrow?(domain: unknown): unknown;
  related?: Record<string, { path: `${string}.${string}`; label: string }>;
  /**
   * The many2one to the parent record that each record extends (`_inherits`). Its fields are available with the
   * reader's access to the parent record. The hooks write them.
   */
  inherits?: string;
  computed?: Record<string, ComputedField>;
  /** Additions to the display name, by the context key that requests them. */
  namedWith?: Record<string, (name: Sql, row: Sql, context: SqlContext) => Sql>;
  /** SQL that is returned instead of a column, and used for filters, sorting and grouping. */
  shows?: Record<string, ColumnExpression>;
  /** one2many fields over a many2one without a foreign key. */
  lists?: Record<string, { label: string; relation: string; inverse: string }>;
  /**
   * Hierarchy of the model by the many2one `parent`. `loop` is the error for a record that would be its own ancestor.
   */
  tree?: { parent: string; loop: string };
  /** Names of mixins (see mixins.ts). */
  mixins?: string[];
  /** Methods that set a read-only field, by field name. The error of a rejected write lists them. */
  setBy?: Record<string, string[]>;
  /** Required fields that hooks set if the caller does not. */
  completes?: string[];
  /** Fields without a column whose values the hooks accept. */
  accepts?: string[];
  /**
   * `onchange` previews the result of saving the form. `follows` lists fields that are recomputed when a field changes.
   * `ignores` lists fields that are determined only on saving.
   */
  preview?: { follows?: Record<string, string[]>; ignores?: string[] };
  /** Names in GraphQL. Derived from the model's name by default. */
  graph?: GraphOptions;
  /**
   * Rights of the workspace itself (a team key), in the format of `access`. Groups and rights edited by administrators
   * do not apply to it.
   */
  team?: string;
  /**
   * Field with the id of the record's sending domain, for a team key that is limited to a domain. It is a path if the
   * field is on another record. Null if such a key can read all records of the model. Without this option, it can read
   * no records.
   */
  boundBy?: string | null;
  /** True if a change of a record may send mail. Such a change by an agent counts as a send. */
  sends?: boolean;
  /** Fields whose change by an agent needs a confirmation. */
  confirmedFields?: readonly string[];
  /** True if a change of a record is a security event. */
  audited?: boolean;
  /** A table of rows that every workspace has in addition to its own. Its columns have the same names. */
  sharedTable?: string;
}

export const getMaximumId = (model: Model | undefined): number => getMaximum(model?.fields.get('id'));

export interface Model {
  name: string;
  prisma: string;
  table: string;
  label: string;
  /** Label of a list of records. */
  pluralLabel: string;
  /** Description. Empty if there isn't one. */
  help: string;
  fields: Map<string, Field>;
  /** The model's module. Null if a workspace added the model. */
  module: string | null;
  /** Null if records are named by model and id. */
  display: string | null;
  searchNames: string[];
  order: string;
  /** Field that archives a record. Null if there isn't one. */
  active: Field | null;
  /** Id of a model that a workspace has added. All such models store their rows in one table. */
  customId: number | null;
  /** True if the table supports custom fields. */
  extensible: boolean;
  /**
   * Models and fields that the workspace does not have. Set on a model with a shared table that describes models and
   * fields.
   */
  lacks?: { models: readonly string[]; fields: readonly string[] };
  options: ModelOptions;
}

/** Returns a function that is true for names of masked fields. */
export const createMaskTest =
  (model: Model | undefined) =>
  (name: string): boolean =>
    model?.fields.get(name)?.masked === true;

export type Registry = Map<string, Model>;
