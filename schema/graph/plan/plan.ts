import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';
import { describeReadMany, describeReadOne } from '../descriptions.ts';
import { COMMON_TYPES, DOMAIN_ARGUMENT, listArguments } from './common.ts';
import type { FieldDef, FieldRole, GraphPlan, RootKind, TypeDef } from './definition.ts';
import { ROOT_KINDS } from './definition.ts';
import { buildGroupRoot, buildGroupTypes, COMMON_GROUP_TYPES } from './groups.ts';
import { buildInputDefs, buildWriteRoots, DELETED_RECORDS_TYPE } from './inputs.ts';
import { buildChangeDef, buildChangeRoot, LIVE_ROOT, LIVE_TYPES } from './live.ts';
import { getGraphFields } from './names.ts';
import {
  buildConnectionTypes,
  buildEnumTypes,
  buildOrderTypes,
  buildRecordDef,
  buildWhereTypes,
} from './records.ts';

export function buildGraphPlan(registry: Registry): GraphPlan {
  const plan: GraphPlan = {
    types: new Map(
      [...COMMON_TYPES, ...COMMON_GROUP_TYPES, DELETED_RECORDS_TYPE, ...LIVE_TYPES].map((type) => [
        type.name,
        type,
      ]),
    ),
    roots: { query: new Map(), mutation: new Map(), subscription: new Map([[LIVE_ROOT.name, LIVE_ROOT]]) },
  };
  for (const model of registry.values()) addToPlan(plan, model);
  return plan;
}

/** Adds a model's types and root fields without replacing existing ones. */
export function addToPlan(plan: GraphPlan, model: Model): void {
  for (const type of buildModelTypes(model)) if (!plan.types.has(type.name)) plan.types.set(type.name, type);
  const roots = buildModelRoots(model);
  for (const kind of ROOT_KINDS)
    for (const field of roots[kind])
      if (!plan.roots[kind].has(field.name)) plan.roots[kind].set(field.name, field);
}

export const buildModelTypes = (model: Model): TypeDef[] => [
  ...(model.options.graph?.prisma
    ? []
    : [
        buildRecordDef(model),
        ...buildConnectionTypes(model),
        ...buildGroupTypes(model),
        buildChangeDef(model),
      ]),
  ...buildWhereTypes(model),
  ...buildOrderTypes(model),
  ...buildInputDefs(model),
  ...getGraphFields(model).flatMap((field) => buildEnumTypes(model, field)),
];

export function buildModelRoots(model: Model): Record<RootKind, FieldDef[]> {
  if (model.options.graph?.prisma) return { query: [], mutation: [], subscription: [] };
  const { type, one, many } = getModelGraphNames(model);
  const roots: Record<RootKind, FieldDef[]> = {
    query: [
      {
        name: one,
        type,
        about: describeReadOne(model),
        args: [{ name: 'id', type: 'ID!', about: 'Record id.' }],
        role: 'readOne',
        model: model.name,
      },
      {
        name: many,
        type: `${type}Connection!`,
        about: describeReadMany(model),
        args: [...listArguments(type), DOMAIN_ARGUMENT],
        role: 'readMany',
        model: model.name,
      },
      buildGroupRoot(model),
    ],
    mutation: buildWriteRoots(model),
    subscription: [buildChangeRoot(model)],
  };
  return model.options.isWizard ? selectWizardRoots(model, roots) : roots;
}

/** Callers create a wizard, fill it in, read its values, and run its operation. */
const WIZARD_ROLES: ReadonlySet<FieldRole | undefined> = new Set(['readOne', 'createOne', 'updateOne']);

function selectWizardRoots({ options: { access } }: Model, roots: Record<RootKind, FieldDef[]>) {
  const isCreatable = Object.values(access).some((letters) => letters.includes('c'));
  const isUseful = ({ role }: FieldDef) => WIZARD_ROLES.has(role) && (isCreatable || role !== 'createOne');
  return {
    query: roots.query.filter(isUseful),
    mutation: roots.mutation.filter(isUseful),
    subscription: roots.subscription.filter(isUseful),
  };
}
