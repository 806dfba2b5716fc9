import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';

/**
 * Marks a confirmation as used, in a separate transaction so that it stays used if the call fails.
 * @returns false if it was already used
 */
export async function spendConfirmation(ctx: Ctx, nonce: string, expires: Date): Promise<boolean> {
  const rows = await ctx.runtime.db.rows(
    sql`insert into svc_agent_spent (workspace_id, nonce, expires_at)
     values (${ctx.workspace.id}, ${nonce}, ${expires.toISOString().slice(0, 23)}::timestamp)
     on conflict (workspace_id, nonce) do nothing returning nonce`,
  );
  return rows.length > 0;
}

/** Used confirmations are kept only until they expire. */
definePurgeJob('agent-spent-purge', '41 * * * *', {
  table: 'svc_agent_spent',
  time: 'expires_at',
  before: sql`now() - make_interval(hours => 1)`,
  key: { nonce: 'text' },
});
