import { type Ctx, sql } from '../kit/surface.ts';
import type { TicketTeam } from './setup.ts';

interface Candidate {
  id: number;
  open: number;
  /** Time of the member's last ticket from the team, as a Unix timestamp in seconds. 0 if there is none. */
  last: number;
}

/**
 * Picks team members for `count` new tickets by the team's method. Locks the team until the transaction ends, so that
 * concurrent tickets are not all assigned to the same member.
 */
export async function chooseAssignees(ctx: Ctx, team: TicketTeam, count: number): Promise<number[]> {
  const workspace = sql.param(ctx.workspace.id);
  await ctx.db.rows(
    sql`select 1 from helpdesk_team t where t.workspace_id = ${workspace} and t.id = ${team.id} for no key update`,
  );
  const candidates = await ctx.db.rows<Candidate>(
    sql`select m.user_id as id,
       (select count(*)::int from helpdesk_ticket t where t.workspace_id = ${workspace} and t.user_id = m.user_id
          and t.close_date is null and t.active) as open,
       (select coalesce(extract(epoch from max(t.assign_date)), 0)::float8 from helpdesk_ticket t
        where t.workspace_id = ${workspace} and t.team_id = ${team.id} and t.user_id = m.user_id) as last
     from helpdesk_team_member_rel m
     join res_users u on u.workspace_id = ${workspace} and u.id = m.user_id and u.active
     where m.workspace_id = ${workspace} and m.team_id = ${team.id}`,
  );
  return distributeTickets(candidates, team.assigns ?? 'randomly', count);
}

/** Distributes `count` tickets among the candidates, in order. Empty if there are no candidates. */
export function distributeTickets(
  candidates: readonly Candidate[],
  method: 'randomly' | 'balanced',
  count: number,
): number[] {
  if (candidates.length === 0) return [];
  const all = candidates.map((candidate) => ({ ...candidate }));
  let lastAssigned = Math.max(...all.map(({ last }) => last));
  return Array.from({ length: count }, () => {
    const [next] = all.sort(
      (a, b) => (method === 'balanced' ? a.open - b.open : 0) || a.last - b.last || a.id - b.id,
    );
    next!.open += 1;
    next!.last = lastAssigned += 1;
    return next!.id;
  });
}
