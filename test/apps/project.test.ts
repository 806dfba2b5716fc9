import { beforeAll, describe, expect, test } from 'vitest';
import { project } from '../../apps/project/app.ts';
import { computeNextState } from '../../apps/project/task-state.ts';
import { setUpApp } from '../harness/app.ts';
import { freezeClockAtNoon } from '../harness/clock.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { addMember } from './member.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let stages: number[];
let depot: number;
beforeAll(async () => {
  stages = await admin.value('project.task.type/search', { domain: [] });
  depot = await admin.create('project.project', { name: 'Depot', type_ids: [[6, 0, stages]] });
});

const createTask = (values: object) => admin.create('project.task', { project_id: depot, ...values });
const STATE = ['state', 'is_closed', 'stage_id', 'date_end'];

describe('a project', () => {
  test('starts in the first stage, with its creator as manager', async () => {
    const [project] = await admin.value('project.project/read', { ids: [depot] });
    expect(project).toMatchObject({
      user_id: [app.main.admin.id, 'admin'],
      stage_id: [expect.any(Number), 'To Do'],
      privacy_visibility: 'portal',
      label_tasks: 'Tasks',
      last_update_status: 'to_define',
      type_ids: stages,
      active: true,
    });
  });

  test('counts its tasks', async () => {
    const id = await admin.create('project.project', { name: 'Counted', type_ids: [[6, 0, stages]] });
    await admin.value('project.task/create', {
      vals_list: [
        { name: 'a', project_id: id },
        { name: 'b', project_id: id, state: '1_done' },
        { name: 'c', project_id: id, active: false },
      ],
    });
    expect(
      await admin.read('project.project', id, ['task_count', 'open_task_count', 'closed_task_count']),
    ).toMatchObject({
      task_count: 2,
      open_task_count: 1,
      closed_task_count: 1,
    });
    expect((await admin.expectRejection('project.project/unlink', { ids: [id] })).message).toContain(
      'archive',
    );
  });

  test('cannot end before it starts', async () => {
    const error = await admin.expectRejection('project.project/create', {
      vals_list: [{ name: 'Backwards', date_start: '2026-05-02', date: '2026-05-01' }],
    });
    expect(error.status).toBe(422);
    const id = await admin.create('project.project', { name: 'Backwards', date_start: '2026-05-02' });
    await admin.expectError(422, 'project.project/write', { ids: [id], vals: { date: '2026-05-01' } });
    await admin.value('project.project/write', { ids: [id], vals: { date: '2026-05-02' } });
    await admin.expectError(422, 'project.project/write', { ids: [id], vals: { date_start: '2026-05-03' } });
  });
});

