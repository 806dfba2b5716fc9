import type { Field } from '../../src/engine/model/field.ts';
import type { Model, Registry } from '../../src/engine/model/model.ts';
import { camel } from '../../src/engine/model/naming.ts';
import { graphNames } from '../../src/engine/model/registry.ts';
import { builder } from '../../src/engine/verb/builder.ts';
import type { Policy } from '../../src/engine/verb/policy.ts';
import { limits } from '../../src/limits.ts';
import { aboutField, aboutMany, aboutOne, aboutRelation, aboutType } from './descriptions.ts';
import { type GraphRow, readMany, readOne, relationReader } from './read.ts';
import { relationName } from './selection.ts';

/** GraphQL scalar by field type; any other type is a String. */
const SCALARS: Partial<Record<Field['type'], 'Int' | 'Float' | 'Boolean' | 'JSON' | 'DateTime'>> = {
  integer: 'Int',
  many2one: 'Int',
  many2one_reference: 'Int',
  float: 'Float',
  monetary: 'Float',
  boolean: 'Boolean',
  json: 'JSON',
  properties: 'JSON',
  properties_definition: 'JSON',
  datetime: 'DateTime',
};

/** The scalar of a field's value, and whether it is a list. */
export function scalarOf(field: Field): { type: string; list: boolean } {
  if (field.type.endsWith('2many')) return { type: 'Int', list: true };
  if (field.type === 'strings') return { type: 'String', list: true };
  return { type: SCALARS[field.type] ?? 'String', list: false };
}

/** Fields that the graph shows. */
export const isShown = (field: Field): boolean => !field.secret && field.type !== 'binary';

/** Who may call the roots of the graph. The record engine decides which records they get. */
export const graphPolicy: Policy = { auth: ['USER'], scope: 'read' };

/**
 * Adds the typed graph: for every model a type with its fields and relations, a root field for one record and one
 * for a list. Custom models and fields of a workspace are added on top (custom.ts).
 */
export function addGraph(registry: Registry): void {
  const types = new Map(
    [...registry.values()].map((m) => [m.name, builder.objectRef<GraphRow>(graphNames(m).type)]),
  );
  for (const model of registry.values()) {
    const type = types.get(model.name)!;
    type.implement({
      description: aboutType(model),
      fields: (t) => fieldsOf(t as never, model, types),
    });
    addRoots(model, type);
  }
}

// The graph is generated from metadata at boot, so Pothos' builder is used untyped here.
interface AnyBuilder {
  field(options: object): unknown;
  expose(name: string, options: object): unknown;
}

function fieldsOf(t: AnyBuilder, model: Model, types: Map<string, unknown>): never {
  const fields: Record<string, unknown> = {};
  for (const field of model.fields.values()) {
    if (!isShown(field)) continue;
    fields[camel(field.name)] = scalarField(t, field);
    const type = field.relation && types.get(field.relation);
    if (type) fields[relationName(field)] = relationField(t, field, type);
  }
  return fields as never;
}

function scalarField(t: AnyBuilder, field: Field): unknown {
  const key = camel(field.name);
  const { type, list } = scalarOf(field);
  const isId = field.name === 'id';
  return t.expose(key, { type: list ? [type] : type, nullable: !isId, description: aboutField(field) });
}

function relationField(t: AnyBuilder, field: Field, type: unknown): unknown {
  const many = field.type !== 'many2one';
  return t.field({
    type: many ? [type] : type,
    nullable: !many,
    description: aboutRelation(field),
    resolve: relationReader(field),
  });
}

function addRoots(model: Model, type: ReturnType<typeof builder.objectRef<GraphRow>>): void {
  const { one, many } = graphNames(model);
  builder.queryField(one, (t) =>
    t.field({
      type,
      nullable: true,
      policy: graphPolicy,
      description: aboutOne(model),
      args: { id: t.arg.int({ required: true }) },
      resolve: (_parent, { id }, ctx, info) => readOne(ctx, model.name, id, info),
    }),
  );
  builder.queryField(many, (t) =>
    t.field({
      type: [type],
      policy: graphPolicy,
      description: aboutMany(model),
      args: {
        domain: t.arg({ type: 'JSON' }),
        order: t.arg.string(),
        limit: t.arg.int({ defaultValue: limits.graphql.pageDefault }),
        offset: t.arg.int({ defaultValue: 0 }),
      },
      resolve: (_parent, args, ctx, info) => readMany(ctx, model.name, args, info),
    }),
  );
}
