import { isObject } from '../../json.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isListField } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';

/** Effects that a change to a record has on other records. */
interface ListEffects {
  /** True if x2many commands delete records, or if the change to the record itself may. */
  deletes: boolean;
  createdCount: number;
  /** Includes records added to or removed from a one2many field. */
  writtenCount: number;
  /** True if a change may send mail, including the change to the record itself. */
  sends: boolean;
}

/**
 * Computes the effects of the commands in `values` at any depth, regardless of the caller's access. Ignores invalid
 * commands and unknown models.
 * @param isNew true if the values belong to a new record, whose lists are empty
 */
export function computeListEffects(ctx: Ctx, name: string, values: object, isNew: boolean): ListEffects {
  const effects = { deletes: false, createdCount: 0, writtenCount: 0, sends: false };
  const model = ctx.catalog.registry.get(name);
  if (model) addValueEffects(ctx, effects, model, values, isNew);
  return effects;
}

function addValueEffects(ctx: Ctx, effects: ListEffects, model: Model, values: object, isNew: boolean): void {
  effects.sends ||= model.options.sends === true;
  effects.deletes ||= !isNew && model.options.deletesOnWrite?.(values as Values) === true;
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name);
    if (!field || !isListField(field)) continue;
    const target = ctx.catalog.registry.get(field.relation!);
    if (!target) continue;
    for (const command of parseCommands(value))
      addCommandEffects(ctx, effects, { field, target, isNew }, command);
  }
}

/** Parses an x2many field's value into list commands. Ignores invalid ones. */
export function parseCommands(value: unknown): unknown[][] {
  if (value === false || value === null) return [[5]];
  if (!Array.isArray(value)) return [];
  if (value.length > 0 && value.every((item) => typeof item === 'number')) return [[6, 0, value]];
  return value.filter((item) => Array.isArray(item));
}

interface ListTarget {
  field: Field;
  target: Model;
  isNew: boolean;
}

function addCommandEffects(
  ctx: Ctx,
  effects: ListEffects,
  list: ListTarget,
  [code, , extra]: unknown[],
): void {
  const { target, field } = list;
  switch (code) {
    case 0:
    case 1:
      if (code === 0) effects.createdCount++;
      else effects.writtenCount++;
      if (isObject(extra)) addValueEffects(ctx, effects, target, extra, code === 0);
      return;
    case 2:
      effects.deletes = true;
      effects.writtenCount++;
      return;
    case 3:
    case 5:
    case 6:
      if (!list.isNew && deletesRemovedLines(list)) effects.deletes = true;
  }
  if (!field.join) effects.writtenCount += Array.isArray(extra) ? extra.length : 1;
}

function deletesRemovedLines({ field, target }: ListTarget): boolean {
  const inverse = field.join ? undefined : target.fields.get(field.inverse ?? '');
  return inverse !== undefined && (inverse.required || inverse.onDelete === 'cascade');
}
