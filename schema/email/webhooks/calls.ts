import { randomUUID } from 'node:crypto';
import { GraphQLBoolean } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { GraphQLJson } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { WIDE_MAX } from '../../../src/engine/value/number.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { scheduleCallsDue } from '../state/webhook-calls.ts';
import { TEST_EVENT_TYPE } from './event-types.ts';
import { WebhookCall, webhookCallResource } from './webhook-resources.ts';
import { buildWebhookPolicy } from './webhooks.ts';

defineModel('svc.webhook.call', {
  group: 'data',
  display: 'type',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: {
    type: 'WebhookCall',
    one: 'webhookCall',
    many: 'webhookCalls',
    names: { public_id: 'callId' },
    prisma: true,
  },
});

/** @throws NOT_FOUND */
async function getWebhookStatus(ctx: Ctx, webhookId: number): Promise<string> {
  const [webhook] = await ctx.db.rows<{ status: string }>(
    sql`select status from svc_webhook where workspace_id = ${ctx.workspace.id} and id = ${webhookId}`,
  );
  if (!webhook) throw errors.notFound('Webhook');
  return webhook.status;
}

export const webhookTest = defineOperation('webhookTest', {
  effects: ['writes', 'sends'],
  policy: buildWebhookPolicy('webhook.test'),
  description:
    'Calls a webhook with a test event, ignoring its filters, and returns the call. The webhook must be active.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Webhook id.' }) }),
  type: WebhookCall,
  returns: GraphQLJson,
  async run(ctx, args) {
    const id = parseRowId(args.id);
    const data = { test: true, webhookId: String(id), sentAt: new Date().toISOString() };
    const [call] = await ctx.db.rows<{ id: number; callId: string }>(
      sql`insert into svc_webhook_call (workspace_id, id, webhook_id, public_id, type, data)
       select w.workspace_id, ${await allocateId(ctx, 'svc_webhook_call')}::int8, w.id, ${randomUUID()},
         ${TEST_EVENT_TYPE}, ${JSON.stringify(data)}::jsonb
       from svc_webhook w where w.workspace_id = ${ctx.workspace.id} and w.id = ${id} and w.status = 'ACTIVE'
       returning id, public_id as "callId"`,
    );
    if (!call)
      throw errors.badRequest(
        `The webhook is ${await getWebhookStatus(ctx, id)}. Use webhookUpdate to set its status to ACTIVE first.`,
      );
    scheduleCallsDue(ctx.db, ctx.workspace.id, 1);
    return call;
  },
  answer: (ctx, call, _args, info) => returnResource(ctx, webhookCallResource, call.id, info),
});

export const webhookRedeliver = defineOperation('webhookRedeliver', {
  effects: ['writes', 'sends'],
  policy: buildWebhookPolicy('webhook.redeliver'),
  description:
    'Repeats a finished webhook call under the same id, with a new series of attempts. Returns the call.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Call id.' }) }),
  type: WebhookCall,
  returns: GraphQLBoolean,
  async run(ctx, args) {
    const id = parseRowId(args.id, WIDE_MAX);
    const rows = await ctx.db.rows(
      sql`update svc_webhook_call set status = 'PENDING', attempt = 0, run_at = now(), write_date = now()
       where workspace_id = ${ctx.workspace.id} and id = ${id} and status in ('DELIVERED', 'FAILED', 'DISCARDED')
       returning id`,
    );
    if (rows.length === 0) await rejectWaitingCall(ctx, id);
    scheduleCallsDue(ctx.db, ctx.workspace.id, 1);
    return true;
  },
  answer: (ctx, _done, { id }, info) => returnResource(ctx, webhookCallResource, id, info),
});

/** @throws NOT_FOUND, BAD_REQUEST if the call is still pending */
async function rejectWaitingCall(ctx: Ctx, id: number): Promise<void> {
  const [call] = await ctx.db.rows<{ status: string }>(
    sql`select status from svc_webhook_call where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!call) throw errors.notFound('Webhook call');
  throw errors.badRequest(`The call is ${call.status}. Only a finished call can be repeated.`);
}
