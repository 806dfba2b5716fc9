import { INVALIDATION_CHANNEL } from '../../src/db/notifications/cache-invalidation.ts';
import { announceCatalogChange } from '../../src/engine/ctx/announce-catalog-change.ts';
import type { Catalog } from '../../src/engine/ctx/catalog.ts';
import { type Ctx, sql } from '../kit/surface.ts';

export interface PipelineStage {
  id: number;
  isWon: boolean;
  folded: boolean;
  teams: number[];
  /** Percentage of open stages that precede this stage. 100 for a won stage. */
  progress: number;
}

export interface PipelineTeam {
  id: number;
  companyId: number | null;
  users: number[];
}

export interface Pipeline {
  stages: PipelineStage[];
  teams: PipelineTeam[];
}

/**
 * Cached per catalog object. A change to the pipeline invalidates the catalog in every process (see identity.ts), and
 * thus this entry.
 */
const pipelineCache = new WeakMap<Catalog, Promise<Pipeline>>();

/** Returns the workspace's pipeline. Cached for requests with a principal, but not for internal platform work. */
export function loadPipeline(ctx: Ctx): Promise<Pipeline> {
  if (!ctx.principal) return readPipeline(ctx);
  const cachedPipeline = pipelineCache.get(ctx.catalog);
  if (cachedPipeline) return cachedPipeline;
  const pipeline = readPipeline(ctx);
  pipelineCache.set(ctx.catalog, pipeline);
  pipeline.catch(() => pipelineCache.delete(ctx.catalog));
  return pipeline;
}

/** Invalidates the pipeline. Must be called in the transaction that changes stages, teams or their members. */
export async function invalidatePipeline(ctx: Ctx): Promise<void> {
  pipelineCache.delete(ctx.catalog);
  announceCatalogChange(ctx);
  await ctx.db.rows(sql`select pg_notify(${INVALIDATION_CHANNEL}, ${String(ctx.workspace.id)})`);
}

interface PipelineRow {
  stages: Omit<PipelineStage, 'progress'>[];
  teams: PipelineTeam[];
}

async function readPipeline(ctx: Ctx): Promise<Pipeline> {
  const [row] = await ctx.db.rows<PipelineRow>(
    sql`select
       (select coalesce(json_agg(json_build_object('id', s.id, 'isWon', s.is_won, 'folded', s.fold, 'teams',
          array(select r.team_id from crm_stage_team_rel r
            where r.workspace_id = ${ctx.workspace.id} and r.stage_id = s.id order by 1)
        ) order by s.sequence, s.name, s.id), '[]') from crm_stage s
        where s.workspace_id = ${ctx.workspace.id}) as stages,
       (select coalesce(json_agg(json_build_object('id', t.id, 'companyId', t.company_id, 'users', array_remove(
          t.user_id || array(select m.user_id from crm_team_member_rel m
            where m.workspace_id = ${ctx.workspace.id} and m.team_id = t.id), null)
        ) order by t.sequence, t.id), '[]') from crm_team t
        where t.workspace_id = ${ctx.workspace.id} and t.active) as teams`,
  );
  return { stages: addProgress(row!.stages), teams: row!.teams };
}

function addProgress(stages: PipelineRow['stages']): PipelineStage[] {
  const openStages = stages.filter((stage) => !stage.isWon);
  const computeShare = (stage: PipelineRow['stages'][number]): number =>
    stage.isWon ? 100 : Math.round((openStages.indexOf(stage) / openStages.length) * 10_000) / 100;
  return stages.map((stage) => ({ ...stage, progress: computeShare(stage) }));
}

const isForTeam = (stage: PipelineStage, team: number | null): boolean =>
  stage.teams.length === 0 || (team !== null && stage.teams.includes(team));

export const findFirstStage = ({ stages }: Pipeline, team: number | null): PipelineStage | undefined =>
  stages.find((stage) => isForTeam(stage, team) && !stage.folded) ??
  stages.find((stage) => isForTeam(stage, team));

export function findWonStage(
  { stages }: Pipeline,
  team: number | null,
  from: number | null,
): PipelineStage | undefined {
  const stageIndex = stages.findIndex((stage) => stage.id === from);
  const won = stages.filter((stage) => stage.isWon && isForTeam(stage, team));
  return won.find((stage) => stages.indexOf(stage) >= stageIndex) ?? won.at(-1);
}

/** Returns true if the user belongs to the team. */
export const isTeamMember = ({ teams }: Pipeline, team: number | null, user: number): boolean =>
  teams.find(({ id }) => id === team)?.users.includes(user) ?? false;

export const findTeam = ({ teams }: Pipeline, user: number): PipelineTeam | undefined =>
  teams.find((team) => team.users.includes(user)) ?? teams[0];
