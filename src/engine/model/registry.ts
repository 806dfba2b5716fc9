import {
  assertKnownDirectives,
  buildField,
  type Datamodel,
  parseDocComment,
  toPascalCase,
  toSnakeCase,
} from './datamodel.ts';
import {
  createField,
  type Field,
  isListField,
  isMaskedByName,
  isReturnedByDefault,
  VERSION_FIELD,
  VERSION_TRAITS,
} from './field.ts';
import { addMixins } from './mixins.ts';
import type { Model, ModelOptions, Registry } from './model.ts';
import { getModule } from './modules.ts';

const modelOptions = new Map<string, ModelOptions>();

/**
 * Declares a model's behavior. The model's shape is the Prisma model of the same name, such as `CrmLead` for
 * `crm.lead`.
 */
export function defineModel(name: string, options: ModelOptions): void {
  modelOptions.set(name, options);
}

/** Additions to another module's model. The hooks run after the model's own hooks. */
type ModelExtension = Pick<
  ModelOptions,
  'computed' | 'lists' | 'accepts' | 'prepare' | 'afterCreate' | 'afterWrite'
>;
const extensions = new Map<string, ModelExtension[]>();

/**
 * Extends another module's model. The hooks also run in workspaces without the extending module, so they must check
 * that the models they use exist.
 */
export function extendModel(name: string, extension: ModelExtension): void {
  extensions.set(name, [...(extensions.get(name) ?? []), extension]);
}

function extendOptions(options: ModelOptions, name: string): ModelOptions {
  let result = options;
  for (const extra of extensions.get(name) ?? []) result = mergeExtension(result, extra);
  return result;
}

const mergeExtension = (base: ModelOptions, extra: ModelExtension): ModelOptions => ({
  ...base,
  computed: { ...base.computed, ...extra.computed },
  lists: { ...base.lists, ...extra.lists },
  accepts: [...(base.accepts ?? []), ...(extra.accepts ?? [])],
  prepare: chainHooks(base.prepare, extra.prepare),
  afterCreate: chainHooks(base.afterCreate, extra.afterCreate),
  afterWrite: chainHooks(base.afterWrite, extra.afterWrite),
});

type ModelHook<A extends unknown[]> = ((...args: A) => Promise<void> | void) | undefined;

const chainHooks = <A extends unknown[]>(first: ModelHook<A>, second: ModelHook<A>): ModelHook<A> =>
  first && second
    ? async (...args) => {
        await first(...args);
        await second(...args);
      }
    : (first ?? second);

/**
 * Combines the Prisma datamodel with the declared models.
 * @throws Error if either contains a misspelled name
 */
export function buildRegistry(datamodel: Datamodel): Registry {
  assertKnownDirectives(datamodel);
  const registry: Registry = new Map();
  for (const [name, options] of modelOptions)
    registry.set(name, buildModel(name, extendOptions(options, name), datamodel));
  for (const model of registry.values()) addMixins(model);
  for (const model of registry.values()) addDerivedFields(model, registry);
  for (const model of registry.values()) addInheritedFields(model, registry);
  for (const model of registry.values()) assertDeclaration(model);
  return registry;
}

function buildModel(name: string, options: ModelOptions, datamodel: Datamodel): Model {
  const prisma = options.shape ?? toPascalCase(name);
  const shape = datamodel.models[prisma];
  if (!shape)
    throw new Error(
      `model ${name}: the database client has no model ${prisma}. If the Prisma schema has it: npm run generate`,
    );
  const fields = new Map<string, Field>();
  for (const raw of shape.fields) {
    const field = buildField(raw, prisma, datamodel);
    if (field) fields.set(field.name, field);
  }
  const { label, help, marks } = parseDocComment(shape.documentation ?? name);
  const display = options.display ?? (fields.has('name') || options.related?.name ? 'name' : null);
  return {
    name,
    prisma,
    table: toSnakeCase(prisma),
    label: label || name,
    pluralLabel: marks.plural ?? pluralize(label || name),
    help,
    fields,
    module: getModule(name),
    display,
    searchNames: options.searchNames ?? (display ? [display] : []),
    order: options.order ?? 'id',
    active: fields.get('active') ?? null,
    customId: null,
    extensible: shape.fields.some((field) => field.name === 'custom'),
    options,
  };
}

