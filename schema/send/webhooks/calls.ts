import { iso } from '../../../src/db/iso.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { jsonList } from '../kit/json-list.ts';
import { adminReads } from '../kit/policies.ts';
import { TEST } from './kinds.ts';
import { changes } from './webhooks.ts';

defineModel('svc.webhook.call', {
  display: 'type',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'WebhookCall', one: 'webhookCall', many: 'webhookCalls' },
});

const STATES = ['PENDING', 'IN_PROGRESS', 'DELIVERED', 'FAILED', 'DISCARDED'];

verb('webhookCallList', {
  kind: 'query',
  policy: adminReads,
  description: "Returns a page of a webhook's calls with request and response, newest first.",
  args: (arg) => ({
    webhookId: arg.int({ required: true, description: 'Webhook whose calls to return.' }),
    status: arg.string({ description: `Only calls with this status: ${STATES.join(', ')}.` }),
    before: arg.int({ description: 'Page cursor: return only calls before this id.' }),
    limit: arg.int({ defaultValue: 50, description: 'Calls per page.' }),
  }),
  async run(ctx, { webhookId, status, before, limit }) {
    if (status && !STATES.includes(status)) throw errors.badRequest(`status: one of ${STATES.join(', ')}.`);
    await stateOf(ctx, webhookId);
    return jsonList(
      ctx.db,
      sql`select id, public_id as "callId", type, status, attempt, payload, response_status as "responseStatus",
         response_text as "responseText", response_ms as "responseMs", last_error as "lastError",
         ${iso(sql`run_at`)} as "nextAttemptAt", ${iso(sql`create_date`)} as "createdAt",
         ${iso(sql`write_date`)} as "updatedAt"
       from svc_webhook_call
       where workspace_id = ${ctx.workspace.id} and webhook_id = ${webhookId}
         and ${status ? sql`status = ${status}` : sql`true`} and ${before == null ? sql`true` : sql`id < ${before}`}
       order by id desc limit ${Math.min(limits.webhook.page, Math.max(1, limit ?? 50))}`,
    );
  },
});

/** @throws NOT_FOUND */
async function stateOf(ctx: Ctx, webhookId: number): Promise<string> {
  const [webhook] = await ctx.db.rows<{ status: string }>(
    sql`select status from svc_webhook where workspace_id = ${ctx.workspace.id} and id = ${webhookId}`,
  );
  if (!webhook) throw errors.notFound('Webhook');
  return webhook.status;
}

verb('webhookTest', {
  kind: 'mutation',
  policy: changes('webhook.test'),
  description:
    'Calls a webhook with a test event, ignoring its filters, and returns the ids of the call. The webhook must' +
    ' be active.',
  args: (arg) => ({ id: arg.int({ required: true, description: 'Webhook id.' }) }),
  async run(ctx, { id }) {
    const data = { test: true, webhookId: String(id), sentAt: new Date().toISOString() };
    const [call] = await ctx.db.rows<{ id: number; callId: string }>(
      sql`insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, data)
       select workspace_id, id, gen_random_uuid(), ${TEST}, ${JSON.stringify(data)}::jsonb
       from svc_webhook where workspace_id = ${ctx.workspace.id} and id = ${id} and status = 'ACTIVE'
       returning id, public_id as "callId"`,
    );
    if (!call)
      throw errors.badRequest(
        `The webhook is ${await stateOf(ctx, id)}. Use webhookUpdate to set its status to ACTIVE first.`,
      );
    return call;
  },
});

verb('webhookRedeliver', {
  kind: 'mutation',
  policy: changes('webhook.redeliver'),
  description: 'Repeats a finished call under the same id, with new attempts, ahead of pending calls.',
  args: (arg) => ({ id: arg.int({ required: true, description: 'Call id.' }) }),
  type: 'Boolean',
  async run(ctx, { id }) {
    const rows = await ctx.db.rows(
      sql`update svc_webhook_call set status = 'PENDING', attempt = 0, run_at = now(), write_date = now()
       where workspace_id = ${ctx.workspace.id} and id = ${id} and status in ('DELIVERED', 'FAILED', 'DISCARDED')
       returning id`,
    );
    if (rows.length === 0) await refuseWaiting(ctx, id);
    return true;
  },
});

/** @throws NOT_FOUND, BAD_REQUEST for a call that will be made anyway */
async function refuseWaiting(ctx: Ctx, id: number): Promise<void> {
  const [call] = await ctx.db.rows<{ status: string }>(
    sql`select status from svc_webhook_call where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!call) throw errors.notFound('Webhook call');
  throw errors.badRequest(`The call is ${call.status}. Only a finished call can be repeated.`);
}