describe('a project task', () => {
  test('starts in the first stage of its project', async () => {
    const id = await createTask({
      name: 'Measure',
      user_ids: [[4, app.main.user.id]],
      date_deadline: '2026-12-24 15:00:00',
    });
    const [task] = await admin.value('project.task/read', { ids: [id] });
    expect(task).toMatchObject({
      name: 'Measure',
      project_id: [depot, 'Depot'],
      stage_id: [stages[0], 'New'],
      state: '01_in_progress',
      priority: '0',
      user_ids: [app.main.user.id],
      date_deadline: '2026-12-24 15:00:00',
      is_closed: false,
      sequence: 10,
      allocated_hours: 0,
      access_url: `/my/tasks/${id}`,
    });
    expect(task.date_assign).toMatch(/^\d{4}/);
  });

  test('can be created without a name, and is assigned to its creator if it has no project', async () => {
    const id = await admin.create('project.task', {});
    expect(await admin.read('project.task', id, ['user_ids', 'project_id', 'stage_id'])).toMatchObject({
      user_ids: [app.main.admin.id],
      project_id: false,
      stage_id: false,
    });
  });

  test('is closed when moved to a folded stage and reopened when moved to any other stage', async () => {
    const id = await createTask({ name: 'To and fro', state: '03_approved' });
    await admin.value('project.task/write', { ids: [id], vals: { stage_id: stages[2] } });
    const task = await admin.read('project.task', id, STATE);
    expect(task.date_end).toMatch(/^\d{4}/);
    expect(task.state).toBe('01_in_progress');
    await admin.value('project.task/write', { ids: [id], vals: { stage_id: stages[1] } });
    expect((await admin.read('project.task', id, STATE)).date_end).toBe(false);
    await admin.value('project.task/write', { ids: [id], vals: { state: '1_canceled' } });
    expect((await admin.read('project.task', id, STATE)).is_closed).toBe(true);
    expect(
      await admin.value('project.task/search', {
        domain: [
          ['is_closed', '=', true],
          ['id', '=', id],
        ],
      }),
    ).toEqual([id]);
  });

  test('has an assignment date while it has an assignee', async () => {
    const id = await createTask({ name: 'Handed around' });
    const readAssignDate = async () => (await admin.read('project.task', id, ['date_assign'])).date_assign;
    expect(await readAssignDate()).toBe(false);
    await admin.value('project.task/write', { ids: [id], vals: { user_ids: [[6, 0, [app.main.user.id]]] } });
    expect(await readAssignDate()).toMatch(/^\d{4}/);
    await admin.value('project.task/write', { ids: [id], vals: { user_ids: [[5]] } });
    expect(await readAssignDate()).toBe(false);
  });

  test('inherits the customer and the milestone from its parent task, or the customer from its project', async () => {
    const [one, two] = [
      await admin.create('res.partner', { name: 'One' }),
      await admin.create('res.partner', { name: 'Two' }),
    ];
    const ownTask = await admin.create('project.project', { name: 'For one', partner_id: one });
    const milestone_id = await admin.create('project.milestone', { name: 'Half-way', project_id: ownTask });
    const parent = await admin.create('project.task', { project_id: ownTask, partner_id: two, milestone_id });
    const plainId = await admin.create('project.task', { project_id: ownTask });
    for (const [values, partner, milestone] of [
      [{ project_id: ownTask }, one, false],
      [{ parent_id: parent }, two, milestone_id],
      [{ parent_id: parent, project_id: ownTask }, two, milestone_id],
      [{ parent_id: parent, project_id: depot }, two, false],
      [{ parent_id: parent, partner_id: one }, one, milestone_id],
      [{ parent_id: plainId }, one, false],
    ] as [object, number, number | false][]) {
      const id = await admin.create('project.task', values);
      expect(await admin.read('project.task', id, ['partner_id', 'milestone_id'])).toMatchObject({
        ...{ partner_id: partner, milestone_id: milestone },
      });
    }
  });

  test('has subtasks in the same project and cannot be its own parent', async () => {
    const integer = await createTask({ name: 'Whole' });
    const part = await admin.create('project.task', { name: 'Part', parent_id: integer });
    expect((await admin.read('project.task', part, ['project_id'])).project_id).toBe(depot);
    expect(await admin.read('project.task', integer, ['child_ids', 'subtask_count'])).toMatchObject({
      child_ids: [part],
      subtask_count: 1,
    });
    expect(
      (await admin.expectRejection('project.task/write', { ids: [integer], vals: { parent_id: part } }))
        .status,
    ).toBe(422);
  });
});

describe('task dependencies', () => {
  const readState = async (id: number) => (await admin.read('project.task', id, ['state'])).state;

  test('apply only if the project enables dependencies', async () => {
    const before = await createTask({ name: 'Before' });
    const after = await createTask({ name: 'After', depend_on_ids: [[4, before]] });
    expect(await readState(after)).toBe('01_in_progress');
    await admin.value('project.project/write', { ids: [depot], vals: { allow_task_dependencies: true } });
    expect(await readState(after)).toBe('04_waiting_normal');
    await admin.value('project.task/write', { ids: [before], vals: { state: '1_done' } });
    expect(await readState(after)).toBe('01_in_progress');
    await admin.value('project.task/write', { ids: [before], vals: { state: '01_in_progress' } });
    expect(await readState(after)).toBe('04_waiting_normal');
    await admin.value('project.task/write', { ids: [after], vals: { depend_on_ids: [[3, before]] } });
    expect(await readState(after)).toBe('01_in_progress');
  });

  test('unblock a task when the blocking task is deleted or unlinked', async () => {
    const before = await createTask({ name: 'Before' });
    const [one, two] = [
      await createTask({ name: 'One', depend_on_ids: [[4, before]] }),
      await createTask({ name: 'Two' }),
    ];
    await admin.value('project.task/write', { ids: [before], vals: { dependent_ids: [[4, two]] } });
    expect([await readState(one), await readState(two)]).toEqual(['04_waiting_normal', '04_waiting_normal']);
    await admin.value('project.task/write', { ids: [before], vals: { dependent_ids: [[3, two]] } });
    expect([await readState(one), await readState(two)]).toEqual(['04_waiting_normal', '01_in_progress']);
    await admin.value('project.task/unlink', { ids: [before] });
    expect(await readState(one)).toBe('01_in_progress');
  });

  test('reject cycles', async () => {
    const one = await createTask({ name: 'One' });
    const two = await createTask({ name: 'Two', depend_on_ids: [[4, one]] });
    expect(
      (await admin.expectRejection('project.task/write', { ids: [one], vals: { depend_on_ids: [[4, two]] } }))
        .status,
    ).toBe(422);
    expect(
      (await admin.expectRejection('project.task/write', { ids: [one], vals: { depend_on_ids: [[4, one]] } }))
        .status,
    ).toBe(422);
  });

  test.each([
    ['01_in_progress', true, '04_waiting_normal'],
    ['03_approved', true, '04_waiting_normal'],
    ['04_waiting_normal', true, null],
    ['04_waiting_normal', false, '01_in_progress'],
    ['02_changes_requested', false, null],
    ['1_done', true, null],
    ['1_canceled', false, null],
  ])('turn state %s with open dependencies (%s) into %s', (state, isBlocked, after) => {
    expect(computeNextState(state, isBlocked)).toBe(after);
  });
});

