import { errors } from '../../errors.ts';
import { modelOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Values } from '../model/model.ts';
import { idsWithout } from '../value/ids-without.ts';
import { type ExternalId, externalIdsOf } from './external-ids.ts';
import { read } from './records.ts';

const LOG = ['create_uid', 'create_date', 'write_uid', 'write_date'];

/** Who made and changed the records and when, and their external ids: `{id, create_uid… xmlid, noupdate, xmlids}`. */
export async function recordMetadata(ctx: Ctx, name: string, ids: number[]): Promise<Values[]> {
  const model = modelOf(ctx, name);
  const log = LOG.filter((field) => model.fields.has(field));
  const rows = (await read(ctx, { model: name, ids, fields: ['id', ...log] })).value<
    (Values & { id: number })[]
  >();
  const named = await externalIdsOf(ctx, model, ids);
  return rows.map((row) => ({
    id: row.id,
    ...Object.fromEntries(LOG.map((field) => [field, row[field] ?? false])),
    ...namesOf(named.get(row.id) ?? []),
  }));
}

const namesOf = (xmlids: ExternalId[]): Values => ({
  xmlid: xmlids[0]?.xmlid ?? false,
  noupdate: xmlids[0]?.noupdate ?? false,
  xmlids: xmlids.map(({ xmlid, noupdate }) => ({ xmlid, noupdate })),
});

/** The external id of each record by its id; '' without one. @throws MISSING */
export async function externalIds(ctx: Ctx, name: string, ids: number[]): Promise<Record<string, string>> {
  const model = modelOf(ctx, name);
  const rows = (await read(ctx, { model: name, ids, fields: ['id'] })).value<{ id: number }[]>();
  const absent = idsWithout(
    ids,
    rows.map((row) => row.id),
  );
  if (absent.length) throw errors.missing(name, absent, ctx.principal?.userId);
  const named = await externalIdsOf(ctx, model, ids);
  return Object.fromEntries(ids.map((id) => [id, named.get(id)?.[0]?.xmlid ?? '']));
}
