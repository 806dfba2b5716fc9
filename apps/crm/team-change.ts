import { getModel } from '../../src/engine/access/create-statement.ts';
import { type Ctx, sql, type Values, write } from '../kit/surface.ts';
import { isTeamMember, type Pipeline, type PipelineTeam } from './pipeline.ts';

interface TeamChange {
  model: 'crm.lead' | 'sale.order';
  ids: number[];
  /** The new salesperson. */
  user: number;
  team: PipelineTeam;
  pipeline: Pipeline;
}

/** Moves records to a team of their new salesperson, unless they are already in one of these teams (as in Odoo 19). */
export async function changeTeam(ctx: Ctx, values: Values, change: TeamChange): Promise<void> {
  const { model, ids, user, team, pipeline } = change;
  const rows = await ctx.db.rows<{ id: number; team_id: number | null }>(
    sql`select id, team_id from ${sql.id(getModel(ctx, model).table)}
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  const movedIds = rows.filter((row) => !isTeamMember(pipeline, row.team_id, user)).map((row) => row.id);
  if (movedIds.length === rows.length) values.team_id = team.id;
  else if (movedIds.length > 0) await write(ctx, model, movedIds, { team_id: team.id });
}
