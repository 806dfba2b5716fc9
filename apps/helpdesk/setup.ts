import { type Ctx, sql } from '../kit/surface.ts';

interface TicketStage {
  id: number;
  closes: boolean;
  teams: number[];
}

export interface TicketTeam {
  id: number;
  companyId: number | null;
  members: number[];
  assigns: 'randomly' | 'balanced' | null;
}

export interface HelpdeskSetup {
  stages: TicketStage[];
  teams: TicketTeam[];
}

export async function loadHelpdeskSetup(ctx: Ctx): Promise<HelpdeskSetup> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<HelpdeskSetup>(
    sql`select
       (select coalesce(json_agg(json_build_object('id', s.id, 'closes', s.is_close, 'teams',
          array(select r.team_id from helpdesk_team_stage_rel r
            where r.workspace_id = ${workspace} and r.stage_id = s.id)) order by s.sequence, s.name, s.id), '[]')
        from helpdesk_stage s where s.workspace_id = ${workspace} and s.active) as stages,
       (select coalesce(json_agg(json_build_object('id', t.id, 'companyId', t.company_id,
          'assigns', case when t.auto_assignment then t.assign_method end, 'members',
          array(select m.user_id from helpdesk_team_member_rel m
            where m.workspace_id = ${workspace} and m.team_id = t.id)) order by t.sequence, t.name, t.id), '[]')
        from helpdesk_team t where t.workspace_id = ${workspace} and t.active) as teams`,
  );
  return row!;
}

export const isStageFor = ({ teams }: TicketStage, team: number | null): boolean =>
  teams.length === 0 || (team !== null && teams.includes(team));

/** Finds the stage for the team's new and reopened tickets. */
export const findOpenStage = ({ stages }: HelpdeskSetup, team: number | null): TicketStage | undefined =>
  stages.find((stage) => isStageFor(stage, team) && !stage.closes);

export const findClosingStage = ({ stages }: HelpdeskSetup, team: number | null): TicketStage | undefined =>
  stages.find((stage) => isStageFor(stage, team) && stage.closes);
