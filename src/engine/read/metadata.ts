import { getModel } from '../access/create-statement.ts';
import { assertNoneMissing } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Values } from '../model/model.ts';
import { type ExternalId, findExternalIds } from './external-ids.ts';
import { read } from './records.ts';

const LOG_FIELDS = ['create_uid', 'create_date', 'write_uid', 'write_date'];

/**
 * Reads when and by whom records were created and changed, and their external ids: `{id, create_uid… xmlid, noupdate,
 * xmlids}`.
 */
export async function readMetadata(ctx: Ctx, name: string, ids: number[]): Promise<Values[]> {
  const model = getModel(ctx, name);
  const log = LOG_FIELDS.filter((field) => model.fields.has(field));
  const rows = (await read(ctx, { model: name, ids, fields: ['id', ...log] })).value<
    (Values & { id: number })[]
  >();
  const externalIds = await findExternalIds(ctx, model, ids);
  return rows.map((row) => ({
    id: row.id,
    ...Object.fromEntries(LOG_FIELDS.map((field) => [field, row[field] ?? false])),
    ...formatExternalIds(externalIds.get(row.id) ?? []),
  }));
}

const formatExternalIds = (xmlids: ExternalId[]): Values => ({
  xmlid: xmlids[0]?.xmlid ?? false,
  noupdate: xmlids[0]?.noupdate ?? false,
  xmlids: xmlids.map(({ xmlid, noupdate }) => ({ xmlid, noupdate })),
});

/**
 * Returns each record's oldest external id, or an empty string.
 * @throws MISSING
 */
export async function readExternalIds(
  ctx: Ctx,
  name: string,
  ids: number[],
): Promise<Record<string, string>> {
  const model = getModel(ctx, name);
  const rows = (await read(ctx, { model: name, ids, fields: ['id'] })).value<{ id: number }[]>();
  assertNoneMissing(ctx, model, ids, rows);
  const externalIds = await findExternalIds(ctx, model, ids);
  return Object.fromEntries(ids.map((id) => [id, externalIds.get(id)?.[0]?.xmlid ?? '']));
}
