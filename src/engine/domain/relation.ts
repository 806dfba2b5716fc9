import { errors } from '../../errors.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { Condition, Parse } from './condition.ts';
import { type ColumnOperator, FALSE, type Node, not, oneOf, or, TRUE } from './node.ts';
import { comparand, idOf, isUnset } from './operands.ts';

/** The model on the other side of `field`, which the reader must be allowed to read. */
export function targetOf(field: Field, state: Parse, item: unknown): Model {
  const target = state.registry.get(field.relation!);
  if (!target) throw errors.invalidCondition('field', field.name, item);
  state.reader?.checkModel(target);
  return target;
}

/** A condition on related records: under the reader's rules, archived lines left out unless they are asked for. */
export function related(field: Field, model: Model, where: Node, state: Parse, asksActive: boolean): Node {
  const active = leavesArchived(field, state) && !asksActive;
  return { kind: 'exists', field, model, where, ruled: state.reader !== null, active };
}

/** A many2one may lead to an archived record. */
const leavesArchived = (field: Field, { reader }: Parse): boolean =>
  reader !== null && reader.activeTest !== false && field.type !== 'many2one';

/** A list of ids (the rules of the other model are not asked), of names, and of false for "no record". */
export function relationIn(condition: Condition, values: unknown[], state: Parse): Node {
  const { field, item } = condition;
  const names = values.filter((value) => typeof value === 'string');
  const parts: Node[] = [];
  if (values.some(isUnset)) parts.push(unlinked(field, state));
  const wanted = values.filter((value) => !isUnset(value) && !isName(value));
  parts.push(linkIn(field, idsOf(wanted, item), state));
  if (names.length) parts.push(relationByName(condition, 'in', names, state));
  return or(parts);
}

/** Text of digits may be an id as well: forms and n8n send every value as text. */
const isName = (value: unknown): boolean => typeof value === 'string' && !/^\d+$/.test(value);

const idsOf = (values: unknown[], item: unknown): number[] =>
  values.map((value) => idOf(value, item)).filter((id) => id !== undefined);

function unlinked(field: Field, state: Parse): Node {
  return field.type === 'many2one' ? oneOf(field, [null]) : not(linked(field, TRUE, state));
}

function linkIn(field: Field, ids: number[], state: Parse): Node {
  if (field.type === 'many2one' || field.name === 'id') return oneOf(field, ids);
  if (ids.length === 0) return FALSE;
  const target = state.registry.get(field.relation!);
  return target ? linked(field, oneOf(target.fields.get('id')!, ids), state) : FALSE;
}

/** By the links alone: neither the rules of the other model nor its archived records matter. */
function linked(field: Field, where: Node, state: Parse): Node {
  const model = state.registry.get(field.relation!);
  return model ? { kind: 'exists', field, model, where, ruled: false, active: false } : FALSE;
}

/** A relation compared with text means the name of the record on the other side. */
export function relationByName(
  { field, depth, item }: Condition,
  operator: string,
  value: unknown,
  state: Parse,
): Node {
  const target = targetOf(field, state, item);
  const where = state.leaf(['display_name', operator, value], target, state, depth + 1);
  return related(field, target, where, state, false);
}

/** `<` and its like, by id. */
export function relationCompared(condition: Condition, state: Parse): Node {
  const { field, operator, value, item } = condition;
  if (field.type !== 'many2one' || typeof value !== 'number')
    throw errors.invalidCondition('value for', operator, item);
  return { kind: 'column', field, ...comparand(field, operator as ColumnOperator, value, state.clock, item) };
}

/**
 * `child_of` and `parent_of`. The value (ids, or texts that display names contain) says where to begin. A many2one to the
 * model itself is its own hierarchy, and then it is the record itself that must stand in it; else the hierarchy is that
 * of `parent_id`. Where there is none, only the records named are meant.
 */
export function treeNode(condition: Condition, state: Parse): Node {
  const { model, field, operator, value, item } = condition;
  if (field.name !== 'id' && !field.relation)
    throw errors.invalidCondition('field', `${model.name}.${field.name} for '${operator}'`, item);
  if (isUnset(value)) return FALSE;
  const target = field.name === 'id' ? model : state.registry.get(field.relation!);
  if (!target) throw errors.invalidCondition('field', `${model.name}.${field.name}`, item);
  const isOwn = field.type === 'many2one' && target.name === model.name;
  const parent = isOwn ? field : parentOf(target);
  if (parent) state.reader?.checkField(target, parent);
  const { ids, names } = seeds(condition, target, state);
  if (ids.length === 0 && names === null) return FALSE;
  const column = field.type === 'many2one' && !isOwn ? field : target.fields.get('id')!;
  if (!parent && names === null) return linkIn(field, ids, state);
  const active = names !== null && leavesArchived(field, state);
  const ruled = state.reader !== null;
  const node: Node = {
    kind: 'tree',
    field: column,
    tree: { model: target, parent, up: operator === 'parent_of', ids, names, ruled, active },
  };
  return field.type.endsWith('2many') ? linked(field, node, state) : node;
}

function parentOf(model: Model): Field | null {
  const field = model.fields.get('parent_id');
  return field?.type === 'many2one' && field.relation === model.name ? field : null;
}

function seeds(
  { field, value, depth, item }: Condition,
  target: Model,
  state: Parse,
): { ids: number[]; names: Node | null } {
  const values = (Array.isArray(value) ? value : [value]).filter((each) => !isUnset(each));
  const names = values.filter(isName);
  const ids = idsOf(
    values.filter((each) => !isName(each)),
    item,
  );
  if (names.length === 0) return { ids, names: null };
  if (field.relation) state.reader?.checkModel(target);
  const named = names.map((name) => state.leaf(['display_name', 'ilike', name], target, state, depth + 1));
  return { ids, names: or(named) };
}
