import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { assertCanCall } from '../../../src/engine/operation/policy.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { getSettingsLoader } from '../../settings/read-resource.ts';
import { WebhookCall, webhookCallResource } from './webhook-resources.ts';

const MAX_CALLS = 200;

builder.objectField(getRecordRef('svc.email'), 'webhookCalls', (t) =>
  t.field({
    type: [WebhookCall],
    nullable: true,
    description:
      `Up to ${MAX_CALLS} webhook calls for the email's events, newest first. Rejected for callers who ` +
      'cannot read webhooks.',
    extensions: { size: MAX_CALLS },
    resolve: async ({ id }, _args, ctx, info) => {
      if (!ctx.sudo) assertCanCall(ctx, webhookCallResource.policy);
      const calls = await getSettingsLoader(ctx, webhookCallResource, info).loadMany(
        await loadCalls(ctx).load(id),
      );
      return calls.filter((call) => call !== null) as never;
    },
  }),
);

/** Loads the calls of all emails on a page with one statement. Access was already checked when the emails were read. */
const loadCalls = (ctx: Ctx) =>
  getLoader<number[]>(ctx, 'svc.email webhook calls', (ids) => loadCallsOfEmails(ctx, ids), []);

async function loadCallsOfEmails(ctx: Ctx, ids: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await ctx.db.rows<{ id: number; calls: number[] }>(
    sql`select e.id, array(select c.id from svc_webhook_call c
         where c.workspace_id = ${ctx.workspace.id} and c.email_id = e.id order by c.id desc
           limit ${MAX_CALLS}) as calls
       from unnest(${ids}::int8[]) e(id)`,
  );
  return new Map(rows.map((row) => [Number(row.id), row.calls.map(Number)]));
}
