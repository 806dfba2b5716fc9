import type { Ctx, Principal } from './ctx.ts';
import { buildField, checkMarks, parseDoc, pascal, type RawField, snake } from './datamodel.ts';
import { checkDeclaration } from './declaration.ts';
import type { Node } from './domain-node.ts';
import { type Default, type Field, type FieldType, newField, type SqlWords } from './field.ts';
import { addMixins } from './mixins.ts';

export type Operation = 'read' | 'write' | 'create' | 'unlink';

/** What a user, by name of group, may do with a model: letters of `crwu` (create, read, write, unlink). */
export type Access = Record<string, string>;

/** A record rule of a new workspace. */
export interface Rule {
  name: string;
  /** The group it is for; without one it binds everybody. */
  group?: string;
  operations?: Operation[];
  /** A domain in the text form of ir.rule (see rule-text.ts). */
  domain: string;
}

export type Values = Record<string, unknown>;

interface Computed {
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
  /** Searched by, sorted by and grouped by like any column. */
  sql: (row: string, sql: SqlWords) => string;
}

/** Behaviour of a model, kept beside its verbs. The shape comes from the Prisma schema. */
export interface ModelOptions {
  /** The Prisma model, when it is not the one of the model's own name. */
  shape?: string;
  /** Field shown where a record is named. Default `name`. */
  display?: string;
  /** Fields that name_search and a text compared with a relation look at. Default the display field. */
  searchNames?: string[];
  order?: string;
  /** Rights that a new workspace begins with; from then on its administrators edit them as ir.model.access. */
  access: Access;
  /** Rules that a new workspace begins with, as ir.rule. */
  rules?: Rule[];
  /**
   * The two fields name the record that this one hangs on, and it is in reach when that is: to read, else to write.
   * `besides` is a domain of those that are in reach all the same.
   */
  follows?: { model: string; id: string; besides(principal: Principal, operation: Operation): unknown[] };
  /** The two fields name a record with which this one goes; so do those of `follows`. */
  goesWith?: { model: string; id: string };
  /** A search that does not say otherwise is narrowed by this. */
  narrow?(domain: unknown): unknown;
  related?: Record<string, { path: `${string}.${string}`; label: string }>;
  computed?: Record<string, Computed>;
  /** one2manys over a many2one without a foreign key. */
  lists?: Record<string, { label: string; relation: string; inverse: string }>;
  /** Records lie below others of the model, by the many2one `parent`; `loop` is said of one that would lie below itself. */
  tree?: { parent: string; loop: string };
  defaults?: Record<string, Default>;
  /** Names of abilities (see mixins.ts). */
  mixins?: string[];
  /** Methods that set a readonly field, by its name: a refused write tells them. */
  setBy?: Record<string, string[]>;
  /** Type name in GraphQL, and the root field of its list. Derived from the model's name when absent. */
  graph?: { type: string; one: string; many: string };
  /** A change to such a record is a security event. */
  audited?: boolean;
  /** A table whose rows every workspace has beside its own; its columns are named alike. */
  stock?: string;
  /**
   * Completes values before they are checked; reads at most. For new records `ids` is null and the list has them all;
   * for a write it has the one set of values.
   */
  prepare?(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> | void;
  /** These run in the transaction of the call. */
  beforeCreate?(ctx: Ctx, list: Values[]): Promise<void> | void;
  afterCreate?(ctx: Ctx, ids: number[], list: Values[]): Promise<void> | void;
  /** Completes copies, in the order of the records they are of; what `given` names is no copy. */
  afterCopy?(ctx: Ctx, ids: number[], copies: number[], given: Values): Promise<void>;
  beforeWrite?(ctx: Ctx, values: Values, ids: number[]): Promise<void> | void;
  afterWrite?(ctx: Ctx, ids: number[], values: Values): Promise<void> | void;
  beforeUnlink?(ctx: Ctx, ids: number[]): Promise<void> | void;
}

export interface Model {
  name: string;
  prisma: string;
  table: string;
  label: string;
  /** What else there is to say of it; '' for nothing. */
  help: string;
  fields: Map<string, Field>;
  /** null: a record is named by its model and id. */
  display: string | null;
  searchNames: string[];
  order: string;
  /** The field that tells archived records, when there is one. */
  active: Field | null;
  /** Rows of a model that a workspace has added lie in one table for all such models, under this id. */
  customId: number | null;
  /** The table takes custom fields. */
  extensible: boolean;
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
  models: Record<string, { fields: RawField[]; documentation?: string }>;
}

export type Registry = Map<string, Model>;

/** Joins the shapes of the datamodel with what defineModel said of them. @throws Error for what is misspelt in either */
export function buildRegistry(datamodel: Datamodel): Registry {
  checkMarks(datamodel);
  const registry: Registry = new Map();
  for (const [name, options] of defined) registry.set(name, buildModel(name, options, datamodel));
  for (const model of registry.values()) addMixins(model);
  for (const model of registry.values()) addDerived(model, registry);
  for (const model of registry.values()) checkDeclaration(model);
  return registry;
}

function buildModel(name: string, options: ModelOptions, datamodel: Datamodel): Model {
  const prisma = options.shape ?? pascal(name);
  const shape = datamodel.models[prisma];
  if (!shape) throw new Error(`model ${name}: there is no model ${prisma} in the Prisma schema`);
  const fields = new Map<string, Field>();
  for (const raw of shape.fields) {
    const field = buildField(raw, prisma, datamodel);
    if (field) fields.set(field.name, field);
  }
  const { label, help } = parseDoc(shape.documentation ?? name);
  const display = options.display ?? (fields.has('name') || options.related?.name ? 'name' : null);
  return {
    name,
    prisma,
    table: snake(prisma),
    label: label || name,
    help,
    fields,
    display,
    searchNames: options.searchNames ?? (display ? [display] : []),
    order: options.order ?? 'id',
    active: fields.get('active') ?? null,
    customId: null,
    extensible: shape.fields.some((field) => field.name === 'custom'),
    options,
    ruleCache: new WeakMap(),
  };
}

/** Fields that are not stored on the model itself. */
function addDerived(model: Model, registry: Registry): void {
  addDisplayName(model);
  for (const [name, { sql, ...rest }] of Object.entries(model.options.computed ?? {}))
    model.fields.set(name, newField(name, rest.type, rest.label, { ...rest, computed: sql }));
  for (const [name, { label, ...list }] of Object.entries(model.options.lists ?? {}))
    model.fields.set(name, newField(name, 'one2many', label, { readonly: false, ...list }));
  for (const [name, { path, label }] of Object.entries(model.options.related ?? {})) {
    const [link, target] = path.split('.') as [string, string];
    const far = farField(model, link, target, registry);
    model.fields.set(name, { ...far, name, label, related: [link, target], required: false, copied: false });
  }
}

function farField(model: Model, link: string, target: string, registry: Registry): Field {
  const relation = model.fields.get(link)?.relation;
  const far = relation && registry.get(relation)?.fields.get(target);
  if (!far) throw new Error(`${model.name}: the path ${link}.${target} leads nowhere`);
  return far;
}

/** Every model has one. */
export function addDisplayName(model: Model): void {
  model.fields.set('display_name', newField('display_name', 'char', 'Display Name'));
}

/** Name of a model's type in GraphQL, of its one record and of its list: `CrmLead`, `crmLead`, `crmLeads`. */
export function graphNames(model: Model): { type: string; one: string; many: string } {
  if (model.options.graph) return model.options.graph;
  const type = pascal(model.name);
  const one = type[0]!.toLowerCase() + type.slice(1);
  return { type, one, many: plural(one) };
}

function plural(word: string): string {
  if (/(s|x|ch|sh)$/.test(word)) return `${word}${word.endsWith('s') ? 'List' : 'es'}`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
