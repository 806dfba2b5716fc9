import type { Param, Sql } from '../../db/sql.ts';
import { isSecretName } from '../../secret-names.ts';
import { INT_MAX, WIDE_MAX } from '../value/number.ts';

/** Field types in the record API. `strings` is a list, which the API returns as JSON. */
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

/** What happens to a record when the record it references is deleted. */
export type OnDeleteAction = 'restrict' | 'cascade' | 'set null';

/** `self` and `other` are the columns for the two sides. `fixed` columns have the same value in every row. */
export interface JoinTable {
  table: string;
  self: string;
  other: string;
  fixed: Record<string, number | string>;
}

export interface SqlModel {
  name: string;
  table: string;
  customId: number | null;
  options: { sharedTable?: string };
  lacks?: { models: readonly string[]; fields: readonly string[] };
  extensible: boolean;
  fields: ReadonlyMap<string, Field>;
}

export interface SqlContext {
  workspace: Param;
  table(model: string): Sql;
  field(name: string): Sql;
  /** Returns a field of another model's row, translated as in the model's own results. */
  fieldOf(model: string, row: Sql, name: string): Sql;
  /** Returns an alias that is unique in the statement. */
  alias(): Sql;
  /** Returns the current date in the caller's time zone. */
  today(): Sql;
  /** Returns the id of the current company, or of the workspace's first company if there is no principal. */
  company(): Sql;
  publicUrl(): Sql;
  models(): SqlModel[];
}

/** Builds the SQL that is returned instead of a column. `row` is the row's alias. */
export type ColumnExpression = (column: Sql, row: Sql, context: SqlContext) => Sql;

export interface Field {
  name: string;
  type: FieldType;
  /** For `strings`: the items are ids, stored as numbers. */
  ofIds?: boolean;
  label: string;
  help: string;
  required: boolean;
  readonly: boolean;
  hasDefault: boolean;
  /** Never readable through any API. Only the model's own operations can write it. */
  secret: boolean;
  /** The value is replaced by `***` in the audit trail and for masked callers, who cannot filter or sort by it. */
  masked: boolean;
  /** Groups that may see the field. If empty, everyone who may see the record may also see the field. */
  groups: string[];
  /** Omitted from lists of fields, and returned only if requested by name. */
  onDemand?: boolean;
  /** Included when the record is copied. */
  copied: boolean;
  selection?: [string, string][];
  /** selection: options of the workspace instead of fixed options (see describe.ts). */
  choices?: 'languages' | 'zones';
  relation?: string;
  /** one2many: the many2one on the other model. */
  inverse?: string;
  /** one2many: column values that all listed records have. */
  fixed?: Record<string, string>;
  /** A list that always excludes archived records, even if the caller requests them. */
  activeOnly?: boolean;
  /** one2many from any model: the fields on the other model that contain this model's name and the record's id. */
  thread?: { model: string; id: string };
  join?: JoinTable;
  /** Computed many2many: the table that contains its links, so that conditions can join it. */
  links?: JoinTable;
  /** Path to the field on another record, such as `partner_id.name`. */
  related?: [string, string];
  /** Delegated to the parent record (`_inherits`), whose access rights apply. */
  inherited?: boolean;
  /** SQL expression instead of a stored column. `row` is the row's alias. */
  computed?: (row: Sql, context: SqlContext) => Sql;
  displayColumn?: ColumnExpression;
  /**
   * Set if a workspace has added the field: its id in ir.model.fields, whether it has a lookup index, and the values of
   * its selection in order of creation.
   */
  custom?: { id: number; indexed: boolean; values: string[] };
  /** many2one without a foreign key. The engine enforces `onDelete`. */
  loose?: boolean;
  onDelete?: OnDeleteAction;
  /** many2one_reference: the field that contains the model name. */
  modelField?: string;
  /** properties: the many2one to the defining record, and that record's definition field. */
  definition?: [string, string];
  /** monetary: the currency field. */
  currency?: string;
  digits?: [number, number];
  size?: number;
  /** integer, many2one or many2one_reference: the column has 64 bits. */
  wide?: boolean;
  /** binary: text content is returned as a string. */
  asText?: boolean;
  /** binary: the value is the hash of a blob. */
  kept?: boolean;
  translated?: boolean;
  /** Each company has its own value. */
  ofCompanies?: boolean;
  aggregator?: string;
}

/** Creates a field with defaults: visible to everyone, read-only and not copied. */
export const createField = (
  name: string,
  type: FieldType,
  label: string,
  extra: Partial<Field> = {},
): Field => ({
  name,
  type,
  label,
  help: '',
  required: false,
  readonly: true,
  hasDefault: false,
  secret: false,
  masked: isMaskedByName(name, type),
  groups: [],
  copied: false,
  ...extra,
});

/**
 * Field with the version of a record: 1 for a new record, incremented by each update. Odoo has no such field, so it is
 * returned only on demand.
 */
export const VERSION_FIELD = 'row_version';

export const VERSION_TRAITS: Partial<Field> = {
  help: 'Version of the record, which changes with each update.',
  onDemand: true,
  aggregator: 'none',
};

const SECRET_TYPES: ReadonlySet<FieldType> = new Set(['char', 'text', 'html', 'json', 'strings', 'binary']);

/** Returns true if the name and type suggest a credential. Numbers, options and links never count. */
export const isMaskedByName = (name: string, type: FieldType): boolean =>
  SECRET_TYPES.has(type) && isSecretName(name);

const AMOUNT_TYPES: ReadonlySet<string> = new Set(['integer', 'float', 'monetary']);

/** Returns true if an unset value is stored as 0. An unset many2one_reference reads as 0 too, but is stored as null. */
export const defaultsToZero = (field: Field): boolean => AMOUNT_TYPES.has(field.type);

/** Returns true if the field has its own column, or a value in the row's custom JSON. */
export const isStoredField = (field: Field): boolean =>
  !field.related && !field.computed && !field.type.endsWith('2many') && field.name !== 'display_name';

export const isAlwaysSet = (field: Field): boolean =>
  isStoredField(field) && (defaultsToZero(field) || (field.required && !field.custom));

export const getMaximum = (field: Field | undefined): number => (field?.wide ? WIDE_MAX : INT_MAX);

/** Returns true if reading the related field requires access to the record that stores it. */
export const isRuleBound = (field: Field): boolean => field.custom !== undefined || field.inherited === true;

export const isReturnedByDefault = ({ onDemand }: Field): boolean => !onDemand;

export const isListField = (field: Field): boolean => field.type === 'one2many' || field.type === 'many2many';

const NUMBER_TYPES = new Set(['integer', 'float', 'monetary', 'many2one_reference']);
const TEXT_TYPES = new Set(['char', 'text', 'html', 'selection', 'reference']);

export const isNumberField = (field: Field): boolean => NUMBER_TYPES.has(field.type);
export const isTextField = (field: Field): boolean => TEXT_TYPES.has(field.type);
export const isDateField = (field: Field): boolean => field.type === 'date' || field.type === 'datetime';
export const isFractionField = (field: Field): boolean => field.type === 'float' || field.type === 'monetary';
