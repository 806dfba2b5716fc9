import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Field } from '../../src/engine/model/field.ts';
import type { Model, Registry } from '../../src/engine/model/model.ts';
import type { Dice } from './dice.ts';
import { AGGREGATES, NUMBERS, OPERATORS, ORDERS, PERIODS, pickHostileText, TEXTS } from './hostile.ts';

export interface Material {
  dice: Dice;
  registry: Registry;
  /** Record ids by model, from this workspace and from others. */
  ids: Record<string, number[]>;
  publicIds: string[];
}

interface ArgumentContext extends Material {
  model: Model;
}

export const pickModel = ({ dice, registry, ids }: Material): Model =>
  registry.get(dice.once(4) ? dice.pick([...registry.keys()]) : dice.pick(Object.keys(ids))) ??
  registry.get('res.partner')!;

export function buildArguments(
  material: Material,
  model: Model,
  args: readonly (GraphQLArgument | GraphQLInputField)[],
  depth = 0,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const arg of args) {
    const isNeeded = isNonNullType(arg.type) && arg.defaultValue === undefined;
    if (!isNeeded && !material.dice.once(depth > 1 ? 6 : 3)) continue;
    values[arg.name] = buildValue({ ...material, model }, arg.name, arg.type, depth);
  }
  return values;
}

function buildValue(context: ArgumentContext, name: string, type: GraphQLInputType, depth: number): unknown {
  const { dice, model } = context;
  const inner = isNonNullType(type) ? type.ofType : type;
  if (!isNonNullType(type) && dice.once(30)) return null;
  if (isListType(inner)) return dice.some(3, () => buildValue(context, name, inner.ofType, depth + 1));
  if (isEnumType(inner)) return dice.pick(inner.getValues()).name;
  if (isInputObjectType(inner))
    return depth > 4 ? {} : buildArguments(context, model, Object.values(inner.getFields()), depth + 1);
  switch (inner.name) {
    case 'Int':
      return dice.once(4) ? dice.pick(NUMBERS) | 0 : dice.below(50);
    case 'Float':
      return dice.pick(NUMBERS);
    case 'ID':
      return pickId(context);
    case 'Boolean':
      return dice.once(2);
    case 'String':
      return buildText(context, name);
    case 'JSON':
      return buildJson(context, name);
    default:
      return dice.once(3) ? dice.pick(NUMBERS) : pickHostileText(dice);
  }
}

const pickId = ({ dice, ids, publicIds, model }: ArgumentContext): unknown => {
  const modelIds = ids[model.name];
  if (modelIds && !dice.once(8)) return dice.pick(modelIds);
  if (dice.once(8)) return dice.pick(publicIds);
  return dice.once(12) ? dice.pick([...NUMBERS, ...TEXTS]) : dice.pick(Object.values(ids).flat());
};

const COMMON = [
  'id',
  'name',
  'display_name',
  'x_name',
  'email',
  'phone',
  'description',
  'create_date',
  'partner_id',
];

function pickFieldName({ dice, model }: ArgumentContext): string {
  const common = COMMON.filter((name) => model.fields.has(name));
  return dice.once(2) ? dice.pick(common) : dice.pick([...model.fields.keys()]);
}

function buildPath(context: ArgumentContext, steps = 3): string {
  const { dice, model, registry } = context;
  const name = pickFieldName(context);
  const target = registry.get(model.fields.get(name)!.relation ?? '');
  return target && steps > 1 && dice.once(2)
    ? `${name}.${buildPath({ ...context, model: target }, steps - 1)}`
    : name;
}

function buildText(context: ArgumentContext, name: string): string {
  const { dice, model } = context;
  if (dice.once(12)) return pickHostileText(dice);
  if (name === 'model' || name === 'resModel') return model.name;
  if (/order/i.test(name))
    return dice.once(2) ? dice.pick(ORDERS) : `${buildPath(context)} ${dice.pick(['', 'desc', 'x'])}`;
  if (/field|groupby|name/i.test(name)) return buildPath(context);
  return pickHostileText(dice);
}

