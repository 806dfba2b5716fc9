import { addRecords, type Ctx } from '../kit/surface.ts';

export async function addProjectInitialData(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'project', 'project.project.stage', {
    project_project_stage_0: { name: 'To Do', sequence: 10 },
    project_project_stage_1: { name: 'In Progress', sequence: 20 },
    project_project_stage_2: { name: 'Done', sequence: 30, fold: true },
    project_project_stage_3: { name: 'Cancelled', sequence: 40, fold: true },
  });
  await addRecords(ctx, 'project', 'project.task.type', {
    project_stage_0: { name: 'New', sequence: 1 },
    project_stage_1: { name: 'In Progress', sequence: 10 },
    project_stage_2: { name: 'Done', sequence: 20, fold: true },
    project_stage_3: { name: 'Cancelled', sequence: 30, fold: true },
  });
  await addRecords(ctx, 'project', 'ir.actions.act_window', {
    open_view_project_all: { name: 'Projects', res_model: 'project.project', view_mode: 'kanban,list,form' },
    action_view_all_task: { name: 'All Tasks', res_model: 'project.task', view_mode: 'list,kanban,form' },
  });
}
