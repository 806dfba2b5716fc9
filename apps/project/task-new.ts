import { NOW_ROW } from '../../src/db/now.ts';
import { sql } from '../../src/db/sql.ts';
import { filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { forEachYielding } from '../../src/loop/yield.ts';
import { formatNow } from '../kit/dates.ts';
import { isSet, linkId, linkIds } from '../kit/values.ts';
import { buildFirstStageSql } from './stages.ts';

interface ProjectDefaults {
  id: number;
  partner_id: number | null;
  company_id: number | null;
  stage_id: number | null;
  folded: boolean | null;
}

/**
 * Fills in missing values of new tasks from their project or parent task. Runs one query for projects and one for
 * parents.
 */
export async function prepareNewTasks(ctx: Ctx, list: Values[]): Promise<void> {
  await inheritParents(ctx, list);
  const projects = await loadProjects(
    ctx,
    await filterReadableIds(ctx, 'project.project', linkIds(list, 'project_id')),
  );
  const now = formatNow();
  await forEachYielding(list, (values) => {
    const project = projects.get(linkId(values.project_id) ?? 0);
    fillFromProject(values, project, now);
    if (linkId(values.project_id) === null) assignToCaller(ctx, values);
  });
}

interface Parent {
  id: number;
  project_id: number | null;
  partner_id: number | null;
  company_id: number | null;
  milestone_id: number | null;
}

/** Fills in the project, milestone and customer of subtasks from their parents. */
async function inheritParents(ctx: Ctx, list: Values[]): Promise<void> {
  const parts = list.filter((values) => isSet(values.parent_id));
  if (parts.length === 0) return;
  const readable = await filterReadableIds(ctx, 'project.task', linkIds(parts, 'parent_id'));
  const rows = await ctx.db.rows<Parent>(
    sql`select id, project_id, partner_id, company_id, milestone_id from project_task
     where workspace_id = ${ctx.workspace.id} and id = any(${readable})`,
  );
  const parents = new Map(rows.map((row) => [row.id, row]));
  for (const values of parts) {
    const parent = parents.get(values.parent_id as number);
    values.project_id ??= parent?.project_id ?? false;
    if (!parent) continue;
    if (parent.partner_id !== null) values.partner_id ??= parent.partner_id;
    if (linkId(values.project_id) !== parent.project_id) continue;
    if (parent.milestone_id !== null) values.milestone_id ??= parent.milestone_id;
    if (parent.project_id === null && parent.company_id !== null) values.company_id ??= parent.company_id;
  }
}

async function loadProjects(ctx: Ctx, ids: number[]): Promise<Map<number, ProjectDefaults>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.rows<ProjectDefaults>(
    sql`select p.id, p.partner_id, p.company_id, s.id as stage_id, s.fold as folded from project_project p
     left join lateral (${buildFirstStageSql(ctx.workspace.id, sql`p.id`)}) s on true
     where p.workspace_id = ${ctx.workspace.id} and p.id = any(${ids})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function fillFromProject(values: Values, project: ProjectDefaults | undefined, now: string): void {
  if (project) {
    if (values.stage_id === undefined) values.stage_id = project.stage_id ?? false;
    if (values.partner_id === undefined) values.partner_id = project.partner_id ?? false;
    if (values.company_id === undefined) values.company_id = project.company_id ?? false;
  }
  const isEnded = project?.folded === true && values.stage_id === project.stage_id;
  setHookValues(values, { date_last_stage_update: now, date_end: isEnded ? now : false });
}

/** Assigns a private task to its creator, the only user who can see it. */
function assignToCaller(ctx: Ctx, values: Values): void {
  const user = ctx.principal?.userId;
  if (user && values.user_ids === undefined) values.user_ids = [[4, user, 0]];
}

/** Sets the date of the first assignment, and clears it when no assignee is left. */
export async function updateAssignDates(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`update project_task t
     set date_assign = case when x.assigned then coalesce(t.date_assign, n.now) end
     from (
       select i.id, exists (
         select 1 from project_task_user_rel r where r.workspace_id = ${ctx.workspace.id} and r.task_id = i.id
       ) as assigned
       from unnest(${ids}::int[]) i(id)) x, ${NOW_ROW}
     where t.workspace_id = ${ctx.workspace.id} and t.id = x.id and x.assigned <> (t.date_assign is not null)`,
  );
}
