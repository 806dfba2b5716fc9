import { type DemoPeople, loadDemoPeople, pickInTurn } from '../kit/demo-people.ts';
import { addRecords, type Ctx, findRecordIds, formatDay, type Values } from '../kit/surface.ts';

const PROJECTS = [
  { key: 'move', name: 'Move to the new depot', tags: ['Logistics'], allow_task_dependencies: true },
  { key: 'shop', name: 'Shop fittings, three branches', tags: ['Customer'], allow_task_dependencies: false },
  { key: 'site', name: 'Website relaunch', tags: ['Customer', 'Software'], allow_task_dependencies: false },
] as const;

/** `stage` is a number from 0 to 3. The deadline is `days` from now. */
const TASKS: [project: string, name: string, stage: number, priority: number, hours: number, days: number][] =
  [
    ['move', 'Measure the loading doors', 2, 0, 4, -6],
    ['move', 'Draw the plan of the racks', 1, 1, 16, 3],
    ['move', 'Order the racks', 0, 2, 2, 9],
    ['move', 'Move the fast sellers', 0, 1, 40, 20],
    ['shop', 'Take measurements in Bergen', 2, 0, 8, -10],
    ['shop', 'Samples of oak and ash', 1, 1, 6, 1],
    ['shop', 'Offer for the counters', 1, 2, 5, 2],
    ['shop', 'Fit the first branch', 0, 0, 60, 30],
    ['site', 'Collect the texts in four languages', 1, 1, 12, 5],
    ['site', 'Design of the start page', 1, 3, 24, 4],
    ['site', 'Redirects of the old addresses', 0, 0, 6, 18],
    ['site', 'Test with screen readers', 0, 1, 10, 22],
  ];

export async function addProjectDemoData(ctx: Ctx): Promise<void> {
  const people = await loadDemoPeople(ctx);
  const stages = await findRecordIds(
    ctx,
    'project',
    [0, 1, 2, 3].map((n) => `project_stage_${n}`),
  );
  const tags = await addTags(ctx);
  const projects = await addRecords(
    ctx,
    'project',
    'project.project',
    Object.fromEntries(
      PROJECTS.map((project, index) => [
        `demo_project_${project.key}`,
        {
          name: project.name,
          allow_task_dependencies: project.allow_task_dependencies,
          partner_id: pickInTurn(people.companies, index)?.id ?? false,
          user_id: pickInTurn(people.users, index) ?? false,
          type_ids: [[6, 0, [...stages.values()]]],
          tag_ids: [[6, 0, project.tags.map((tag) => tags[`demo_tag_${tag}`])]],
          date_start: formatDay(-30),
          date: formatDay(60),
        },
      ]),
    ),
  );
  const milestones = await addMilestones(ctx, projects);
  await addTasks(ctx, people, stages, projects, milestones);
}

const addTags = (ctx: Ctx): Promise<Record<string, number>> =>
  addRecords(ctx, 'project', 'project.tags', {
    demo_tag_Logistics: { name: 'Logistics', color: 3 },
    demo_tag_Customer: { name: 'Customer', color: 5 },
    demo_tag_Software: { name: 'Software', color: 8 },
  });

const addMilestones = (ctx: Ctx, projects: Record<string, number>): Promise<Record<string, number>> =>
  addRecords(ctx, 'project', 'project.milestone', {
    demo_milestone_move: {
      name: 'Racks stand',
      project_id: projects.demo_project_move,
      deadline: formatDay(14),
    },
    demo_milestone_site: {
      name: 'Site is online',
      project_id: projects.demo_project_site,
      deadline: formatDay(25),
    },
  });

async function addTasks(
  ctx: Ctx,
  people: DemoPeople,
  stages: Map<string, number>,
  projects: Record<string, number>,
  milestones: Record<string, number>,
): Promise<void> {
  const records: Record<string, Values> = {};
  TASKS.forEach(([project, name, stage, priority, hours, days], index) => {
    const user = pickInTurn(people.users, index);
    records[`demo_task_${index + 1}`] = {
      name,
      project_id: projects[`demo_project_${project}`],
      stage_id: stages.get(`project_stage_${stage}`) ?? false,
      state: stage === 2 ? '1_done' : '01_in_progress',
      priority: String(priority),
      allocated_hours: hours,
      date_deadline: `${formatDay(days)} 16:00:00`,
      user_ids: user === undefined ? [] : [[6, 0, [user]]],
      milestone_id: milestones[`demo_milestone_${project}`] ?? false,
    };
  });
  const first = await addRecords(ctx, 'project', 'project.task', { demo_task_1: records.demo_task_1! });
  let before = first.demo_task_1;
  for (const name of ['demo_task_2', 'demo_task_3', 'demo_task_4'] as const) {
    const createdTasks = await addRecords(ctx, 'project', 'project.task', {
      [name]: { ...records[name], depend_on_ids: [[4, before]] },
    });
    before = createdTasks[name]!;
  }
  await addRecords(ctx, 'project', 'project.task', records);
}
