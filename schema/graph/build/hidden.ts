import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { Registry } from '../../../src/engine/model/model.ts';
import { verbs } from '../../../src/engine/verb/verb.ts';
import type { FieldDef } from '../plan/definition.ts';
import { ROOT_KINDS } from '../plan/definition.ts';
import { typesOf } from '../plan/plan.ts';
import { builtRoot, type Parts } from './schema.ts';

// What of the product's schema a workspace does not have because it lacks the app.

export interface Hidden {
  /** Names of types. */
  types: ReadonlySet<string>;
  /** Whether a root field belongs to an app that lacks. @param def of the record graph; undefined for the builder's */
  root(name: string, def: FieldDef | undefined): boolean;
}

const NOTHING: Hidden = { types: new Set(), root: () => false };

export function hiddenOf(parts: Parts, registry: Registry): Hidden {
  const product = [...parts.registry.values()];
  if (product.every(({ name }) => registry.has(name))) return NOTHING;
  const isAbsent = (model: string | null | undefined): boolean =>
    typeof model === 'string' && parts.registry.has(model) && !registry.has(model);
  const present = product.flatMap(({ name }) => registry.get(name) ?? []);
  const namesOf = (models: typeof product) =>
    new Set(models.flatMap((model) => typesOf(model).map(({ name }) => name)));
  const root = (name: string, def: FieldDef | undefined) =>
    def ? isAbsent(def.model) : isAbsent(verbs.get(name)?.about);
  const reached = (isHidden: boolean) => {
    const fields = ROOT_KINDS.flatMap((kind) =>
      Object.values(builtRoot(parts.built, kind)?.getFields() ?? {}),
    );
    return reach(
      parts.built,
      fields.filter(({ name }) => root(name, undefined) === isHidden),
    );
  };
  return {
    root,
    types: new Set([...less(namesOf(product), namesOf(present)), ...less(reached(true), reached(false))]),
  };
}

const less = (all: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...all].filter((each) => !others.has(each));

/** Names of the types that the fields lead to, also through others. */
function reach(schema: GraphQLSchema, fields: GraphQLField<unknown, unknown>[]): Set<string> {
  const reached = new Set<string>();
  const waiting: GraphQLNamedType[] = [];
  const add = (type: GraphQLNamedType): void => {
    if (reached.has(type.name)) return;
    reached.add(type.name);
    waiting.push(type);
  };
  const addFields = (some: GraphQLField<unknown, unknown>[]) => {
    for (const { type, args } of some) {
      add(getNamedType(type));
      for (const arg of args) add(getNamedType(arg.type));
    }
  };
  addFields(fields);
  while (waiting.length > 0) {
    const type = waiting.pop()!;
    for (const each of isUnionType(type) ? type.getTypes() : []) add(each);
    for (const each of isInterfaceType(type) ? schema.getPossibleTypes(type) : []) add(each);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) add(getNamedType(field.type));
    if (isObjectType(type) || isInterfaceType(type)) addFields(Object.values(type.getFields()));
  }
  return reached;
}
