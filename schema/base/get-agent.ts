import { type Param, type Sql, sql } from '../../src/db/sql.ts';
import type { Principal } from '../../src/engine/model/principal.ts';

/** Identifies an agent by its key or its OAuth consent. */
export const getAgent = ({ agent }: Principal): { kind: 'key' | 'oauth'; ref: string } | null =>
  agent && { kind: agent.kind, ref: String(agent.id) };

/**
 * Builds SQL for the `ref` of the agent's row. All consents of a user to the same client share the row of the newest,
 * so that another consent does not reset the daily counts.
 */
export const buildAgentRefSql = (workspace: Param, { kind, ref }: { kind: string; ref: string }): Sql =>
  kind === 'key'
    ? sql`${ref}`
    : sql`(select max(n.id)::text from svc_connected_agent c
        join svc_connected_agent n on n.workspace_id = ${workspace} and n.user_id = c.user_id
          and n.client_id = c.client_id
        where c.workspace_id = ${workspace} and c.id = ${Number(ref)})`;
