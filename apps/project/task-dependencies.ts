import { excludeIds } from '../../src/engine/value/exclude-ids.ts';
import { type Ctx, errors, sql, write } from '../kit/surface.ts';
import { CLOSED_STATES, computeNextState, WAITING_STATE } from './task-state.ts';

/**
 * Updates the states of the given tasks and their successors. In projects with dependencies, tasks wait for their
 * predecessors.
 * @throws VALIDATION if dependencies form a cycle
 */
export async function updateBlockedStates(ctx: Ctx, ids: number[]): Promise<void> {
  const after = await loadDependents(ctx, ids);
  if (after.some((task) => task.loops))
    throw errors.validation('Tasks cannot have circular dependencies (depend_on_ids).');
  const due = new Map<number, string>();
  for (const task of after) {
    const state = computeNextState(task.state, task.blocked);
    if (state) due.set(task.id, state);
  }
  for (const [state, dependencies] of Map.groupBy(due, ([, dependencyIds]) => dependencyIds))
    await write(
      ctx.system(),
      'project.task',
      dependencies.map(([id]) => id),
      { state },
    );
}

interface DependencyTask {
  id: number;
  state: string;
  blocked: boolean;
  loops: boolean;
}

/**
 * Loads the given tasks, their successors, and waiting tasks in the same projects, whose dependency may have been
 * deleted. Also determines which tasks have open predecessors.
 */
function loadDependents(ctx: Ctx, ids: number[]): Promise<DependencyTask[]> {
  const workspace = sql.param(ctx.workspace.id);
  const taskIds = sql.param(ids);
  return ctx.db.rows<DependencyTask>(
    sql`with recursive chain(start, id) as (
       select depends_on_id, task_id from project_task_dependency_rel
       where workspace_id = ${workspace} and depends_on_id = any(${taskIds})
       union
       select c.start, r.task_id from chain c
       join project_task_dependency_rel r on r.workspace_id = ${workspace} and r.depends_on_id = c.id
       where c.id <> c.start
     )
     select t.id, t.state, coalesce(p.allow_task_dependencies, false) and exists (
         select 1 from project_task_dependency_rel r
         join project_task b on b.workspace_id = ${workspace} and b.id = r.depends_on_id
         where r.workspace_id = ${workspace} and r.task_id = t.id and b.state <> all(${CLOSED_STATES})
       ) as blocked, exists (select 1 from chain c where c.id = c.start) as loops
     from project_task t left join project_project p on p.workspace_id = ${workspace} and p.id = t.project_id
     where t.workspace_id = ${workspace} and (t.id = any(${taskIds})
       or (t.state = ${sql.literal(WAITING_STATE)} and t.project_id in (
         select project_id from project_task where workspace_id = ${workspace} and id = any(${taskIds})))
       or t.id in (
         select task_id from project_task_dependency_rel
         where workspace_id = ${workspace} and depends_on_id = any(${taskIds})))`,
  );
}

/** Removes dependencies on tasks that are about to be deleted, so that their successors stop waiting. */
export async function releaseFollowers(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ task_id: number }>(
    sql`delete from project_task_dependency_rel
     where workspace_id = ${ctx.workspace.id} and depends_on_id = any(${ids}) returning task_id, workspace_id`,
  );
  const taskIds = rows.map((row) => row.task_id);
  const followers = excludeIds(taskIds, ids);
  if (followers.length) await updateBlockedStates(ctx, followers);
}

export async function updateProjectStates(ctx: Ctx, projects: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select distinct t.id from project_task t
     join project_task_dependency_rel r on r.workspace_id = ${ctx.workspace.id} and r.task_id = t.id
     where t.workspace_id = ${ctx.workspace.id} and t.project_id = any(${projects})`,
  );
  if (rows.length)
    await updateBlockedStates(
      ctx,
      rows.map((row) => row.id),
    );
}
