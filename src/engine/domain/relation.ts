import { errors } from '../../errors.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { DomainCondition, DomainParseState } from './condition.ts';
import { type ColumnOperator, type DomainNode, FALSE, not, oneOf, TRUE } from './node.ts';
import { isUnset, parseComparand, parseId } from './operands.ts';

/** The model on the other side of `field`, which the reader must be allowed to read. */
export function resolveTarget(field: Field, state: DomainParseState, item: unknown): Model {
  const target = state.registry.get(field.relation!);
  if (!target) throw errors.invalidCondition('field', field.name, item);
  state.reader?.checkModel(target);
  return target;
}

/** A condition on related records: under the reader's rules, archived lines left out unless they are asked for. */
export function buildRelated(
  field: Field,
  model: Model,
  where: DomainNode,
  state: DomainParseState,
  asksActive: boolean,
): DomainNode {
  const active = field.activeOnly || (excludesArchived(field, state) && !asksActive);
  return { kind: 'exists', field, model, where, ruled: state.reader !== null, active };
}

/** A many2one may lead to an archived record. */
export const excludesArchived = (field: Field, { reader }: DomainParseState): boolean =>
  reader !== null && reader.activeTest !== false && field.type !== 'many2one';

/** Text of digits may be an id as well: forms and n8n send every value as text. */
export const isRecordName = (value: unknown): boolean => typeof value === 'string' && !/^\d+$/.test(value);

/** The ids among the values that a relation is compared with. @throws BAD_VALUE */
export const parseIdOperands = (values: unknown[], item: unknown): number[] =>
  values
    .filter((value) => !isUnset(value) && !isRecordName(value))
    .map((value) => parseId(value, item))
    .filter((id) => id !== undefined);

/** No record is on the other side. */
export const buildUnlinked = (field: Field, state: DomainParseState): DomainNode =>
  field.type === 'many2one' ? oneOf(field, [null]) : not(buildLinked(field, TRUE, state));

/** One of the records `ids` is on the other side. */
export function buildLinkedTo(field: Field, ids: number[], state: DomainParseState): DomainNode {
  if (field.type === 'many2one' || field.name === 'id') return oneOf(field, ids);
  if (ids.length === 0) return FALSE;
  const target = state.registry.get(field.relation!);
  return target ? buildLinked(field, oneOf(target.fields.get('id')!, ids), state) : FALSE;
}

/** By the links alone: the rules of the other model do not matter, and archived records as far as the list has them. */
export function buildLinked(field: Field, where: DomainNode, state: DomainParseState): DomainNode {
  const model = state.registry.get(field.relation!);
  const active = field.activeOnly ?? false;
  return model ? { kind: 'exists', field, model, where, ruled: false, active } : FALSE;
}

/** `<` and its like, by id. */
export function buildRelationComparison(condition: DomainCondition, state: DomainParseState): DomainNode {
  const { field, operator, value, item } = condition;
  if (field.type !== 'many2one' || typeof value !== 'number')
    throw errors.invalidCondition('value for', operator, item);
  return {
    kind: 'column',
    field,
    ...parseComparand(field, operator as ColumnOperator, value, state.clock, item),
  };
}

/** Where `child_of` and `parent_of` look. */
interface Hierarchy {
  target: Model;
  /** null: the target has no hierarchy. */
  parent: Field | null;
  /** What has to stand in the hierarchy. */
  column: Field;
}

/**
 * A many2one to the model itself is its own hierarchy, and then it is the record itself that must stand in it; else the
 * hierarchy is that of `parent_id`. @throws BAD_VALUE for a field that leads to no model
 */
export function resolveHierarchy(
  { model, field, operator, item }: DomainCondition,
  state: DomainParseState,
): Hierarchy {
  if (field.name !== 'id' && !field.relation)
    throw errors.invalidCondition('field', `${model.name}.${field.name} for '${operator}'`, item);
  const target = field.name === 'id' ? model : state.registry.get(field.relation!);
  if (!target) throw errors.invalidCondition('field', `${model.name}.${field.name}`, item);
  const isOwn = field.type === 'many2one' && target.name === model.name;
  const parent = isOwn ? field : findParentField(target);
  if (parent) state.reader?.checkField(target, parent);
  return { target, parent, column: field.type === 'many2one' && !isOwn ? field : target.fields.get('id')! };
}

function findParentField(model: Model): Field | null {
  const field = model.fields.get('parent_id');
  return field?.type === 'many2one' && field.relation === model.name ? field : null;
}
