import type { Sql } from '../../db/sql.ts';
import { type ColumnExpression, type Field, type FieldType, getMaximum, type SqlContext } from './field.ts';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';

/** Groups of MCP tools (contract, "MCP tools"). */
export const TOOL_GROUPS = ['data', 'schema', 'mail', 'live', 'website'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

export type AccessKind = 'read' | 'write' | 'create' | 'unlink';

/** Letters of `crwu` (create, read, write, unlink) by group. */
export type AccessRights = Record<string, string>;

export interface InitialRule {
  name: string;
  /** If omitted, the rule applies to everyone. */
  group?: string;
  operations?: AccessKind[];
  /** Domain in the text format of ir.rule (see rule-text.ts). */
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
  /** Used like a column in filters, sort orders and groupings. */
  sql: (row: Sql, context: SqlContext) => Sql;
}

interface GraphOptions {
  /** Names of the type, and of the root fields for one record and for the list. */
  type: string;
  one: string;
  many: string;
  /** Field that identifies records for clients. Defaults to `id`. */
  key?: string;
  /** GraphQL field names that are not the camelCase form of the record API name. */
  names?: Record<string, string>;
  /** GraphQL names of relations that differ from the derived names, by field. */
  relations?: Record<string, string>;
  /** Number of values that a field adds to a document's cost. Defaults to 1. */
  costs?: Record<string, number>;
  /** Integer fields that contain ids. */
  ids?: string[];
  /** Enum names by field. Models whose fields have the same values can share an enum. */
  enums?: Record<string, string>;
  /** Policy of the root fields that read. By default, every user may call them. */
  policy?: Policy;
  /** False if only the model's own operations can change records. */
  writes?: boolean;
  /**
   * True if the builder's Prisma plugin defines the type and its root fields. The record graph then only references the
   * type.
   */
  prisma?: boolean;
  /** True if records are only ever added. Subscriptions then send new records under the model's singular name. */
  log?: boolean;
}

/**
 * The many2many field whose owners make a record accessible. `loose` is a domain for records that are in no such list.
 */
export interface ListOwnership {
  model: string;
  list: string;
  loose: unknown[];
}

/** Behavior of a model, defined next to its operations. Its shape comes from the Prisma schema. */
export interface ModelOptions {
  /** Tool group of the model. Agents limited to other groups cannot access its records, unless the group is `data`. */
  group: ToolGroup;
  /** True if records only hold a dialog's input (transient models in Odoo). Model lists omit such models. */
  isWizard?: boolean;
  /** Prisma model, if it cannot be derived from the model's name. */
  shape?: string;
  /** Field that provides the display name. Defaults to `name`. */
  display?: string;
  /**
   * Fields searched by name_search, and by conditions that compare a relation with text. Defaults to the display field.
   */
  searchNames?: string[];
  order?: string;
  /** Rights in a new workspace. Administrators can change them later as ir.model.access. */
  access: AccessRights;
  /**
   * Maximum rights, whatever ir.model.access grants: letters of `crwu` for everyone (empty for no rights), or letters
   * by group, where all other groups have no rights. Unlimited by default.
   */
  ceiling?: string | AccessRights;
  rules?: InitialRule[];
  /**
   * Returns a domain that limits the records a principal can reach, regardless of rights and rules. `false` means that
   * it can reach no records.
   */
  own?(principal: Principal): unknown[] | false;
  /**
   * Fields with the model and id of the record to which this record is attached. Reading requires read access to
   * that record, and all other operations require write access. `also` returns a domain of further accessible records.
   */
  follows?: {
    model: string;
    id: string;
    also(principal: Principal, operation: AccessKind): unknown[];
    /**
     * Names another model's list field that controls access for certain principals, for example a message's files. A
     * record in such lists is accessible only if the principal may read at least one of their owners. A record in no
     * such list must match `loose`.
     */
    heldBy?(principal: Principal): ListOwnership | null;
  };
  /**
   * Fields that contain the model and id of a record. If that record is deleted, this record is deleted too. The fields
   * in `follows` have the same effect.
   */
  goesWith?: { model: string; id: string };
  /** Adds the default restriction to a search domain that does not mention it. */
  narrow?(domain: unknown): unknown;
  related?: Record<string, { path: `${string}.${string}`; label: string }>;
  /**
   * The many2one to the parent record that each record extends (`_inherits`). The parent's fields are available if the
   * reader can access the parent. Hooks write them.
   */
  inherits?: string;
  computed?: Record<string, ComputedField>;
  /** SQL that extends the display name, by the context key that requests it. */
  namedWith?: Record<string, (name: Sql, row: Sql, context: SqlContext) => Sql>;
  /** SQL that is returned instead of a column, and used in filters, sort orders and groupings. */
  shows?: Record<string, ColumnExpression>;
  /** one2many fields over a many2one without a foreign key. */
  lists?: Record<string, { label: string; relation: string; inverse: string }>;
  /** Hierarchy through the many2one `parent`. `loop` is the error for a record that would become its own ancestor. */
  tree?: { parent: string; loop: string };
  mixins?: string[];
  /** Methods that set a read-only field, by field name. A rejected write names them in its error. */
  setBy?: Record<string, string[]>;
  /** Required fields that hooks set if the caller does not. */
  completes?: string[];
  /** Fields without a column whose values the hooks accept. */
  accepts?: string[];
  /**
   * Lets `onchange` preview the result of saving the form. `follows` lists the fields to recompute when a field
   * changes. `ignores` lists fields that are set only on saving.
   */
  preview?: { follows?: Record<string, string[]>; ignores?: string[] };
  /** Derived from the model's name by default. */
  graph?: GraphOptions;
  /** Rights of a team key: letters of `crwu`. Independent of groups and of rights that administrators edit. */
  team?: string;
  /**
   * Field or path that contains the id of the record's sending domain, for team keys limited to a domain. If null, such
   * keys can access all records. If omitted, they can access no records.
   */
  boundBy?: string | null;
  /** True if changing a record may send mail. An agent's change then counts as a send. */
  sends?: boolean;
  /** Fields that an agent can change only with a confirmation. */
  confirmedFields?: readonly string[];
  /** True if record changes are security events. */
  audited?: boolean;
  /** A table whose rows all workspaces share, in addition to their own rows. It has the same columns. */
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
  /** Empty if there is no description. */
  help: string;
  fields: Map<string, Field>;
  /** Null if a workspace added the model. */
  module: string | null;
  /** Field that provides the display name. Null if records are named by model and id. */
  display: string | null;
  searchNames: string[];
  order: string;
  /** Field that archives a record. Null if records cannot be archived. */
  active: Field | null;
  /** Id of a model that a workspace has added. All such models share one table. */
  customId: number | null;
  /** True if the table supports custom fields. */
  extensible: boolean;
  /** Models and fields that the workspace lacks. Set on models whose shared table describes models and fields. */
  lacks?: { models: readonly string[]; fields: readonly string[] };
  options: ModelOptions;
}

export const createMaskTest =
  (model: Model | undefined) =>
  (name: string): boolean =>
    model?.fields.get(name)?.masked === true;

export type Registry = Map<string, Model>;