function addDerivedFields(model: Model, registry: Registry): void {
  addDisplayName(model);
  for (const [name, { sql, ...rest }] of Object.entries(model.options.computed ?? {}))
    model.fields.set(
      name,
      createField(name, rest.type, rest.label, {
        ...rest,
        computed: sql,
        ...(name === VERSION_FIELD && VERSION_TRAITS),
      }),
    );
  for (const [name, description] of Object.entries(model.options.shows ?? {}))
    model.fields.set(name, { ...model.fields.get(name)!, displayColumn: description });
  for (const [name, { label, ...list }] of Object.entries(model.options.lists ?? {}))
    model.fields.set(name, createField(name, 'one2many', label, { readonly: false, ...list }));
  for (const [name, { path, label }] of Object.entries(model.options.related ?? {})) {
    const [link, target] = path.split('.') as [string, string];
    const targetField = resolveFarField(model, link, target, registry);
    const isMasked = targetField.masked || isMaskedByName(name, targetField.type);
    const derivedField = { name, label, masked: isMasked, related: [link, target] as [string, string] };
    model.fields.set(name, { ...targetField, ...derivedField, required: false, copied: false });
  }
}

/** Adds the fields of the parent record (`_inherits`), except read-only lists. */
function addInheritedFields({ fields, options: { inherits } }: Model, registry: Registry): void {
  if (inherits === undefined) return;
  const parentModel = registry.get(fields.get(inherits)!.relation!)!;
  for (const { computed: _computed, ...field } of parentModel.fields.values())
    if (
      !fields.has(field.name) &&
      !field.secret &&
      isReturnedByDefault(field) &&
      !(field.readonly && isListField(field))
    )
      fields.set(
        field.name,
        createField(field.name, field.type, field.label, {
          ...field,
          related: [inherits, field.name],
          inherited: true,
          required: false,
          copied: false,
        }),
      );
}

function resolveFarField(model: Model, link: string, target: string, registry: Registry): Field {
  const relation = model.fields.get(link)?.relation;
  const targetField = relation && registry.get(relation)?.fields.get(target);
  if (!targetField) throw new Error(`${model.name}: the path ${link}.${target} does not exist`);
  return targetField;
}

/**
 * Checks that the field names in a declaration exist.
 * @throws Error naming the model, the option and the field
 */
function assertDeclaration({ name, display, searchNames, order, fields, options }: Model): void {
  const fieldNames: Record<string, string[]> = {
    display: display === null ? [] : [display],
    searchNames,
    nameCode: options.nameCode ? [options.nameCode] : [],
    tree: options.tree ? [options.tree.parent] : [],
    shows: Object.keys(options.shows ?? {}),
    order: order.split(',').map((term) => term.trim().split(/\s+/)[0]!),
  };
  for (const [option, names] of Object.entries(fieldNames))
    for (const item of names)
      if (!fields.has(item))
        throw new Error(`model ${name}: its ${option} names '${item}', which is not one of its fields`);
}

export function addDisplayName(model: Model): void {
  model.fields.set('display_name', createField('display_name', 'char', 'Display Name'));
}

/** Names such as `CrmLead`, `crmLead` and `crmLeads`. */
interface GraphNames {
  type: string;
  one: string;
  many: string;
}

const derivedNames = new WeakMap<Model, GraphNames>();

export function getModelGraphNames(model: Model): GraphNames {
  return model.options.graph ?? derivedNames.get(model) ?? numberGraphNames(model, 1);
}

/** Appends a number to GraphQL names that another model already uses: `XPlan2`, `xPlan2`, `xPlan2s`. */
export function numberGraphNames(model: Model, number: number): GraphNames {
  const type = `${toPascalCase(model.name)}${number > 1 ? number : ''}`;
  const one = type[0]!.toLowerCase() + type.slice(1);
  const names = { type, one, many: pluralize(one, 'List') };
  derivedNames.set(model, names);
  return names;
}

function pluralize(word: string, endingAfterS = 'es'): string {
  if (/(s|x|ch|sh)$/.test(word)) return `${word}${word.endsWith('s') ? endingAfterS : 'es'}`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}
