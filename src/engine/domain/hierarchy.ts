import { errors } from '../../errors.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { DomainCondition, DomainParseState } from './condition.ts';

interface Hierarchy {
  target: Model;
  /** Null if the target has no hierarchy. */
  parent: Field | null;
  column: Field;
}

/**
 * A many2one to its own model defines the hierarchy, which must contain the record itself. All other fields use the
 * related model's `parent_id`.
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
