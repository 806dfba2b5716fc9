import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Values } from '../model/model.ts';
import { assignExternalIds, findRecordsByExternalId } from '../read/external-ids.ts';
import { create } from './write.ts';

/**
 * Creates the records whose external ids (`module.name`) do not exist yet.
 * @returns the ids of new and existing records, by name
 */
export async function addRecords<K extends string>(
  ctx: Ctx,
  module: string,
  model: string,
  records: Record<K, Values>,
): Promise<Record<K, number>> {
  const names = Object.keys(records) as K[];
  const ids = await findRecordIds(ctx, module, names);
  const missingNames = names.filter((name) => !ids.has(name));
  const createdIds = missingNames.length
    ? await create(
        ctx,
        model,
        missingNames.map((name) => records[name]),
      )
    : [];
  const externalIds = missingNames.map((name, index) => ({
    xmlid: `${module}.${name}`,
    id: createdIds[index]!,
  }));
  await assignExternalIds(ctx, getModel(ctx, model), externalIds, true);
  missingNames.forEach((name, index) => {
    ids.set(name, createdIds[index]!);
  });
  return Object.fromEntries(names.map((name) => [name, ids.get(name)!])) as Record<K, number>;
}

/** Finds record ids by the part of the external id after the module. Omits missing records. */
export async function findRecordIds(ctx: Ctx, module: string, names: string[]): Promise<Map<string, number>> {
  const xmlids = names.map((name) => `${module}.${name}`);
  const idsByName = await findRecordsByExternalId(ctx, null, xmlids);
  return new Map([...idsByName].map(([xmlid, id]) => [xmlid.slice(module.length + 1), id]));
}
