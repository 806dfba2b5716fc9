import { forEachYielding } from '../../src/loop/yield.ts';
import { type Ctx, formatNow, isSet, linkId, setHookValues, type Values } from '../kit/surface.ts';
import { checkProbability } from './lead-change.ts';
import { fillFromPartners, normalizeContact } from './lead-contact.ts';
import { findFirstStage, findTeam, loadPipeline, type Pipeline, type PipelineStage } from './pipeline.ts';

export async function prepareNewLeads(ctx: Ctx, list: Values[]): Promise<void> {
  const pipeline = await loadPipeline(ctx);
  await fillFromPartners(ctx, list);
  const now = formatNow();
  await forEachYielding(list, (values) => {
    checkProbability(values);
    assignTeamAndStage(values, pipeline, ctx.principal?.companyId ?? null);
    setHookValues(values, computeInitialValues(values, findStage(values, pipeline), now));
    normalizeContact(values);
  });
}

const findStage = (values: Values, { stages }: Pipeline): PipelineStage | undefined =>
  stages.find((stage) => stage.id === values.stage_id);

/** Sets team, company and stage unless the caller did. An unassigned lead has no team. */
function assignTeamAndStage(values: Values, pipeline: Pipeline, companyId: number | null): void {
  const user = linkId(values.user_id);
  if (values.team_id === undefined && user !== null) values.team_id = findTeam(pipeline, user)?.id ?? false;
  const team = pipeline.teams.find(({ id }) => id === values.team_id);
  if (values.company_id === undefined && (user !== null || team))
    values.company_id = team?.companyId ?? companyId ?? false;
  if (values.stage_id === undefined)
    values.stage_id = findFirstStage(pipeline, linkId(values.team_id))?.id ?? false;
}

export function computeInitialValues(values: Values, stage: PipelineStage | undefined, now: string): Values {
  const progress = stage?.progress ?? 0;
  const isOpen = !stage?.isWon && values.active !== false;
  return {
    automated_probability: progress,
    probability: typeof values.probability === 'number' && !stage?.isWon ? values.probability : progress,
    date_last_stage_update: now,
    date_open: isSet(values.user_id) ? now : false,
    date_closed: isOpen ? false : now,
  };
}
