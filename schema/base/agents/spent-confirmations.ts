import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purgeRows } from '../../../src/engine/work/purge.ts';

/**
 * Uses up a confirmation in a transaction of its own, so that it stays used even if the call fails later. @returns
 * false if it was used before
 */
export async function spendConfirmation(ctx: Ctx, nonce: string, expires: Date): Promise<boolean> {
  const rows = await ctx.runtime.db.rows(
    sql`insert into svc_agent_spent (workspace_id, nonce, expires_at)
     values (${ctx.workspace.id}, ${nonce}, ${expires.toISOString().slice(0, 23)}::timestamp)
     on conflict (workspace_id, nonce) do nothing returning nonce`,
  );
  return rows.length > 0;
}

/** Deletes used confirmations that have expired. They are rejected for their age anyway. */
defineJob({
  name: 'agent-spent-purge',
  cron: '41 * * * *',
  run: async ({ db }) => {
    await purgeRows(db, {
      table: 'svc_agent_spent',
      time: 'expires_at',
      before: sql`now() - make_interval(hours => 1)`,
      key: { nonce: 'text' },
    });
  },
});
