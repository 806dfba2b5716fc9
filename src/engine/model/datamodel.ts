import type { PrismaField, PrismaModel } from '../../db/tripwire.ts';
import {
  type Field,
  type FieldType,
  isMaskedByName,
  type OnDeleteAction,
  VERSION_FIELD,
  VERSION_TRAITS,
} from './field.ts';
import { getRole } from './roles.ts';

export interface Datamodel {
  models: Record<string, PrismaModel>;
}

type Directives = Record<string, string>;

const LOG_LABELS: Record<string, string> = {
  id: 'ID',
  create_date: 'Created on',
  create_uid: 'Created by',
  write_date: 'Last Updated on',
  write_uid: 'Last Updated by',
  [VERSION_FIELD]: 'Row Version',
};

const HIDDEN_COLUMNS = new Set(['workspace_id', 'custom']);

/**
 * Converts a Prisma field to a record API field. Null for hidden columns, and for relation fields that have no
 * equivalent.
 */
export function buildField(raw: PrismaField, prisma: string, datamodel: Datamodel): Field | null {
  if (HIDDEN_COLUMNS.has(raw.name) || raw.type === 'Workspace') return null;
  const doc = parseDocComment(raw.documentation ?? '');
  if ('internal' in doc.marks) return null;
  const base: Field = {
    name: raw.name,
    type: 'char',
    label: doc.label || LOG_LABELS[raw.name] || toTitle(raw.name),
    help: doc.help,
    required: (raw.isRequired && !raw.isList) || 'required' in doc.marks,
    readonly: 'readonly' in doc.marks || raw.name in LOG_LABELS,
    hasDefault: raw.hasDefaultValue,
    secret: 'secret' in doc.marks,
    masked: 'masked' in doc.marks,
    groups: doc.marks.groups?.split(/[\s,]+/) ?? [],
    copied: !('nocopy' in doc.marks) && !(raw.name in LOG_LABELS),
    ...(raw.type === 'BigInt' && { wide: true }),
    ...parseTraits(doc.marks),
    ...(raw.name === VERSION_FIELD && VERSION_TRAITS),
  };
  if (raw.kind === 'object') return raw.isList ? buildListField(base, raw, doc.marks, datamodel) : null;
  const link = findLink(raw.name, prisma, doc.marks, datamodel);
  if (link) return { ...base, type: 'many2one', ...link };
  const field = { ...base, ...getScalarType(raw, doc.marks) };
  return { ...field, masked: field.masked || isMaskedByName(field.name, field.type) };
}

function parseTraits(marks: Directives): Partial<Field> {
  return {
    ...(marks.currency && { currency: marks.currency }),
    ...(marks.digits && { digits: marks.digits.split(',').map(Number) as [number, number] }),
    ...(marks.size && { size: Number(marks.size) }),
    ...('translate' in marks && { translated: true }),
    ...('companies' in marks && { ofCompanies: true }),
    ...('active' in marks && { activeOnly: true }),
    ...(marks.aggregator && { aggregator: marks.aggregator }),
  };
}

function buildListField(
  base: Field,
  raw: PrismaField,
  marks: Directives,
  datamodel: Datamodel,
): Field | null {
  // Prisma requires both sides of a relation. A field that exists only for that reason has a capital letter in its
  // name.
  if (/[A-Z]/.test(raw.name)) return null;
  const targetModel = datamodel.models[raw.type]!;
  const field = targetModel.fields.find(
    (f) => f.relationName === raw.relationName && f.relationFromFields?.length,
  );
  const column = field!.relationFromFields!.at(-1)!;
  const other = marks.many2many;
  if (other === undefined) {
    const isCopied = 'copy' in marks;
    return {
      ...base,
      type: 'one2many',
      required: false,
      copied: isCopied,
      relation: toDottedName(raw.type),
      inverse: column,
    };
  }
  const target = targetModel.fields.find((f) => f.relationFromFields?.at(-1) === other)!.type;
  const join = { table: toSnakeCase(raw.type), self: column, other, fixed: {} };
  return { ...base, type: 'many2many', required: false, relation: toDottedName(target), join };
}

const ON_DELETE: Record<string, OnDeleteAction> = {
  setnull: 'set null',
  cascade: 'cascade',
  restrict: 'restrict',
};

/**
 * Finds the model that a scalar column refers to: by the foreign key that ends with the column, by a directive, or by
 * the column's name. `@ondelete` states the deletion behavior, because Pothos's datamodel omits `onDelete`
 * (test/models.test.ts compares both).
 */
