import { errors } from '../../errors.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { DomainCondition, DomainParseState } from './condition.ts';
import { type ColumnOperator, type DomainNode, FALSE, not, oneOf, TRUE } from './node.ts';
import { isUnset, parseComparand, parseId } from './operands.ts';

/** Looks up the related model of `field`, which the reader must be allowed to read. */
export function resolveTarget(field: Field, state: DomainParseState, item: unknown): Model {
  const target = state.registry.get(field.relation!);
  if (!target) throw errors.invalidCondition('field', field.name, item);
  state.reader?.checkModel(target);
  return target;
}

/**
 * Builds a condition on related records under the reader's rules. Excludes archived lines unless the condition mentions
 * `active`.
 */
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

/** A many2one may point to an archived record. */
export const excludesArchived = (field: Field, { reader }: DomainParseState): boolean =>
  reader !== null && reader.activeTest !== false && field.type !== 'many2one';

/** Numeric text may be an id, because forms and n8n send every value as text. */
export const isRecordName = (value: unknown): boolean => typeof value === 'string' && !/^\d+$/.test(value);

/**
 * Extracts the ids from the values that a relation is compared with.
 * @throws BAD_VALUE
 */
export const parseIdOperands = (values: unknown[], item: unknown): number[] =>
  values
    .filter((value) => !isUnset(value) && !isRecordName(value))
    .map((value) => parseId(value, item))
    .filter((id) => id !== undefined);

/** Matches if there is no related record. */
export const buildUnlinked = (field: Field, state: DomainParseState): DomainNode =>
  field.type === 'many2one' ? oneOf(field, [null]) : not(buildLinked(field, TRUE, state));

/** Matches if one of the records `ids` is related. */
export function buildLinkedTo(field: Field, ids: number[], state: DomainParseState): DomainNode {
  if (field.type === 'many2one' || field.name === 'id') return oneOf(field, ids);
  if (ids.length === 0) return FALSE;
  const target = state.registry.get(field.relation!);
  return target ? buildLinked(field, oneOf(target.fields.get('id')!, ids), state) : FALSE;
}

/** Tests links without the rules of the other model. Archived records match unless the list excludes them. */
export function buildLinked(field: Field, where: DomainNode, state: DomainParseState): DomainNode {
  const model = state.registry.get(field.relation!);
  const active = field.activeOnly ?? false;
  return model ? { kind: 'exists', field, model, where, ruled: false, active } : FALSE;
}

/** `<`, `>`, `<=` and `>=` compare ids. */
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

/** Hierarchy that `child_of` and `parent_of` search. */
interface Hierarchy {
  target: Model;
  /** Null if the target has no hierarchy. */
  parent: Field | null;
  /** The field whose value must be in the hierarchy. */
  column: Field;
}

/**
 * Determines the hierarchy. A many2one to its own model is a hierarchy that must contain the record itself. All other
 * fields use the hierarchy of `parent_id`.
 * @throws BAD_VALUE for a field without a related model
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
