import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { App } from '../harness/app.ts';
import { runTool as callTool } from '../harness/facades/mcp.ts';
import { loadRows, type Scene } from '../rights/scene.ts';

const CALL_COUNT = 120;

const CLOSED_TABLES = [
  'ir_model_access',
  'ir_rule',
  'res_groups',
  'res_groups_implied_rel',
  'ir_ui_menu',
  'ir_cron',
  'ir_config_parameter',
  'svc_mail_rule',
  'svc_mail_feature',
];

/** Returns a seeded generator (Mulberry32), so that failures are reproducible. */
function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const randomBelow = (max: number): number => Math.floor(next() * max);
  return { below: randomBelow, one: <T>(list: readonly T[]): T => list[randomBelow(list.length)]! };
}

type Random = ReturnType<typeof createRandom>;

interface CallTargets {
  users: number[];
  groups: number[];
  partners: number[];
}

const MODELS =
  `res.users res.users res.users res.groups res.partner ir.model ir.model.fields ir.model.access ir.rule
  ir.config_parameter ir.cron ir.ui.menu svc.mail.feature svc.api.key ir.model.data res.company`.split(/\s+/);

const METHODS = `copy load name_create action_archive action_unarchive toggle_active web_resequence set_param
  update_field_translations message_post onchange write unlink method_direct_trigger generate change_password
  copy_data export_data`.split(/\s+/);

function buildCommand(random: Random, aims: CallTargets): unknown[] {
  const group = random.one(aims.groups);
  return random.one<unknown[]>([
    [0, 0, { name: `g${random.below(99)}`, implied_ids: [[4, group]] }],
    [1, group, { user_ids: [[4, random.one(aims.users)]] }],
    [1, group, { implied_ids: [[4, random.one(aims.groups)]] }],
    [2, group],
    [3, group],
    [4, group],
    [5],
    [6, 0, [group, random.one(aims.groups)]],
  ]);
}

function buildValues(random: Random, aims: CallTargets): Record<string, unknown> {
  const buildGroups = () => Array.from({ length: 1 + random.below(2) }, () => buildCommand(random, aims));
  const user = random.one(aims.users);
  const all: Record<string, () => unknown> = {
    name: () => `n${random.below(999)}`,
    login: () => `l${random.below(99_999)}`,
    group_ids: buildGroups,
    implied_ids: buildGroups,
    role: () => random.one(['group_system', 'group_user']),
    active: () => random.one([true, false]),
    user_ids: () => [[random.one([1, 4]), user, { group_ids: buildGroups() }]],
    user_id: () => user,
    access_ids: () => [[0, 0, { name: 'a', perm_write: true }]],
    rule_ids: () => [[2, random.below(30)]],
    key: () => 'web.base.url',
    value: () => 'x',
    perm_write: () => true,
    external_id: () => 'base.group_system',
    partner_id: () => random.one(aims.partners),
    password: () => 'a new password',
  };
  const names = Object.keys(all);
  const fieldNames = Array.from({ length: 1 + random.below(3) }, () => random.one(names));
  return Object.fromEntries(fieldNames.map((name) => [name, all[name]!()]));
}

function buildCall(random: Random, aims: CallTargets): [string, Record<string, unknown>] {
  const model = random.one(MODELS);
  const candidates =
    model === 'res.users' ? aims.users : model === 'res.groups' ? aims.groups : [1, 2, 3, 5, 8];
  const ids = Array.from({ length: 1 + random.below(2) }, () => random.one(candidates));
  const values = buildValues(random, aims);
  const confirm = random.below(5) > 0;
  const method = random.one(METHODS);
  const kwargs = random.one<Record<string, unknown>>([
    {},
    { default: values },
    { fields: Object.keys(values), data: [Object.values(values).map(String)] },
    {
      fields: ['name', 'login', 'group_ids/.id'],
      data: [['a', `b${random.below(999)}`, `${aims.groups[0]}`]],
    },
    { name: 'x' },
    { key: 'web.base.url', value: 'x' },
    { vals: values },
  ]);
  const user = random.one(aims.users);
  // Arguments that are rejected for reasons other than roles would hide an escalation.
  const strength = random.one<Record<string, unknown>>([
    { group_ids: [buildCommand(random, aims)] },
    { role: 'group_system' },
    { active: true },
  ]);
  const members = { user_ids: [[4, user]] };
  return random.one<[string, Record<string, unknown>]>([
    ['update', { model: 'res.users', ids: [user], values: strength, confirm }],
    ['update', { model: 'res.groups', ids: [random.one(aims.groups)], values: members, confirm }],
    ['create', { model, values }],
    ['update', { model, ids, values, confirm }],
    ['update', { model: 'res.users', ids: [random.one(aims.users)], values, confirm }],
    ['delete', { model, ids, confirm }],
    ['call', { model, method, ids, kwargs, confirm }],
  ]);
}

async function loadTargets(app: App, scene: Scene): Promise<CallTargets> {
  const readIds = (model: string, limit: number) =>
    scene.admin
      .value(`${model}/search`, { domain: [['active', 'in', [true, false]]], limit })
      .catch(() => []);
  const groups: number[] = await scene.admin.value('res.groups/search', { domain: [], limit: 30 });
  const admin = await scene.groupId('base.group_system');
  const users: number[] = await readIds('res.users', 50);
  return {
    users: users.filter((id) => id !== app.main.admin.id),
    // Repeats the administrator group, so that it is chosen often.
    groups: [admin, ...groups, admin, admin, admin],
    partners: await readIds('res.partner', 20),
  };
}

/** Returns the hash of each table that no agent may change. */
export const hashClosedTables = async (app: App): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      CLOSED_TABLES.map(async (table) => {
        const rows = await loadRows(app, app.main, table);
        return [table, createHash('sha256').update(rows).digest('hex')] as const;
      }),
    ),
  );

/** Runs the random calls of a seed until `check` returns true, and returns the number of successful calls. */
export async function playCalls(
  app: App,
  scene: Scene,
  { key, seed }: { key: string; seed: number },
  check: () => Promise<boolean> = async () => false,
): Promise<number> {
  const random = createRandom(seed);
  const aims = await loadTargets(app, scene);
  let doneCount = 0;
  for (let n = 0; n < CALL_COUNT; n++) {
    const [name, args] = buildCall(random, aims);
    const result = await callTool(app, key, name, args);
    expect([name, args, result.code]).toEqual([name, args, undefined]);
    if (!result.isError && !result.structuredContent.confirm_required) doneCount++;
    if (!result.isError && (await check())) break;
  }
  return doneCount;
}