function findLink(
  column: string,
  prisma: string,
  marks: Directives,
  datamodel: Datamodel,
): Partial<Field> | null {
  const key = datamodel.models[prisma]!.fields.find(
    (f) => f.kind === 'object' && f.relationFromFields?.at(-1) === column && f.type !== 'Workspace',
  );
  const onDelete = ON_DELETE[marks.ondelete ?? ''];
  if (key) return { relation: toDottedName(key.type), onDelete: onDelete ?? 'restrict' };
  const isLog = column === 'create_uid' || column === 'write_uid';
  const relation = marks.many2one ?? (isLog ? getRole('user') : undefined);
  return relation ? { relation, loose: true, onDelete: onDelete ?? 'set null' } : null;
}

const SCALAR_TYPES: Record<string, FieldType> = {
  Int: 'integer',
  BigInt: 'integer',
  Float: 'float',
  Decimal: 'monetary',
  Boolean: 'boolean',
  DateTime: 'datetime',
  Json: 'json',
  Bytes: 'binary',
};

function getScalarType(raw: PrismaField, marks: Directives): Partial<Field> & { type: FieldType } {
  if (raw.isList) return { type: 'strings', ...(raw.type === 'Int' && { ofIds: true }) };
  if (marks.selection) return { type: 'selection', selection: parseSelection(marks.selection) };
  if (marks.choices) return { type: 'selection', choices: marks.choices as Field['choices'] };
  if (marks.many2one_reference) return { type: 'many2one_reference', modelField: marks.many2one_reference };
  if (marks.properties)
    return { type: 'properties', definition: marks.properties.split('.') as [string, string] };
  if ('properties_definition' in marks) return { type: 'properties_definition' };
  for (const finer of ['text', 'html', 'monetary', 'float', 'date', 'reference'] as const)
    if (finer in marks) return { type: finer };
  return { type: SCALAR_TYPES[raw.type] ?? 'char' };
}

function parseSelection(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const [value, label] = pair.split('=');
    return [value!.trim(), (label ?? value!).trim()];
  });
}

const CONTENT_DIRECTIVES = 'text html monetary float date reference selection choices size digits currency';
const LINK_DIRECTIVES = 'many2one many2one_reference many2many ondelete';
const OTHER_DIRECTIVES =
  'required readonly secret masked internal groups copy nocopy active translate companies aggregator properties ' +
  'properties_definition plural';
/** Directives in `///` comments, documented in `prisma/schema/schema.prisma`. */
const KNOWN_DIRECTIVES = new Set(`${CONTENT_DIRECTIVES} ${LINK_DIRECTIVES} ${OTHER_DIRECTIVES}`.split(' '));

/**
 * Rejects unknown directives, because a misspelled one would have no effect.
 * @throws Error naming the location
 */
export function assertKnownDirectives({ models }: Datamodel): void {
  for (const [model, { fields, documentation }] of Object.entries(models))
    for (const field of [{ name: 'the model itself', documentation }, ...fields])
      for (const mark of Object.keys(parseDocComment(field.documentation ?? '').marks))
        if (!KNOWN_DIRECTIVES.has(mark))
          throw new Error(
            `Prisma model ${model}, ${field.name}: unknown directive @${mark}; expected one of ` +
              [...KNOWN_DIRECTIVES].join(', '),
          );
}

/** Splits a `///` comment into label, help and `@` directives. */
export function parseDocComment(text: string): { label: string; help: string; marks: Directives } {
  const marks: Directives = {};
  const prose: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^@(\w+)\s*(.*)$/.exec(line.trim());
    if (mark) marks[mark[1]!] = mark[2]!;
    else prose.push(line.trim());
  }
  return { label: prose[0] ?? '', help: prose.slice(1).join(' ').trim(), marks };
}

/** Copies Prisma's datamodel for publication, without the internal directives in its comments. */
export function stripDirectives<T>(datamodel: T): T {
  const reviveValue = (key: string, value: unknown) =>
    key === 'documentation' && typeof value === 'string' ? getProse(value) : value;
  return JSON.parse(JSON.stringify(datamodel), reviveValue) as T;
}

function getProse(text: string): string {
  const { label, help } = parseDocComment(text);
  return [label, help].filter(Boolean).join('\n');
}

/** Converts `ShipCargo` to `ship.cargo`. */
const toDottedName = (prisma: string): string => toSnakeCase(prisma).replace(/_/g, '.');
/** Converts `ship.cargo` to `ShipCargo`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(^|[._])(\w)/g, (_, __, c: string) => c.toUpperCase());
/** Converts `ShipCargo` to `ship_cargo`. */
export const toSnakeCase = (prisma: string): string => prisma.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
const toTitle = (name: string): string =>
  name
    .replace(/_ids?$/, '')
    .replace(/(^|_)(\w)/g, (_, s: string, c: string) => `${s ? ' ' : ''}${c.toUpperCase()}`);
