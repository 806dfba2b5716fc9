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
import { operations } from '../../../src/engine/operation/operation.ts';
import type { FieldDef } from '../plan/definition.ts';
import { ROOT_KINDS } from '../plan/definition.ts';
import { buildModelTypes } from '../plan/plan.ts';
import { getBuiltRoot, type SchemaParts } from './schema.ts';

// Parts of the built-in schema that a workspace lacks because their app is not installed.

export interface HiddenParts {
  types: ReadonlySet<string>;
  /**
   * True if the root field belongs to an app that is not installed.
   * @param def definition in the record graph; undefined for a builder field
   */
  root(name: string, def: FieldDef | undefined): boolean;
}

const NO_HIDDEN_PARTS: HiddenParts = { types: new Set(), root: () => false };

export function findHiddenParts(parts: SchemaParts, registry: Registry): HiddenParts {
  const product = [...parts.registry.values()];
  if (product.every(({ name }) => registry.has(name))) return NO_HIDDEN_PARTS;
  const isAbsent = (model: string | null | undefined): boolean =>
    typeof model === 'string' && parts.registry.has(model) && !registry.has(model);
  const presentModels = product.flatMap(({ name }) => registry.get(name) ?? []);
  const collectTypeNames = (models: typeof product) =>
    new Set(models.flatMap((model) => buildModelTypes(model).map(({ name }) => name)));
  const root = (name: string, def: FieldDef | undefined) =>
    def ? isAbsent(def.model) : isAbsent(operations.get(name)?.about);
  const collectReachableTypes = (isHidden: boolean) => {
    const fields = ROOT_KINDS.flatMap((kind) =>
      Object.values(getBuiltRoot(parts.built, kind)?.getFields() ?? {}),
    );
    return collectReachable(
      parts.built,
      fields.filter(({ name }) => root(name, undefined) === isHidden),
    );
  };
  return {
    root,
    types: new Set([
      ...subtract(collectTypeNames(product), collectTypeNames(presentModels)),
      ...subtract(collectReachableTypes(true), collectReachableTypes(false)),
    ]),
  };
}

const subtract = (all: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...all].filter((item) => !others.has(item));

function collectReachable(schema: GraphQLSchema, fields: GraphQLField<unknown, unknown>[]): Set<string> {
  const reachable = new Set<string>();
  const waitingTypes: GraphQLNamedType[] = [];
  const add = (type: GraphQLNamedType): void => {
    if (reachable.has(type.name)) return;
    reachable.add(type.name);
    waitingTypes.push(type);
  };
  const addFields = (qlfields: GraphQLField<unknown, unknown>[]) => {
    for (const { type, args } of qlfields) {
      add(getNamedType(type));
      for (const arg of args) add(getNamedType(arg.type));
    }
  };
  addFields(fields);
  while (waitingTypes.length > 0) {
    const type = waitingTypes.pop()!;
    for (const item of isUnionType(type) ? type.getTypes() : []) add(item);
    for (const item of isInterfaceType(type) ? schema.getPossibleTypes(type) : []) add(item);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) add(getNamedType(field.type));
    if (isObjectType(type) || isInterfaceType(type)) addFields(Object.values(type.getFields()));
  }
  return reachable;
}
