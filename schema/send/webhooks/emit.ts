import type { Db } from '../../../src/db/pool.ts';
import { type Event, onEvent } from '../../../src/engine/work/events.ts';
import { DOMAIN_EVENT } from '../domain-json.ts';
import { KINDS } from './kinds.ts';

/** What of events a webhook wants: `kind` and `domain` are SQL. */
const wanted = (kind: string, domain: string): string =>
  `w.status = 'ACTIVE' and (cardinality(w.event_types) = 0 or ${kind} = any(w.event_types))
   and (cardinality(w.domain_ids) = 0 or ${domain} is null or ${domain} = any(w.domain_ids))`;

/**
 * SQL that makes calls of the webhooks for what happened to emails, in the transaction in which it happened. `rows` has
 * the columns `workspace_id`, `email_id`, `domain_id`, `status` and `data`.
 */
export const callsOf = (rows: string, order = ''): string => `
  insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, email_id, email_status, data)
  select r.workspace_id, w.id, gen_random_uuid(), 'email.' || lower(r.status), r.email_id, r.status, r.data
  from ${rows} r join svc_webhook w on w.workspace_id = r.workspace_id
    and ${wanted(`'email.' || lower(r.status)`, 'r.domain_id')} ${order}`;

for (const kind of KINDS.filter((each) => /^(contact|domain)\./.test(each)))
  onEvent(kind, (event, { db }) => callFor(db, event));

/** An event that is told of twice makes no second call. */
async function callFor(db: Db, { id, workspaceId, topic, payload }: Event): Promise<void> {
  const domainId = topic.startsWith('domain.') ? Number(payload.id) : null;
  const data = domainId === null ? payload : ((await domainData(db, workspaceId, domainId)) ?? payload);
  await db.rows(
    `insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, data, event_id)
     select w.workspace_id, w.id, gen_random_uuid(), $2, $3::jsonb, $4
     from svc_webhook w where w.workspace_id = $1 and ${wanted('$2', '$5::int')}
     on conflict (workspace_id, webhook_id, event_id) do nothing`,
    [workspaceId, topic, JSON.stringify(data), id, domainId],
  );
}

/** The domain as it is now; null when it is gone. */
async function domainData(db: Db, workspaceId: number, id: number): Promise<object | null> {
  const [row] = await db.rows<{ data: object }>(
    `select ${DOMAIN_EVENT} as data from svc_domain where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return row?.data ?? null;
}
