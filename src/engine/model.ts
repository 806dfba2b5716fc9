import type { Ctx, Principal } from './ctx.ts';
import type { Domain, Node } from './domain.ts';

/** Types of fields as the record API names them. */
type FieldType =
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
  | 'json'
  | 'strings'
  | 'many2one'
  | 'one2many'
  | 'many2many';

export interface Field {
  name: string;
  type: FieldType;
  label: string;
  help: string;
  required: boolean;
  readonly: boolean;
  hasDefault: boolean;
  /** Never readable through any door; writable only by the model's own verbs. */
  secret: boolean;
  /** Kept out of the record API altogether. */
  internal: boolean;
  /** Groups that may see the field; empty means everybody who may see the record. */
  groups: string[];
  selection?: [string, string][];
  /** Model name on the other side of a relation. */
  relation?: string;
  /** one2many: the many2one on the other side. */
  inverse?: string;
  /** many2many: join table, its column for this side and for the other side. */
  join?: { table: string; self: string; other: string };
  /** A field that lives on another record, such as `partner_id.name`. */
  related?: [string, string];
}

export type Operation = 'read' | 'write' | 'create' | 'unlink';

/** What a user, by name of group, may do with a model: letters of `crwu` (create, read, write, unlink). */
export type Access = Record<string, string>;

interface Rule {
  name: string;
  /** The group it is for; without one it binds everybody. */
  group?: string;
  operations?: Operation[];
  domain(principal: Principal): Domain;
}

export type Values = Record<string, unknown>;

/** Behaviour of a model, kept beside its verbs. The shape comes from the Prisma schema. */
interface ModelOptions {
  /** Field shown where a record is named. Default `name`. */
  display?: string;
  /** Fields that name_search and a text compared with a relation look at. Default the display field. */
  searchNames?: string[];
  order?: string;
  access: Access;
  rules?: Rule[];
  related?: Record<string, { path: `${string}.${string}`; label: string }>;
  /** Type name in GraphQL, and the root field of its list. */
  graph?: { type: string; one: string; many: string };
  /** A change to such a record is a security event. */
  audited?: boolean;
  /** Runs before rows are created or written, in their transaction. May change `values`. */
  beforeSave?(ctx: Ctx, values: Values, ids: number[] | null): Promise<void> | void;
  /** Runs after rows were created or written, in their transaction. */
  afterSave?(ctx: Ctx, ids: number[], values: Values): Promise<void> | void;
  beforeUnlink?(ctx: Ctx, ids: number[]): Promise<void> | void;
}

export interface Model {
  name: string;
  prisma: string;
  table: string;
  label: string;
  fields: Map<string, Field>;
  display: string;
  searchNames: string[];
  order: string;
  hasActive: boolean;
  options: ModelOptions;
  /** Rule trees by principal, filled by access.ts. */
  ruleCache: WeakMap<Principal, Partial<Record<Operation, Node | null>>>;
}

const defined = new Map<string, ModelOptions>();

/** Declares the behaviour of the model `name`; its shape is the Prisma model of the same name without dots. */
export function defineModel(name: string, options: ModelOptions): void {
  defined.set(name, options);
}

/** The part of Prisma's datamodel that the registry reads. */
export interface Datamodel {
  models: Record<string, { fields: DatamodelField[]; documentation?: string }>;
}

interface DatamodelField {
  name: string;
  type: string;
  kind: string;
  isRequired: boolean;
  isList: boolean;
  hasDefaultValue: boolean;
  relationName?: string;
  relationFromFields?: string[];
  documentation?: string;
}

export type Registry = Map<string, Model>;

/** Joins the shapes of the datamodel with what defineModel said of them. */
export function buildRegistry(datamodel: Datamodel): Registry {
  const registry: Registry = new Map();
  for (const [name, options] of defined) registry.set(name, buildModel(name, options, datamodel));
  for (const model of registry.values()) addRelated(model, registry);
  return registry;
}

function buildModel(name: string, options: ModelOptions, datamodel: Datamodel): Model {
  const prisma = pascal(name);
  const shape = datamodel.models[prisma];
  if (!shape) throw new Error(`model ${name}: there is no model ${prisma} in the Prisma schema`);
  const fields = new Map<string, Field>();
  for (const raw of shape.fields) {
    const field = buildField(raw, prisma, datamodel);
    if (field && !field.internal) fields.set(field.name, field);
  }
  const display = options.display ?? 'name';
  return {
    name,
    prisma,
    table: snake(prisma),
    label: (shape.documentation ?? name).split('\n')[0]!,
    fields,
    display,
    searchNames: options.searchNames ?? [display],
    order: options.order ?? 'id',
    hasActive: fields.has('active'),
    options,
    ruleCache: new WeakMap(),
  };
}