test("counts a milestone's tasks and stores when it was reached", async () => {
  const id = await admin.create('project.milestone', {
    name: 'Racks stand',
    project_id: depot,
    deadline: '2020-01-01',
  });
  await createTask({ name: 'x', milestone_id: id });
  await createTask({ name: 'y', milestone_id: id, state: '1_done' });
  expect(
    await admin.read('project.milestone', id, [
      'task_count',
      'done_task_count',
      'is_deadline_exceeded',
      'can_be_marked_as_done',
    ]),
  ).toMatchObject({
    task_count: 2,
    done_task_count: 1,
    is_deadline_exceeded: true,
    can_be_marked_as_done: false,
  });
  await admin.value('project.milestone/write', { ids: [id], vals: { is_reached: true } });
  expect(await admin.read('project.milestone', id, ['reached_date', 'is_deadline_exceeded'])).toMatchObject({
    reached_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    is_deadline_exceeded: false,
  });
});

describe("a milestone's dates", () => {
  freezeClockAtNoon();

  test("use the current day in the user's time zone", async () => {
    const deadline = new Date().toISOString().slice(0, 10);
    const id = await admin.create('project.milestone', { name: 'Due', project_id: depot, deadline });
    const isExceeded = async (tz: string) => {
      const args = { ids: [id], fields: ['is_deadline_exceeded'], context: { tz } };
      return (await admin.value('project.milestone/read', args))[0].is_deadline_exceeded;
    };
    // Noon UTC is 2 a.m. on the next day in the first time zone.
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    expect(await Promise.all(zones.map(isExceeded))).toEqual([true, false]);
    const vals = { is_reached: true };
    await admin.value('project.milestone/write', { ids: [id], vals, context: { tz: zones[0] } });
    const { reached_date } = await admin.row('project.milestone', id, ['reached_date']);
    expect(Date.parse(reached_date) - Date.parse(deadline)).toBe(86_400_000);
  });
});

describe('project access rights', () => {
  test('let a member edit their own tasks and tasks of visible projects, but not create projects', async () => {
    const { id: userId, caller } = await addMember(app, app.main, 'worker', ['project.group_project_user']);
    const closedId = await admin.create('project.project', {
      name: 'Closed',
      privacy_visibility: 'followers',
      type_ids: [[6, 0, stages]],
    });
    const [visibleTask, unseen, ownTask] = [
      await createTask({ name: 'Seen' }),
      await createTask({ name: 'Unseen', project_id: closedId }),
      await createTask({ name: 'Own', project_id: closedId, user_ids: [[4, userId]] }),
    ];
    expect(
      await caller.value('project.task/search', {
        domain: [['id', 'in', [visibleTask, unseen, ownTask]]],
        order: 'id',
      }),
    ).toEqual([visibleTask, ownTask]);
    expect(
      await caller.value('project.project/search_count', { domain: [['id', 'in', [depot, closedId]]] }),
    ).toBe(1);
    expect(await caller.create('project.task', { name: 'Theirs', project_id: depot })).toEqual(
      expect.any(Number),
    );
    expect(
      (await caller.expectRejection('project.project/create', { vals_list: [{ name: 'x' }] })).status,
    ).toBe(403);
  });

  test('deny access to users without a project group', async () => {
    const error = await createJsonClient(app, app.main.user.key).expectRejection('project.task/create', {
      vals_list: [{ name: 'ZZ task', project_id: depot }],
    });
    expect(error).toMatchObject({ status: 403, name: 'odoo.exceptions.AccessError' });
  });
});

test("exposes a project's tasks under both field names", async () => {
  const id = await admin.create('project.project', { name: 'Both' });
  const task = await admin.create('project.task', { name: 'Known by both', project_id: id });
  expect(await admin.read('project.project', id, ['task_ids', 'tasks'])).toEqual({
    id,
    task_ids: [task],
    tasks: [task],
  });
  expect(
    await admin.value('project.project/search', { domain: [['tasks.name', '=', 'Known by both']] }),
  ).toEqual([id]);
});

test('creates demo data once', async () => {
  const otherTenant = await app.tenant('demo');
  for (let i = 0; i < 2; i++) await otherTenant.ctx.tx((ctx) => project.demo(ctx));
  const caller = createJsonClient(app, otherTenant.admin.key);
  expect(await caller.value('project.project/search_count', { domain: [] })).toBe(3);
  expect(await caller.value('project.task/search_count', { domain: [] })).toBe(12);
  expect(
    await caller.value('project.task/search_count', { domain: [['state', '=', '04_waiting_normal']] }),
  ).toBe(2);
});
