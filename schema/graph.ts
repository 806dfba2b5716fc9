import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { builder } from '../src/builder.ts';
import type { Ctx } from '../src/engine/ctx.ts';
import type { Field, Model, Registry } from '../src/engine/model.ts';
import { camel, searchRead } from '../src/engine/records.ts';
import { errors } from '../src/errors.ts';
import { limits } from '../src/limits.ts';
import { readOf, relationName, type Selection, selected } from './selection.ts';

/** A row in the graph's form: camelCase keys, unset is null, a relation is its id or ids. */
type Row = Record<string, unknown> & { id: number };

/** GraphQL's scalar for a field; anything else is shown as text. */
const SCALARS: Partial<Record<Field['type'], 'Int' | 'Float' | 'Boolean' | 'JSON' | 'DateTime'>> = {
  integer: 'Int',
  float: 'Float',
  monetary: 'Float',
  boolean: 'Boolean',
  json: 'JSON',
  datetime: 'DateTime',
};

/**
 * Adds the typed graph: for every model a type with its fields and relations, a root field for one record and one
 * for a list. Everything is read through the record engine, under the caller's rights.
 */
export function addGraph(registry: Registry): void {
  const types = new Map(
    [...registry.values()]
      .filter((m) => m.options.graph)
      .map((m) => [m.name, builder.objectRef<Row>(m.options.graph!.type)]),
  );
  type Ref = ReturnType<typeof builder.objectRef<Row>>;
  for (const model of registry.values()) {
    const type = types.get(model.name);
    if (!type) continue;
    type.implement({
      description: model.label,
      fields: (t) => fieldsOf(t as never, model, types as Map<string, Ref>, registry),
    });
    addRoots(model, type, registry);
  }
}

// The graph is made from metadata, so names and types are known only at boot: Pothos' builder is used untyped here.
interface AnyBuilder {
  field(options: object): unknown;
  exposeID(name: string, options?: object): unknown;
  expose(name: string, options: object): unknown;
}

function fieldsOf(t: AnyBuilder, model: Model, types: Map<string, unknown>, registry: Registry): never {
  const fields: Record<string, unknown> = {};
  for (const field of model.fields.values()) {
    if (field.secret || field.type === 'binary') continue;
    fields[camel(field.name)] = scalarField(t, field);
    const type = field.relation && types.get(field.relation);
    if (type) fields[relationName(field)] = relationField(t, field, type, registry);
  }
  return fields as never;
}

function scalarField(t: AnyBuilder, field: Field): unknown {
  const key = camel(field.name);
  const description = [field.label, field.help].filter(Boolean).join('. ');
  if (field.name === 'id') return t.expose(key, { type: 'Int', description });
  const list = field.type.endsWith('2many') ? ['Int'] : field.type === 'strings' ? ['String'] : null;
  const single = field.type === 'many2one' ? 'Int' : (SCALARS[field.type] ?? 'String');
  return t.expose(key, { type: list ?? single, nullable: true, description });
}

function relationField(t: AnyBuilder, field: Field, type: unknown, registry: Registry): unknown {
  const target = registry.get(field.relation!)!;
  const key = camel(field.name);
  const along = relationName(field);
  const many = field.type !== 'many2one';
  return t.field({
    type: many ? [type] : type,
    nullable: !many,
    description: field.label,
    // Not async: a row without the relation, or with it, is a plain value, which the executor completes at once.
    resolve: (row: Row, _args: unknown, ctx: Ctx, info: GraphQLResolveInfo) => {
      if (row[along] !== undefined) return row[along];
      const value = row[key];
      if (value === null || value === undefined) return many ? [] : null;
      const loader = loaderOf(ctx, target, selected(info, target, registry));
      return many ? presentOf(ctx, loader, value as number[]) : loader.load(value as number);
    },
  });
}

/** Those of `ids` in the caller's reach. */
async function presentOf(ctx: Ctx, loader: DataLoader<number, unknown>, ids: number[]): Promise<unknown[]> {
  const spent = (listed.get(ctx) ?? 0) + ids.length;
  listed.set(ctx, spent);
  if (spent > limits.graphRows)
    throw errors.badRequest(`The lists of one request hold at most ${limits.graphRows} records.`);
  return (await loader.loadMany(ids)).filter((found) => found !== null);
}

/** Records in nested lists by request: lists of lists grow with the data, which no look at the document can tell. */
const listed = new WeakMap<Ctx, number>();

/** One loader for each selection, so that all rows of a level come with one statement. */
function loaderOf(ctx: Ctx, model: Model, selection: Selection): DataLoader<number, unknown> {
  let loader = ctx.loaders.get(selection.key);
  if (!loader) {
    loader = new DataLoader((ids) => loadRows(ctx, model, selection, ids as number[]), {
      maxBatchSize: 5_000,
    });
    ctx.loaders.set(selection.key, loader);
  }
  return loader;
}

async function loadRows(
  ctx: Ctx,
  model: Model,
  selection: Selection,
  ids: number[],
): Promise<(Row | null)[]> {
  const all = ctx.with({ reading: { activeTest: false } });
  const domain = [['id', 'in', ids]];
  const rows = (
    await searchRead(all, model.name, domain, readOf(ctx, selection), { order: 'id' }, 'graph')
  ).value<Row[]>();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

function addRoots(model: Model, type: ReturnType<typeof builder.objectRef<Row>>, registry: Registry): void {
  const { one, many } = model.options.graph!;
  const policy = { auth: ['USER' as const], scope: 'read' as const };
  builder.queryField(one, (t) =>
    t.field({
      type,
      nullable: true,
      policy,
      description: `One ${model.label} by id; null when there is none in the caller's reach.`,
      args: { id: t.arg.int({ required: true }) },
      resolve: async (_parent, { id }, ctx, info) =>
        (await loadRows(ctx, model, selected(info, model, registry), [id]))[0] ?? null,
    }),
  );
  builder.queryField(many, (t) =>
    t.field({
      type: [type],
      policy,
      description: `Records of ${model.label} that match a domain, at most ${limits.graphPage}.`,
      args: {
        domain: t.arg({ type: 'JSON' }),
        order: t.arg.string(),
        limit: t.arg.int({ defaultValue: limits.graphPageDefault }),
        offset: t.arg.int({ defaultValue: 0 }),
      },
      resolve: async (_parent, { domain, order, limit, offset }, ctx, info) => {
        const page = { order: order ?? null, limit: pageSize(limit), offset: Math.max(0, offset ?? 0) };
        const wanted = readOf(ctx, selected(info, model, registry));
        return (await searchRead(ctx, model.name, domain ?? [], wanted, page, 'graph')).value<Row[]>();
      },
    }),
  );
}

function pageSize(limit: number | null | undefined): number {
  const wanted = limit ?? limits.graphPageDefault;
  if (wanted < 1 || wanted > limits.graphPage)
    throw errors.badRequest(`limit goes from 1 to ${limits.graphPage}.`);
  return wanted;
}
