import { checkModel } from '../../../src/engine/access.ts';
import type { Ctx } from '../../../src/engine/ctx.ts';
import { toWall } from '../../../src/engine/instant.ts';
import { defineModel, type Values } from '../../../src/engine/model.ts';
import { checkRows, modelOf } from '../../../src/engine/records.ts';
import { verb } from '../../../src/engine/verb.ts';
import { errors } from '../../../src/errors.ts';
import { dateParts, type Numbers, sequenceNames } from './sequence-name.ts';

/** Numbers for names of records, such as S00042. */
defineModel('ir.sequence', {
  searchNames: ['name', 'code'],
  order: 'name, id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
  computed: {
    number_next_actual: {
      type: 'integer',
      label: 'Actual Next Number',
      sql: (row) => `${row}.number_next`,
    },
  },
  beforeCreate: (_ctx, list) => list.forEach(prepare),
  beforeWrite: (_ctx, values) => prepare(values),
});

/** @throws USER_ERROR, VALIDATION */
function prepare(values: Values): void {
  if (values.number_next_actual !== undefined) values.number_next ??= values.number_next_actual;
  delete values.number_next_actual;
  if (values.number_increment === 0)
    throw errors.validation("The field 'number_increment' (step) must not be zero.");
  if (typeof values.padding === 'number' && (values.padding < 0 || values.padding > 40))
    throw errors.validation("The field 'padding' (sequence size) goes from 0 to 40.");
  for (const part of [values.prefix, values.suffix])
    if (typeof part === 'string')
      sequenceNames({ prefix: part, suffix: '', padding: 0, first: 1, step: 1 }, 1, dateParts(0));
}

/**
 * The next `count` names of the sequence with `code`: the caller's company's own, else the one for all. Whoever takes
 * names at the same time waits until this transaction ends, and gets others.
 * @returns null when there is no such sequence
 */
export const nextNames = (ctx: Ctx, code: string, count: number): Promise<string[] | null> =>
  take(
    ctx,
    `select id from ir_sequence where workspace_id = $1 and code = $2 and active and (company_id is null or company_id = $4)
     order by company_id nulls last, id limit 1`,
    code,
    count,
  );

/** @param which SQL for the sequence's id; `$2` is `key`, `$4` the caller's company */
async function take(ctx: Ctx, which: string, key: string | number, count: number): Promise<string[] | null> {
  const [numbers] = await ctx.db.rows<Numbers & Record<string, unknown>>(
    `update ir_sequence s set number_next = number_next + number_increment * $3::int
     where s.workspace_id = $1 and s.id = (${which})
     returning prefix, suffix, padding, number_next - number_increment * $3::int as first, number_increment as step`,
    [ctx.workspace.id, key, count, ctx.principal?.companyId ?? null],
  );
  if (!numbers) return null;
  const tz = ctx.context.tz ?? ctx.principal?.tz ?? 'UTC';
  return sequenceNames(numbers, count, dateParts(toWall(Date.now(), tz)));
}

verb('sequenceNextByCode', {
  kind: 'mutation',
  address: 'ir.sequence/next_by_code',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'The next name of the sequence with a code; false when there is none.',
  args: (arg) => ({ sequence_code: arg.string({ required: true }) }),
  run: async (ctx, { sequence_code: code }) => {
    checkModel(ctx, modelOf(ctx, 'ir.sequence'), 'read');
    return (await nextNames(ctx, code, 1))?.[0] ?? false;
  },
});

verb('sequenceNextById', {
  kind: 'mutation',
  address: 'ir.sequence/next_by_id',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'The next name of the given sequence.',
  args: (arg) => ({ ids: arg.intList({ required: true }) }),
  type: 'String',
  run: async (ctx, { ids }) => {
    const model = modelOf(ctx, 'ir.sequence');
    checkModel(ctx, model, 'read');
    const [id] = ids.length === 1 ? await checkRows(ctx, model, ids, 'read') : [];
    const names =
      id &&
      (await take(
        ctx,
        'select id from ir_sequence where workspace_id = $1 and id = $2 and $4::int is distinct from 0',
        id,
        1,
      ));
    if (!names) throw errors.missing('ir.sequence', ids.slice(0, 10));
    return names[0];
  },
});