function buildField(raw: DatamodelField, prisma: string, datamodel: Datamodel): Field | null {
  if (raw.name === 'workspace_id' || raw.type === 'Workspace') return null;
  const doc = parseDoc(raw.documentation ?? '');
  const base: Field = {
    name: raw.name,
    type: 'char',
    label: doc.label || title(raw.name),
    help: doc.help,
    required: raw.isRequired && !raw.isList,
    readonly: 'readonly' in doc.marks || raw.name === 'id',
    hasDefault: raw.hasDefaultValue,
    secret: 'secret' in doc.marks,
    internal: 'internal' in doc.marks,
    groups: doc.marks.groups?.split(/[\s,]+/) ?? [],
  };
  if (raw.kind === 'object') return raw.isList ? listField(base, raw, doc.marks, datamodel) : null;
  const target = manyToOne(raw.name, prisma, datamodel);
  if (target) return { ...base, type: 'many2one', relation: dotted(target) };
  return { ...base, ...scalarType(raw, doc.marks) };
}

function listField(
  base: Field,
  raw: DatamodelField,
  marks: Record<string, string>,
  datamodel: Datamodel,
): Field {
  const there = datamodel.models[raw.type]!;
  const back = there.fields.find((f) => f.relationName === raw.relationName && f.relationFromFields?.length);
  const column = back!.relationFromFields!.at(-1)!;
  const other = marks.many2many;
  if (other === undefined) {
    return { ...base, type: 'one2many', required: false, relation: dotted(raw.type), inverse: column };
  }
  const target = there.fields.find((f) => f.relationFromFields?.at(-1) === other)!.type;
  return {
    ...base,
    type: 'many2many',
    required: false,
    relation: dotted(target),
    join: { table: snake(raw.type), self: column, other },
  };
}

/** The Prisma model that the scalar `column` points at, when it is the last column of a foreign key. */
function manyToOne(column: string, prisma: string, datamodel: Datamodel): string | undefined {
  return datamodel.models[prisma]!.fields.find(
    (f) => f.kind === 'object' && f.relationFromFields?.at(-1) === column && f.type !== 'Workspace',
  )?.type;
}

const SCALARS: Record<string, FieldType> = {
  Int: 'integer',
  BigInt: 'integer',
  Float: 'float',
  Decimal: 'monetary',
  Boolean: 'boolean',
  DateTime: 'datetime',
  Json: 'json',
  Bytes: 'binary',
};

function scalarType(
  raw: DatamodelField,
  marks: Record<string, string>,
): Partial<Field> & { type: FieldType } {
  if (raw.isList) return { type: 'strings' };
  if (marks.selection) return { type: 'selection', selection: parseSelection(marks.selection) };
  for (const finer of ['text', 'html', 'monetary', 'date'] as const)
    if (finer in marks) return { type: finer };
  return { type: SCALARS[raw.type] ?? 'char' };
}

function parseSelection(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const [value, label] = pair.split('=');
    return [value!.trim(), (label ?? value!).trim()];
  });
}

/** Splits a `///` comment into label, help and `@marks`. */
function parseDoc(text: string): { label: string; help: string; marks: Record<string, string> } {
  const marks: Record<string, string> = {};
  const prose: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^@(\w+)\s*(.*)$/.exec(line.trim());
    if (mark) marks[mark[1]!] = mark[2]!;
    else prose.push(line.trim());
  }
  return { label: prose[0] ?? '', help: prose.slice(1).join(' '), marks };
}

function addRelated(model: Model, registry: Registry): void {
  model.fields.set('display_name', {
    ...model.fields.get('id')!,
    name: 'display_name',
    type: 'char',
    label: 'Display Name',
    required: false,
  });
  for (const [name, { path, label }] of Object.entries(model.options.related ?? {})) {
    const [link, target] = path.split('.') as [string, string];
    const far = registry.get(model.fields.get(link)!.relation!)!.fields.get(target)!;
    model.fields.set(name, { ...far, name, label, related: [link, target], required: false });
  }
}

/** The model called `name`, as the caller wrote it. */
export const dotted = (prisma: string): string => snake(prisma).replace(/_/g, '.');
const pascal = (name: string): string => name.replace(/(^|[._])(\w)/g, (_, __, c: string) => c.toUpperCase());
const snake = (prisma: string): string => prisma.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
const title = (name: string): string =>
  name
    .replace(/_ids?$/, '')
    .replace(/(^|_)(\w)/g, (_, s: string, c: string) => `${s ? ' ' : ''}${c.toUpperCase()}`);
