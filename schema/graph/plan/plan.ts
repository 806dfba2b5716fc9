import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { aboutMany, aboutOne } from '../descriptions.ts';
import { COMMON, domainArgument, listArguments } from './common.ts';
import type { FieldDef, GraphPlan, RootKind, TypeDef } from './definition.ts';
import { ROOT_KINDS } from './definition.ts';
import { GROUP_COMMON, groupDefs, groupRoot } from './groups.ts';
import { DELETED, inputDefs, writeRoots } from './inputs.ts';
import { changeDef, changedRoot, LIVE_ROOT, LIVE_TYPES } from './live.ts';
import { shownFields } from './names.ts';
import { connectionDefs, enumDefs, orderDefs, recordDef, whereDefs } from './records.ts';

/** The plan of a registry: the types of each model, and the root fields that read and write its records. */
export function planOf(registry: Registry): GraphPlan {
  const plan: GraphPlan = {
    types: new Map([...COMMON, ...GROUP_COMMON, DELETED, ...LIVE_TYPES].map((type) => [type.name, type])),
    roots: { query: new Map(), mutation: new Map(), subscription: new Map([[LIVE_ROOT.name, LIVE_ROOT]]) },
  };
  for (const model of registry.values()) addToPlan(plan, model);
  return plan;
}

/** Adds what a model brings; names that are taken stay what they are. */
export function addToPlan(plan: GraphPlan, model: Model): void {
  for (const type of typesOf(model)) if (!plan.types.has(type.name)) plan.types.set(type.name, type);
  const roots = rootsOf(model);
  for (const kind of ROOT_KINDS)
    for (const field of roots[kind])
      if (!plan.roots[kind].has(field.name)) plan.roots[kind].set(field.name, field);
}

export const typesOf = (model: Model): TypeDef[] => [
  ...(model.options.graph?.prisma
    ? []
    : [recordDef(model), ...connectionDefs(model), ...groupDefs(model), changeDef(model)]),
  ...whereDefs(model),
  ...orderDefs(model),
  ...inputDefs(model),
  ...shownFields(model).flatMap((field) => enumDefs(model, field)),
];

export function rootsOf(model: Model): Record<RootKind, FieldDef[]> {
  if (model.options.graph?.prisma) return { query: [], mutation: [], subscription: [] };
  const { type, one, many } = getModelGraphNames(model);
  return {
    query: [
      {
        name: one,
        type,
        about: aboutOne(model),
        args: [{ name: 'id', type: 'ID!', about: 'Record id.' }],
        role: 'readOne',
        model: model.name,
      },
      {
        name: many,
        type: `${type}Connection!`,
        about: aboutMany(model),
        args: [...listArguments(type), domainArgument],
        role: 'readMany',
        model: model.name,
      },
      groupRoot(model),
    ],
    mutation: writeRoots(model),
    subscription: [changedRoot(model)],
  };
}
