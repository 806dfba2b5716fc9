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
import { AGGREGATES, hostileText, NUMBERS, OPERATORS, ORDERS, PERIODS, TEXTS } from './hostile.ts';

/** What arguments are made of. */
export interface Material {
  dice: Dice;
  registry: Registry;
  /** Ids of records by model, of this workspace and of others. */
  ids: Record<string, number[]>;
  publicIds: string[];
}

/** A model and what is asked of it. */
interface Asked extends Material {
  model: Model;
}

export const modelOf = ({ dice, registry, ids }: Material): Model =>
  registry.get(dice.once(4) ? dice.pick([...registry.keys()]) : dice.pick(Object.keys(ids))) ??
  registry.get('res.partner')!;

/** Arguments of a root field: those that are needed, and some of the others. */
export function argumentsFor(
  material: Material,
  model: Model,
  args: readonly (GraphQLArgument | GraphQLInputField)[],
  depth = 0,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const arg of args) {
    const isNeeded = isNonNullType(arg.type) && arg.defaultValue === undefined;
    if (!isNeeded && !material.dice.once(depth > 1 ? 6 : 3)) continue;
    given[arg.name] = valueFor({ ...material, model }, arg.name, arg.type, depth);
  }
  return given;
}

function valueFor(asked: Asked, name: string, type: GraphQLInputType, depth: number): unknown {
  const { dice, model } = asked;
  const inner = isNonNullType(type) ? type.ofType : type;
  if (!isNonNullType(type) && dice.once(30)) return null;
  if (isListType(inner)) return dice.some(3, () => valueFor(asked, name, inner.ofType, depth + 1));
  if (isEnumType(inner)) return dice.pick(inner.getValues()).name;
  if (isInputObjectType(inner))
    return depth > 4 ? {} : argumentsFor(asked, model, Object.values(inner.getFields()), depth + 1);
  switch (inner.name) {
    case 'Int':
      return dice.once(4) ? dice.pick(NUMBERS) | 0 : dice.below(50);
    case 'Float':
      return dice.pick(NUMBERS);
    case 'ID':
      return idOf(asked);
    case 'Boolean':
      return dice.once(2);
    case 'String':
      return textFor(asked, name);
    case 'JSON':
      return jsonFor(asked, name);
    default:
      return dice.once(3) ? dice.pick(NUMBERS) : hostileText(dice);
  }
}

