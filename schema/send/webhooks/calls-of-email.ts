import DataLoader from 'dataloader';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { checkMayCall } from '../../../src/engine/verb/policy.ts';
import { recordRef } from '../../../src/engine/verb/record-ref.ts';
import { limits } from '../../../src/limits.ts';
import { settingsLoader } from '../../settings/one.ts';
import { callNoun, WebhookCall } from './webhook-nouns.ts';

const most = limits.webhook.callsOfEmail;

builder.objectField(recordRef('svc.email'), 'webhookCalls', (t) =>
  t.field({
    type: [WebhookCall],
    nullable: true,
    description:
      `Calls of webhooks for what happened to it, the newest first, at most ${most}. Refused to callers who cannot ` +
      'read webhooks.',
    extensions: { size: most },
    resolve: async ({ id }, _args, ctx, info) => {
      if (!ctx.sudo) checkMayCall(ctx, callNoun.policy);
      const calls = await settingsLoader(ctx, callNoun, info).loadMany(await loaderOf(ctx).load(id));
      return calls.filter((call) => call !== null) as never;
    },
  }),
);

const KEY = 'svc.email webhook calls';

/** The calls of all emails of a page come with one statement. The emails themselves have been read under the rules. */
function loaderOf(ctx: Ctx): DataLoader<number, number[]> {
  let loader = ctx.loaded.get(KEY) as DataLoader<number, number[]> | undefined;
  if (!loader) {
    loader = new DataLoader((ids) => callsOfEmails(ctx, ids));
    ctx.loaded.set(KEY, loader);
  }
  return loader;
}

async function callsOfEmails(ctx: Ctx, ids: readonly number[]): Promise<number[][]> {
  const rows = await ctx.db.rows<{ id: number; calls: number[] }>(
    sql`select e.id, array(select c.id from svc_webhook_call c
         where c.workspace_id = ${ctx.workspace.id} and c.email_id = e.id order by c.id desc limit ${most}) as calls
       from unnest(${ids}::int8[]) e(id)`,
  );
  const byId = new Map(rows.map((row) => [Number(row.id), row.calls.map(Number)]));
  return ids.map((id) => byId.get(id) ?? []);
}
