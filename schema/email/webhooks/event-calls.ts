import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { onEvent, type WorkspaceEvent } from '../../../src/engine/work/events.ts';
import { DOMAIN_EVENT_JSON } from '../domains/domains.ts';
import {
  buildCallPublicId,
  createCallIdPrefix,
  matchesWebhook,
  scheduleCallsDue,
} from '../state/webhook-calls.ts';
import { WEBHOOK_EVENT_TYPES } from './event-types.ts';

for (const kind of WEBHOOK_EVENT_TYPES.filter((webhookEventType) =>
  /^(agent|contact|domain)\./.test(webhookEventType),
))
  onEvent(kind, (event, { db }) => createCalls(db, event));

/** Queues the webhook calls for an event. Idempotent. */
async function createCalls(db: Db, { id, workspaceId, topic, payload }: WorkspaceEvent): Promise<void> {
  const domainId = topic.startsWith('domain.') ? Number(payload.id) : null;
  const data = domainId === null ? payload : ((await loadDomainData(db, workspaceId, domainId)) ?? payload);
  const kind = sql.param(topic);
  const workspace = sql.param(workspaceId);
  const [firstId] = await db.idAllocator.allocate(workspaceId, 'svc_webhook_call', 1);
  const calls = await db.rows(
    sql`insert into svc_webhook_call (workspace_id, id, webhook_id, public_id, type, data, event_id)
     select w.workspace_id, ${firstId}::int8 + row_number() over (order by w.id), w.id,
       ${buildCallPublicId(createCallIdPrefix())}, ${kind}, ${JSON.stringify(data)}::jsonb, ${id}
     from svc_webhook w
     where w.workspace_id = ${workspace} and ${matchesWebhook(sql`${kind}`, sql`${sql.param(domainId)}::int`)}
     on conflict (workspace_id, webhook_id, event_id) do nothing returning webhook_id`,
  );
  scheduleCallsDue(db, workspaceId, calls.length);
}

async function loadDomainData(db: Db, workspaceId: number, id: number): Promise<object | null> {
  const [row] = await db.rows<{ data: object }>(
    sql`select ${DOMAIN_EVENT_JSON} as data from svc_domain where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row?.data ?? null;
}
