import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Caller, Consent } from '../../../src/engine/ctx/runtime.ts';

export async function storeAgentConsent(
  db: Db,
  { workspace, principal }: Caller,
  consent: Consent,
): Promise<void> {
  const { grantHash, clientId, clientName, redirectHost, scopes, seconds } = consent;
  const [id] = await db.idAllocator.allocate(workspace.id, 'svc_connected_agent', 1);
  const expires = new Date(Date.now() + seconds * 1000).toISOString().slice(0, 23);
  await db.rows(
    sql`insert into svc_connected_agent
        (workspace_id, id, user_id, grant_hash, client_id, client_name, redirect_host, scopes, expires_at)
      values (${workspace.id}, ${id}, ${principal.userId}, ${grantHash}, ${clientId}, ${clientName},
        ${redirectHost}, ${scopes}, ${expires}::timestamp)`,
  );
  // The agent keeps its history and the counts of the day.
  const own = sql.param(workspace.id);
  await db.rows(
    sql`update svc_agent set ref = ${id}::text, revoked_at = null
     where workspace_id = ${own} and id = (
       select a.id from svc_agent a
       join svc_connected_agent c on c.workspace_id = ${own} and c.id::text = a.ref
       where a.workspace_id = ${own} and a.kind = 'oauth' and c.user_id = ${principal.userId}
         and c.client_id = ${clientId}
       order by a.last_call_at desc limit 1)`,
  );
}