function buildJson(context: ArgumentContext, name: string): unknown {
  const { dice, model } = context;
  if (dice.once(25)) return buildAnything(context, 3);
  if (/domain|having|filter/i.test(name)) return buildDomain(context, 2);
  if (/groupby/i.test(name)) return dice.some(3, () => buildPath(context) + dice.pick(PERIODS));
  if (/aggregates/i.test(name))
    return dice.some(3, () => (dice.once(2) ? dice.pick(AGGREGATES) : `${pickFieldName(context)}:max`));
  if (/^(vals|values)$/i.test(name)) return buildValues(context, 2);
  if (/valsList/i.test(name)) return [buildValues(context, 2)];
  if (/spec/i.test(name)) return buildSpecification(context, 3);
  if (/export/i.test(name)) return dice.some(4, () => buildPath(context).replaceAll('.', '/'));
  if (/fields|attributes/i.test(name)) return dice.some(4, () => pickFieldName(context));
  if (/^(load|offset|limit|after)$/i.test(name)) return null;
  if (/ids?$/i.test(name)) return dice.once(2) ? [pickId({ ...context, model })] : pickId(context);
  if (/context/i.test(name)) return buildContext(context);
  return buildAnything(context, 2);
}

export const buildContext = ({ dice, ids }: Material): object =>
  dice.pick([
    { active_test: false },
    { lang: pickHostileText(dice), tz: pickHostileText(dice) },
    { bin_size: true, default_name: 'x', default_user_id: 1 },
    { allowed_company_ids: dice.pick([[1], [1, 2, 3], ids['res.users']]) },
    { uid: 1, su: true, sudo: true, force_company: 2, prefetch_fields: false },
  ]);

function buildDomain(context: ArgumentContext, depth: number): unknown[] {
  const { dice } = context;
  return dice.some(2, () => (dice.once(8) ? dice.pick(['&', '|', '!', 1]) : buildCondition(context, depth)));
}

function buildCondition(context: ArgumentContext, depth: number): unknown {
  const { dice, model, registry } = context;
  const path = buildPath(context);
  const operator = dice.once(2) ? dice.pick(['=', '!=', 'in', 'ilike']) : dice.pick(OPERATORS);
  if (operator.includes('any') && depth > 0) {
    const name = path.split('.')[0]!;
    const target = registry.get(model.fields.get(name)!.relation ?? '') ?? model;
    return [name, operator, buildDomain({ ...context, model: target }, depth - 1)];
  }
  return [
    path,
    operator,
    /in$/.test(operator) ? dice.some(4, () => pickOperand(context)) : pickOperand(context),
  ];
}

const pickOperand = (context: ArgumentContext): unknown =>
  context.dice.pick<unknown>([
    pickHostileText(context.dice),
    context.dice.pick(NUMBERS),
    pickId(context),
    true,
    false,
    null,
  ]);

function buildValues(context: ArgumentContext, depth: number): Record<string, unknown> {
  const { dice, model } = context;
  const fields = dice.some(4, () => model.fields.get(pickFieldName(context))!);
  const args = Object.fromEntries(
    fields.map((field) => [field.name, buildFieldValue(context, field, depth)]),
  );
  for (const name of ['name', 'x_name', 'login', 'summary'])
    if (model.fields.has(name) && !dice.once(4)) args[name] = `made ${dice.below(1_000_000)}`;
  return args;
}

function buildFieldValue(context: ArgumentContext, field: Field, depth: number): unknown {
  const { dice, registry } = context;
  const target = registry.get(field.relation ?? '');
  if (!target) return pickOperand(context);
  const targetContext = { ...context, model: target };
  if (field.type === 'many2one') return pickId(targetContext);
  return dice.some(2, () => buildCommand(targetContext, depth));
}

function buildCommand(context: ArgumentContext, depth: number): unknown {
  const { dice } = context;
  const buildInner = () => (depth > 0 ? buildValues(context, depth - 1) : {});
  return dice.pick([
    () => [0, 0, buildInner()],
    () => [1, pickId(context), buildInner()],
    () => [2, pickId(context), 0],
    () => [3, pickId(context)],
    () => [4, pickId(context)],
    () => [5],
    () => [6, 0, [pickId(context), pickId(context)]],
    () => pickOperand(context),
  ])();
}

function buildSpecification(context: ArgumentContext, depth: number): Record<string, unknown> {
  const { dice, model, registry } = context;
  return Object.fromEntries(
    dice.some(5, () => {
      const name = pickFieldName(context);
      const target = registry.get(model.fields.get(name)!.relation ?? '');
      if (!target || depth === 0) return [name, {}];
      const fields = buildSpecification({ ...context, model: target }, depth - 1);
      return [name, dice.once(3) ? { fields, limit: dice.below(5), order: dice.pick(ORDERS) } : { fields }];
    }),
  );
}

export function buildAnything(context: Material, depth: number): unknown {
  const { dice } = context;
  if (depth === 0 || dice.once(3)) return dice.pick<unknown>([...TEXTS, ...NUMBERS, true, false, null]);
  if (dice.once(2)) return dice.some(3, () => buildAnything(context, depth - 1));
  return Object.fromEntries(dice.some(3, () => [pickHostileText(dice), buildAnything(context, depth - 1)]));
}
