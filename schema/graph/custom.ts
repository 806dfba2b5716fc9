import {
  extendSchema,
  type GraphQLFieldMap,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  parse,
} from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Field } from '../../src/engine/model/field.ts';
import type { Model, Registry } from '../../src/engine/model/model.ts';
import { camel } from '../../src/engine/model/naming.ts';
import { graphNames } from '../../src/engine/model/registry.ts';
import { directivesOf, guarded } from '../../src/engine/verb/policy.ts';
import { limits } from '../../src/limits.ts';
import { aboutField, aboutMany, aboutOne, aboutRelation, aboutType } from './descriptions.ts';
import { graphPolicy, isShown, scalarOf } from './graph.ts';
import { type GraphRow, readMany, readOne, relationReader } from './read.ts';
import { relationName } from './selection.ts';

const made = new WeakMap<Registry, GraphQLSchema>();

/** The schema of a workspace: the product's, with the types and fields of the models and fields it has added. */
export function schemaOf(base: GraphQLSchema, product: Registry, registry: Registry): GraphQLSchema {
  if (registry === product) return base;
  let schema = made.get(registry);
  if (!schema) {
    schema = extended(base, product, registry);
    made.set(registry, schema);
  }
  return schema;
}

/** A type, or more fields of one, with what resolves them. */
interface Addition {
  type: string;
  model: Model;
  isNew: boolean;
  fields: Field[];
}

function extended(base: GraphQLSchema, product: Registry, registry: Registry): GraphQLSchema {
  const additions = [...registry.values()].flatMap((model) => additionOf(base, product, model));
  const names = new Map([...registry.values()].map((model) => [model.name, graphNames(model).type]));
  const known = (name: string | undefined): string | undefined => {
    const type = names.get(name ?? '');
    return type && (base.getType(type) || additions.some((each) => each.type === type)) ? type : undefined;
  };
  const parts = additions.flatMap((addition) => definition(base, addition, known));
  if (parts.length === 0) return base;
  const schema = extendSchema(base, parse(parts.join('\n'), { noLocation: true }), { assumeValid: true });
  for (const addition of additions) resolve(schema, addition);
  return schema;
}

function additionOf(base: GraphQLSchema, product: Registry, model: Model): Addition[] {
  const { type } = graphNames(model);
  const shipped = product.get(model.name);
  const isNew = shipped === undefined;
  // Two names of models may give one name of a type; the first has it.
  if (isNew && base.getType(type)) return [];
  const fields = [...model.fields.values()].filter(
    (field) => isShown(field) && !shipped?.fields.has(field.name),
  );
  return fields.length ? [{ type, model, isNew, fields }] : [];
}

type Known = (model: string | undefined) => string | undefined;

function definition(base: GraphQLSchema, { type, model, isNew, fields }: Addition, known: Known): string[] {
  const taken = new Set(Object.keys(fieldsOf(base, type)));
  const lines = fields.flatMap((field) => fieldLines(field, known, taken));
  if (!isNew) return [`extend type ${type} { ${lines.join('\n')} }`];
  const { one, many } = graphNames(model);
  return [
    `${JSON.stringify(aboutType(model))} type ${type} { ${lines.join('\n')} }`,
    `extend type Query {
      ${JSON.stringify(aboutOne(model))}
      ${one}(id: Int!): ${type}
      ${JSON.stringify(aboutMany(model))}
      ${many}(domain: JSON, order: String, limit: Int = ${limits.graphql.pageDefault}, offset: Int = 0): [${type}!]!
    }`,
  ];
}

function fieldLines(field: Field, known: Known, taken: Set<string>): string[] {
  const { type, list } = scalarOf(field);
  const shown = list ? `[${type}!]` : `${type}${field.name === 'id' ? '!' : ''}`;
  const target = known(field.relation);
  const wanted: [string, string, string][] = [[camel(field.name), shown, aboutField(field) ?? '']];
  if (target) {
    const form = field.type === 'many2one' ? target : `[${target}!]!`;
    wanted.push([relationName(field), form, aboutRelation(field)]);
  }
  return wanted.flatMap(([name, form, about]) => {
    if (taken.has(name)) return [];
    taken.add(name);
    return [`${about && JSON.stringify(about)} ${name}: ${form}`];
  });
}

/** The fields of the type with that name; none when there is none. */
function fieldsOf(schema: GraphQLSchema, name: string): GraphQLFieldMap<GraphRow, Ctx> {
  const type = schema.getType(name);
  return isObjectType(type) ? type.getFields() : {};
}

function resolve(schema: GraphQLSchema, { type, model, isNew, fields }: Addition): void {
  const there = fieldsOf(schema, type);
  for (const field of fields) {
    const relation = field.relation ? there[relationName(field)] : undefined;
    if (relation && !relation.resolve) relation.resolve = relationReader(field);
  }
  if (!isNew) return;
  const { one, many } = graphNames(model);
  root(schema, one, (_parent, { id }, ctx, info) => readOne(ctx, model.name, id, info));
  root(schema, many, (_parent, args, ctx, info) => readMany(ctx, model.name, args, info));
}

/** A root field under the policy of the graph, as the schema's builder would have made it. */
function root(schema: GraphQLSchema, name: string, resolver: GraphQLFieldResolver<unknown, Ctx>): void {
  const field = schema.getQueryType()!.getFields()[name]!;
  field.resolve = guarded(graphPolicy, resolver);
  field.extensions = { ...field.extensions, policy: graphPolicy, directives: directivesOf(graphPolicy) };
}
