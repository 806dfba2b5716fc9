import { limitRights } from '../src/engine/access/maximum-rights.ts';
import { parseOperationLetters } from '../src/engine/ctx/catalog.ts';
import type { FieldConditions, Model, Registry } from '../src/engine/model/model.ts';
import type { Operation } from '../src/engine/operation/operation.ts';

/**
 * Checks that models have valid rights for existing groups, that operations refer to existing models, that conditions
 * refer to existing fields and values, and that no two models have the same GraphQL type.
 * @param groups external ids of the groups in the code
 * @throws Error with the model or operation, and the name
 */
export function checkDeclarations(
  registry: Registry,
  operations: Iterable<Operation>,
  groups: ReadonlySet<string>,
): void {
  for (const model of registry.values()) {
    const { name, options } = model;
    if (options.team !== undefined && !/^[crwu]+$/.test(options.team))
      throw new Error(`model ${name}: its team is '${options.team}', but may only contain c, r, w and u`);
    for (const group of typeof options.ceiling === 'object' ? Object.keys(options.ceiling) : [])
      if (!groups.has(group))
        throw new Error(`model ${name}: its ceiling names '${group}', which is not a group`);
    for (const [group, rights] of Object.entries(options.access)) {
      if (!groups.has(group))
        throw new Error(`model ${name}: its access names '${group}', which is not a group`);
      if (!/^[crwu]+$/.test(rights))
        throw new Error(
          `model ${name}: its access for ${group} is '${rights}', but may only contain c, r, w and u`,
        );
      if (parseOperationLetters(rights).size > limitRights(model, group, parseOperationLetters(rights)).size)
        throw new Error(`model ${name}: its access for ${group} is '${rights}', which exceeds its ceiling`);
    }
  }
  rejectSharedTypes(registry);
  for (const model of registry.values())
    for (const [field, conditions] of Object.entries(model.options.shownFor ?? {}))
      rejectUnknownValues(model, `model ${model.name}: the field ${field}`, conditions);
  for (const operation of operations) {
    const { name, model } = operation;
    if (model && model !== ANY_MODEL && !registry.has(model))
      throw new Error(`operation ${name}: its address names '${model}', which is not a model`);
    if (operation.formAction) checkFormAction(operation, registry.get(model ?? ''));
  }
}

function checkFormAction(
  { name, formAction, onRecords, records, effects }: Operation,
  model: Model | undefined,
): void {
  if (!model || !onRecords || records !== model.name)
    throw new Error(
      `operation ${name}: its form action must take and return records of the model in its address`,
    );
  if (
    formAction!.question === undefined &&
    effects.some((effect) => effect === 'deletes' || effect === 'sends')
  )
    throw new Error(`operation ${name}: its form action needs a question, because it deletes or sends`);
  rejectUnknownValues(model, `operation ${name}: its form action`, formAction!.offeredFor ?? {});
}

function rejectUnknownValues({ fields }: Model, subject: string, conditions: FieldConditions): void {
  for (const [name, values] of Object.entries(conditions)) {
    const field = fields.get(name);
    const known: readonly unknown[] =
      field?.type === 'boolean' ? [true, false] : (field?.selection ?? []).map(([value]) => value);
    const unknown = values.find((value) => !known.includes(value));
    if (unknown !== undefined)
      throw new Error(`${subject} depends on ${name} = ${unknown}, which is not a value of the field`);
  }
}

function rejectSharedTypes(registry: Registry): void {
  const owners = new Map<string, string>();
  for (const { name, options } of registry.values()) {
    const type = options.graph?.type;
    const owner = type && owners.get(type);
    if (owner) throw new Error(`model ${name}: its GraphQL type ${type} is already used by ${owner}`);
    if (type) owners.set(type, name);
  }
}

const ANY_MODEL = '*';
