import type { Param, Sql } from '../../db/sql.ts';
import { isSecretName } from '../../secret-names.ts';
import { INT_MAX, WIDE_MAX } from '../value/number.ts';

/** Types of fields as the record API names them; `strings` is a list of texts, which it shows as JSON. */
export type FieldType =
  | 'char'
  | 'text'
  | 'html'
  | 'integer'
  | 'float'
  | 'monetary'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'binary'
  | 'selection'
  | 'reference'
  | 'many2one_reference'
  | 'json'
  | 'strings'
  | 'properties'
  | 'properties_definition'
  | 'many2one'
  | 'one2many'
  | 'many2many';

/** What becomes of a record when the one its field leads to is deleted. */
export type OnDelete = 'restrict' | 'cascade' | 'set null';

/** A join table, its column for this side and for the other, and the columns that are the same in each of its rows. */
export interface JoinTable {
  table: string;
  self: string;
  other: string;
  fixed: Record<string, number>;
}

/** What an SQL expression may know of a model. */
export interface SqlModel {
  name: string;
  table: string;
  customId: number | null;
  options: { sharedTable?: string };
  lacks?: { models: readonly string[]; fields: readonly string[] };
  extensible: boolean;
  fields: ReadonlyMap<string, Field>;
}

/** What an SQL expression of a computed field may ask for. */
export interface SqlContext {
  /** The workspace, as a parameter. */
  workspace: Param;
  /** The table of a model, quoted. */
  table(model: string): Sql;
  /** The expression of another field of the same model. */
  field(name: string): Sql;
  /** Name that no other part of the statement uses. */
  alias(): Sql;
  /** The day it is where the caller is. */
  today(): Sql;
  /** Id of the company that acts; of the workspace itself, its first one. */
  company(): Sql;
  /** PUBLIC_URL, as text. */
  publicUrl(): Sql;
  /** The models of the workspace. */
  models(): SqlModel[];
}

/** What the row with the alias `row` shows of a column. */
export type ColumnExpression = (column: Sql, row: Sql, words: SqlContext) => Sql;

export interface Field {
  name: string;
  type: FieldType;
  /** Of a list: its items are ids, kept as numbers. */
  ofIds?: boolean;
  label: string;
  help: string;
  required: boolean;
  readonly: boolean;
  /** The column has a default. */
  hasDefault: boolean;
  /** Never readable through any door; writable only by the model's own verbs. */
  secret: boolean;
  /** The value is a secret: the audit trail and masked callers get `***`, and the latter cannot compare by it. */
  masked: boolean;
  /** Groups that may see the field; empty means everybody who may see the record. */
  groups: string[];
  /** Copied along with its record. */
  copied: boolean;
  selection?: [string, string][];
  /** selection: of what the workspace has now, instead of one that is fixed (see describe.ts). */
  choices?: 'languages' | 'zones';
  /** Model name on the other side of a relation. */
  relation?: string;
  /** one2many: the many2one on the other side. */
  inverse?: string;
  /** A list that leaves out archived records, also where a caller asks for these. */
  activeOnly?: boolean;
  /** one2many of everything: the fields on the other side that hold this model's name and the record's id. */
  thread?: { model: string; id: string };
  join?: JoinTable;
  /** A field that lives on another record, such as `partner_id.name`. */
  related?: [string, string];
  /** A related field of the record that this one is as well: read and written with the rights on that one. */
  inherited?: boolean;
  /** An SQL expression on the row with the alias `row`; nothing is stored. */
  computed?: (row: Sql, words: SqlContext) => Sql;
  /** What it shows instead of its column. */
  shown?: ColumnExpression;
  /** A field that a workspace has added: its id in ir.model.fields, and whether it has a look-up index. */
  custom?: { id: number; indexed: boolean };
  /** many2one without a foreign key: the engine does what the key would do. */
  loose?: boolean;
  onDelete?: OnDelete;
  /** many2one_reference: the field with the model's name. */
  modelField?: string;
  /** properties: the many2one to the record that defines them, and the field there that has the definitions. */
  definition?: [string, string];
  /** monetary: the field with the currency. */
  currency?: string;
  digits?: [number, number];
  size?: number;
  /** integer, many2one or many2one_reference: the column has 64 bits. */
  wide?: boolean;
  /** binary: content that is text is shown as it is. */
  asText?: boolean;
  /** binary: the value is the name of a content in the blob store. */
  kept?: boolean;
  translated?: boolean;
  /** Each company has a value of its own. */
  ofCompanies?: boolean;
  aggregator?: string;
}

/** A field of which no more is known: everybody's, to be read alone, and not copied. */
export const createField = (
  name: string,
  type: FieldType,
  label: string,
  more: Partial<Field> = {},
): Field => ({
  name,
  type,
  label,
  help: '',
  required: false,
  readonly: true,
  hasDefault: false,
  secret: false,
  masked: isSecretName(name),
  groups: [],
  copied: false,
  ...more,
});

const AMOUNT_TYPES: ReadonlySet<string> = new Set(['integer', 'float', 'monetary']);

/** Whether a value that is not given is 0. An id of a record of any model is shown as 0 then, and kept unset. */
export const defaultsToZero = (field: Field): boolean => AMOUNT_TYPES.has(field.type);

/** Whether the field has a value of its own in a column of its row (or in the row's custom values). */
export const isStored = (field: Field): boolean =>
  !field.related && !field.computed && !field.type.endsWith('2many') && field.name !== 'display_name';

/** Whether no record lacks a value of its own. */
export const isAlwaysSet = (field: Field): boolean =>
  isStored(field) && (defaultsToZero(field) || (field.required && !field.custom));

/** The largest whole number that the column of the field holds. */
export const getMaximum = (field: Field | undefined): number => (field?.wide ? WIDE_MAX : INT_MAX);

/** Whether a related field shows its reader no more than it may read on the record it lives on. */
export const isRuleBound = (field: Field): boolean => field.custom !== undefined || field.inherited === true;

export const isList = (field: Field): boolean => field.type === 'one2many' || field.type === 'many2many';

const NUMBER_TYPES = new Set(['integer', 'float', 'monetary', 'many2one_reference']);
const TEXT_TYPES = new Set(['char', 'text', 'html', 'selection', 'reference']);

export const isNumber = (field: Field): boolean => NUMBER_TYPES.has(field.type);
export const isText = (field: Field): boolean => TEXT_TYPES.has(field.type);
export const isDate = (field: Field): boolean => field.type === 'date' || field.type === 'datetime';
export const isFraction = (field: Field): boolean => field.type === 'float' || field.type === 'monetary';
