import type { Sql } from '../../db/sql.ts';
import type { AccessKind } from './access-kind.ts';
import { type ColumnExpression, type Field, getMaximum, type SqlContext } from './field.ts';
import type { Policy } from './policy.ts';
import type { Principal } from './principal.ts';

/** Groups of MCP tools (docs/contract.md, "MCP tools"). */
export const TOOL_GROUPS = ['data', 'schema', 'mail', 'live', 'website'] as const;
export type ToolGroup = (typeof TOOL_GROUPS)[number];

/** Rights by group: any of the letters `crwu` (create, read, write, unlink). */
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

/** Values of selection and boolean fields. A record matches if each of the fields has one of its values. */
export type FieldConditions = Record<string, readonly (string | boolean)[]>;

interface ComputedField
  extends Pick<Field, 'type' | 'label' | 'relation' | 'selection' | 'currency' | 'digits' | 'aggregator'>,
    Partial<Pick<Field, 'help' | 'groups' | 'asText' | 'kept' | 'masked'>> {
  /** SQL expression that filters, sort orders and groupings can use like a column. */
  sql: (row: Sql, context: SqlContext) => Sql;
}

interface GraphOptions {
  /** GraphQL names of the record type, the single-record field and the list field. */
  type: string;
  one: string;
  many: string;
  /** Field that identifies records for clients. Defaults to `id`. */
  key?: string;
  /** GraphQL field names by record API name. By default, names are converted to camelCase. */
  names?: Record<string, string>;
  /** GraphQL names of relations by field, if they differ from the derived names. */
  relations?: Record<string, string>;
  /** Costs of fields in a GraphQL document, by field name. By default, a field costs 1. */
  costs?: Record<string, number>;
  ids?: string[];
  /** Enum names by field. Models whose fields have the same values can share an enum. */
  enums?: Record<string, string>;
  /** Policy of the queries that read the model. By default, every user may call them. */
  policy?: Policy;
  /** False if only the model's own operations can change records. */
  writes?: boolean;
  /**
   * True if the builder's Prisma plugin defines the type and its root fields. The record graph then only references the
   * type.
   */
  prisma?: boolean;
  /** True if the model is append-only. Subscriptions then send new records under the model's singular name. */
  log?: boolean;
}

/**
 * Access control through the many2many field `list` of `model`. Records that are in no list must match the domain
 * `loose`.
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
  /** Name of the Prisma model, if it cannot be derived from the model's name. */
  shape?: string;
  /** Field that provides the display name. Defaults to `name`. */
  display?: string;
  /**
   * Fields searched by name_search, and by conditions that compare a relation with text. Defaults to the display field.
   */
  searchNames?: string[];
  /** Field whose value begins display names in brackets, such as `[DESK-160] Desk`. */
  nameCode?: string;
  order?: string;
  /** Initial rights in a new workspace. Administrators can change them through ir.model.access. */
  access: AccessRights;
  /**
   * Upper limit of the rights that ir.model.access can grant: a string of `crwu` letters for everyone, or letters by
   * group. Groups that are not listed have no rights. Unlimited by default.
   */
  ceiling?: string | AccessRights;
  rules?: InitialRule[];
  /**
   * Returns a domain that limits the records a principal can reach, regardless of rights and rules. `false` means that
   * it can reach no records.
   */
  own?(principal: Principal): unknown[] | false;
  /**
   * Fields that contain the model and id of the record that this record is attached to. Reading requires read access to
   * that record, and all other operations require write access. `also` returns a domain of additional accessible
   * records.
   */
  follows?: {
    model: string;
    id: string;
    also(principal: Principal, operation: AccessKind): unknown[];
    /**
     * Returns another model's list field that restricts certain principals, such as a message's list of attachments. A
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
   * The many2one to the parent record whose fields this model inherits (`_inherits`). The inherited fields are
   * available to callers who can access the parent, and are written by hooks.
   */
  inherits?: string;
  computed?: Record<string, ComputedField>;
  /** SQL for extended display names, by the context key that requests them. */
  namedWith?: Record<string, (name: Sql, row: Sql, context: SqlContext) => Sql>;
  /** SQL that replaces a column in results, filters, sort orders and groupings. */
  shows?: Record<string, ColumnExpression>;
  /** one2many fields that the Prisma schema does not declare. */
  lists?: Record<
    string,
    Pick<Field, 'label' | 'fixed'> & { relation: string; inverse: string; readonly?: true }
  >;
  /**
   * The many2one `parent` that forms a hierarchy, and the error `loop` for a record that would become its own ancestor.
   */
  tree?: { parent: string; loop: string };
  mixins?: string[];
  /**
   * Methods that set a field, by field name. Forms show the field as read-only. If it is read-only for all clients, the
   * error for a rejected write names these methods.
   */
  setBy?: Record<string, string[]>;
  /** Required fields that hooks set if the caller does not. */
  completes?: string[];
  /** Fields that forms show only for matching records, such as the end of a recurrence. */
  shownFor?: Record<string, FieldConditions>;
  /** Fields that have no column but that callers may set, because hooks process their values. */
  accepts?: string[];
  /** By default, all names are derived from the model's name. */
  graph?: GraphOptions;
  /**
   * Rights of team keys, as letters of `crwu`. They are independent of groups and of the rights that administrators
   * edit.
   */
  team?: string;
  /**
   * Field or path that contains the id of the record's sending domain, for team keys limited to a domain. If null, such
   * keys can access all records. If omitted, they can access no records.
   */
  boundBy?: string | null;
  /** True if changing a record may send mail. An agent's change then counts as a send. */
  sends?: boolean;
  /** Returns true if writing the values may delete records. An agent's change then counts as a deletion. */
  deletesOnWrite?: (values: Values) => boolean;
  /** Fields that an agent can change only after confirmation. */
  confirmedFields?: readonly string[];
  /** True if changes to records are security events. */
  audited?: boolean;
  /** A table with the same columns. Every workspace sees its rows in addition to its own. */
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
  /**
   * Models and fields that do not exist in the workspace. Set only for models whose shared table describes models and
   * fields.
   */
  lacks?: { models: readonly string[]; fields: readonly string[] };
  options: ModelOptions;
}

export const createMaskTest =
  (model: Model | undefined) =>
  (name: string): boolean =>
    model?.fields.get(name)?.masked === true;

export type Registry = Map<string, Model>;
