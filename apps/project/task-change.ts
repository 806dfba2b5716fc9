import { type Ctx, formatNow, isSet, setHookValues, sql, type Values } from '../kit/surface.ts';
import { buildFirstStageSql } from './stages.ts';
import { OPEN_STATE } from './task-state.ts';

/** Adds dependent values to a change to tasks. A new stage sets dates, and a folded stage also sets the end date. */
export async function prepareTaskChange(ctx: Ctx, values: Values): Promise<void> {
  if (isSet(values.project_id) && values.stage_id === undefined) await moveToFirstStage(ctx, values);
  if (!('stage_id' in values)) return;
  const now = formatNow();
  const isEnded = await isFoldedStage(ctx, values.stage_id);
  setHookValues(values, { date_last_stage_update: now, date_end: isEnded ? now : false });
}

/** Moves tasks to their new project's initial stage, because that project may not use their current stage. */
async function moveToFirstStage(ctx: Ctx, values: Values): Promise<void> {
  const [row] = await ctx.db.rows<{ id: number }>(buildFirstStageSql(ctx.workspace.id, values.project_id));
  values.stage_id = row?.id ?? false;
}

async function isFoldedStage(ctx: Ctx, stage: unknown): Promise<boolean> {
  if (!isSet(stage)) return false;
  const [row] = await ctx.db.rows<{ fold: boolean }>(
    sql`select fold from project_task_type where workspace_id = ${ctx.workspace.id} and id = ${stage}`,
  );
  return row?.fold ?? false;
}

/** Resets requested changes and approvals, which apply only to the previous stage. */
export async function reopenTasks(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update project_task set state = ${OPEN_STATE}
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})
       and state in ('02_changes_requested', '03_approved')`,
  );
}
