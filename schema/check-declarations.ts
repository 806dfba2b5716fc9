import { limitRights } from '../src/engine/access/maximum-rights.ts';
import { parseOperationLetters } from '../src/engine/ctx/catalog.ts';
import type { Registry } from '../src/engine/model/model.ts';
import type { Operation } from '../src/engine/operation/operation.ts';

/**
 * Checks that models have valid rights for existing groups, that operations refer to existing models, and that no two
 * models have the same GraphQL type.
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
  for (const { name, model } of operations)
    if (model && model !== ANY_MODEL && !registry.has(model))
      throw new Error(`operation ${name}: its address names '${model}', which is not a model`);
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
