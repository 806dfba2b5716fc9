import { checkModel } from '../../../src/engine/access.ts';
import type { Ctx } from '../../../src/engine/ctx.ts';
import { verb } from '../../../src/engine/verb.ts';
import { create } from '../../../src/engine/write.ts';
import { errors } from '../../../src/errors.ts';
import { recordNamed } from '../ir/data.ts';
import { activeOf, reached } from './thread.ts';

verb('recordActivitySchedule', {
  kind: 'mutation',
  address: '*/activity_schedule',
  needs: 'activity_ids',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Plans an activity on each of the given records. Answers with the ids of the activities.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.intList({ required: true }),
    act_type_xmlid: arg.string({ defaultValue: '' }),
    date_deadline: arg.string(),
    summary: arg.string({ defaultValue: '' }),
    note: arg.string({ defaultValue: '' }),
    activity_type_id: arg.int(),
    user_id: arg.int(),
  }),
  type: ['Int'],
  run: (ctx, { model, ids, act_type_xmlid: xmlid, activity_type_id: type, ...values }) =>
    ctx.tx(async (tx) => {
      const target = activeOf(tx, model, 'activity_schedule');
      checkModel(tx, target, 'write');
      await reached(tx, target, ids, 'write');
      const activity = { ...given(values), activity_type_id: type ?? (await typeNamed(tx, xmlid ?? '')) };
      return create(
        tx,
        'mail.activity',
        ids.map((id) => ({ ...activity, res_model: model, res_id: id })),
      );
    }),
});

const given = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

async function typeNamed(ctx: Ctx, xmlid: string): Promise<number | false> {
  if (!xmlid) return false;
  const [module, ...name] = xmlid.split('.');
  const found = await recordNamed(ctx, module!, name.join('.'));
  if (found?.model !== 'mail.activity.type')
    throw errors.badValue(`External ID not found in the system: ${xmlid.slice(0, 160)}`);
  return found.id;
}