const idOf = ({ dice, ids, publicIds, model }: Asked): unknown => {
  const own = ids[model.name];
  if (own && !dice.once(8)) return dice.pick(own);
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

function fieldName({ dice, model }: Asked): string {
  const common = COMMON.filter((name) => model.fields.has(name));
  return dice.once(2) ? dice.pick(common) : dice.pick([...model.fields.keys()]);
}

/** A field, or one of the records it leads to. */
function pathOf(asked: Asked, steps = 3): string {
  const { dice, model, registry } = asked;
  const name = fieldName(asked);
  const target = registry.get(model.fields.get(name)!.relation ?? '');
  return target && steps > 1 && dice.once(2)
    ? `${name}.${pathOf({ ...asked, model: target }, steps - 1)}`
    : name;
}

function textFor(asked: Asked, name: string): string {
  const { dice, model } = asked;
  if (dice.once(12)) return hostileText(dice);
  if (name === 'model' || name === 'resModel') return model.name;
  if (/order/i.test(name))
    return dice.once(2) ? dice.pick(ORDERS) : `${pathOf(asked)} ${dice.pick(['', 'desc', 'x'])}`;
  if (/field|groupby|name/i.test(name)) return pathOf(asked);
  return hostileText(dice);
}

/** JSON by the name of the argument; anything at all for names that say nothing. */
function jsonFor(asked: Asked, name: string): unknown {
  const { dice, model } = asked;
  if (dice.once(25)) return anything(asked, 3);
  if (/domain|having|filter/i.test(name)) return domainOf(asked, 2);
  if (/groupby/i.test(name)) return dice.some(3, () => pathOf(asked) + dice.pick(PERIODS));
  if (/aggregates/i.test(name))
    return dice.some(3, () => (dice.once(2) ? dice.pick(AGGREGATES) : `${fieldName(asked)}:max`));
  if (/^(vals|values)$/i.test(name)) return valuesOf(asked, 2);
  if (/valsList/i.test(name)) return [valuesOf(asked, 2)];
  if (/spec/i.test(name)) return specificationOf(asked, 3);
  if (/export/i.test(name)) return dice.some(4, () => pathOf(asked).replaceAll('.', '/'));
  if (/fields|attributes/i.test(name)) return dice.some(4, () => fieldName(asked));
  if (/^(load|offset|limit|after)$/i.test(name)) return null;
  if (/ids?$/i.test(name)) return dice.once(2) ? [idOf({ ...asked, model })] : idOf(asked);
  if (/context/i.test(name)) return contextOf(asked);
  return anything(asked, 2);
}

export const contextOf = ({ dice, ids }: Material): object =>
  dice.pick([
    { active_test: false },
    { lang: hostileText(dice), tz: hostileText(dice) },
    { bin_size: true, default_name: 'x', default_user_id: 1 },
    { allowed_company_ids: dice.pick([[1], [1, 2, 3], ids['res.users']]) },
    { uid: 1, su: true, sudo: true, force_company: 2, prefetch_fields: false },
  ]);

function domainOf(asked: Asked, depth: number): unknown[] {
  const { dice } = asked;
  return dice.some(2, () => (dice.once(8) ? dice.pick(['&', '|', '!', 1]) : conditionOf(asked, depth)));
}

function conditionOf(asked: Asked, depth: number): unknown {
  const { dice, model, registry } = asked;
  const path = pathOf(asked);
  const operator = dice.once(2) ? dice.pick(['=', '!=', 'in', 'ilike']) : dice.pick(OPERATORS);
  if (operator.includes('any') && depth > 0) {
    const name = path.split('.')[0]!;
    const target = registry.get(model.fields.get(name)!.relation ?? '') ?? model;
    return [name, operator, domainOf({ ...asked, model: target }, depth - 1)];
  }
  return [path, operator, /in$/.test(operator) ? dice.some(4, () => operandOf(asked)) : operandOf(asked)];
}

const operandOf = (asked: Asked): unknown =>
  asked.dice.pick<unknown>([
    hostileText(asked.dice),
    asked.dice.pick(NUMBERS),
    idOf(asked),
    true,
    false,
    null,
  ]);

/** Values for some fields of a record, and commands for its lists. */
function valuesOf(asked: Asked, depth: number): Record<string, unknown> {
  const { dice, model } = asked;
  const fields = dice.some(4, () => model.fields.get(fieldName(asked))!);
  const given = Object.fromEntries(fields.map((field) => [field.name, fieldValue(asked, field, depth)]));
  for (const name of ['name', 'x_name', 'login', 'summary'])
    if (model.fields.has(name) && !dice.once(4)) given[name] = `made ${dice.below(1_000_000)}`;
  return given;
}

function fieldValue(asked: Asked, field: Field, depth: number): unknown {
  const { dice, registry } = asked;
  const target = registry.get(field.relation ?? '');
  if (!target) return operandOf(asked);
  const there = { ...asked, model: target };
  if (field.type === 'many2one') return idOf(there);
  return dice.some(2, () => commandOf(there, depth));
}

function commandOf(asked: Asked, depth: number): unknown {
  const { dice } = asked;
  const inner = () => (depth > 0 ? valuesOf(asked, depth - 1) : {});
  return dice.pick([
    () => [0, 0, inner()],
    () => [1, idOf(asked), inner()],
    () => [2, idOf(asked), 0],
    () => [3, idOf(asked)],
    () => [4, idOf(asked)],
    () => [5],
    () => [6, 0, [idOf(asked), idOf(asked)]],
    () => operandOf(asked),
  ])();
}

function specificationOf(asked: Asked, depth: number): Record<string, unknown> {
  const { dice, model, registry } = asked;
  return Object.fromEntries(
    dice.some(5, () => {
      const name = fieldName(asked);
      const target = registry.get(model.fields.get(name)!.relation ?? '');
      if (!target || depth === 0) return [name, {}];
      const fields = specificationOf({ ...asked, model: target }, depth - 1);
      return [name, dice.once(3) ? { fields, limit: dice.below(5), order: dice.pick(ORDERS) } : { fields }];
    }),
  );
}

export function anything(asked: Material, depth: number): unknown {
  const { dice } = asked;
  if (depth === 0 || dice.once(3)) return dice.pick<unknown>([...TEXTS, ...NUMBERS, true, false, null]);
  if (dice.once(2)) return dice.some(3, () => anything(asked, depth - 1));
  return Object.fromEntries(dice.some(3, () => [hostileText(dice), anything(asked, depth - 1)]));
}
