import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { apps } from '../../apps/index.ts';
import { createKey } from '../../schema/base/keys/keys.ts';
import { sql } from '../../src/db/sql.ts';
import { computeCalendar } from '../../src/engine/value/calendar.ts';
import { version } from '../../src/version.ts';
import { endRemovals } from '../apps/removed.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { buildRequest, ERAS, postMcp, switchMcp } from '../harness/facades/mcp.ts';

const app = setUpApp({ APP_UNINSTALL: 'on' });

beforeAll(() => switchMcp(app, app.main, true));

// Resets the rate limit, because agents may change only a few apps per minute.
beforeEach(async () => {
  await app.runtime.db.rows(
    sql`update svc_agent set minute_calls = 0, minute_tools = '{}' where workspace_id = ${app.main.ctx.workspace.id}`,
  );
});

const listTools = async (key: string): Promise<{ name: string }[]> =>
  (await postMcp(app, buildRequest('tools/list'), key)).json().result.tools;

describe.each(Object.entries(ERAS))('tools of the %s protocol era', (_era, callTool) => {
  const call = (name: string, args: object = {}, key = app.main.user.key) => callTool(app, key, name, args);
  const callAs = async (name: string, args: object = {}, key = app.main.user.key) => {
    const result = await call(name, args, key);
    expect(result).toMatchObject({ isError: false });
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
    return result.structuredContent;
  };

  test('platform_info returns the workspace, the user, and the available tools and apps', async () => {
    const ownInfo = await callAs('platform_info');
    const names = (await listTools(app.main.user.key)).map(({ name }) => name);
    expect(ownInfo).toMatchObject({
      tenant_db: app.main.ctx.workspace.slug,
      base_url: app.runtime.config.publicUrl,
      svc_version: version,
      mcp_server: { name: 'atrium', version, tool_count: names.length },
      your_user: { login: 'user', is_admin: false },
      mail: { installed: true },
      _count: 1,
    });
    expect(ownInfo.applications.toSorted()).toEqual(
      ['Contacts', 'Website', ...apps.map(({ label }) => label)].sort(),
    );
    expect(ownInfo.mcp_server.tools.toSorted()).toEqual(names.toSorted());
    expect(ownInfo.installed_module_count).toBe(5 + apps.length);
    expect(ownInfo.mail.features_on).toContain('mail.search');
    expect((await callAs('platform_info', {}, app.main.admin.key)).your_user.is_admin).toBe(true);
  });

  test('list_installed_modules lists installed modules, and filters them by text or by apps', async () => {
    const all = await callAs('list_installed_modules');
    expect(all._count).toBe(5 + apps.length);
    expect(all.modules).toContainEqual({
      name: 'crm',
      shortdesc: 'CRM',
      installed_version: expect.stringMatching(/^19\.0\./),
      application: true,
    });
    const installedApps = await callAs('list_installed_modules', { apps_only: true });
    expect(installedApps.modules.map(({ name }: { name: string }) => name)).not.toContain('base');
    expect((await callAs('list_installed_modules', { filter: 'SALE' })).modules).toMatchObject([
      { name: 'sale' },
    ]);
  });

  test('whats_new returns the newest release notes and recently changed modules', async () => {
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`update ir_module_module set write_date = '2097-01-01' where workspace_id = ${id} and name = 'project'`,
    );
    const {
      release_notes: notes,
      recently_changed_modules: modules,
      note,
    } = await callAs('whats_new', { limit: 3 });
    const text = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    expect(text).toContain(`## [${notes[0].version}]`);
    expect(notes).toHaveLength(3);
    for (const { kind, text: words } of notes) {
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind);
      expect(text.replace(/\s+/g, ' ')).toContain(`- ${words}`);
    }
    expect(modules).toHaveLength(3);
    expect(modules[0]).toMatchObject({ name: 'project', changed_at: expect.stringMatching(/^2097-01-01T/) });
    expect(note).toEqual(expect.any(String));
    expect((await callAs('whats_new')).release_notes).toHaveLength(20);
  });

  test("current_time uses the user's time zone and the first weekday of the user's language", async () => {
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`update res_users set tz = 'Asia/Kathmandu' where workspace_id = ${id} and id = ${app.main.user.id}`,
    );
    app.runtime.identity.invalidate();
    const time = await callAs('current_time');
    expect(time).toMatchObject({ timezone: 'Asia/Kathmandu', utc_offset: '+05:45', _count: 1 });
    expect(Math.abs(Date.parse(time.local) - Date.parse(time.now))).toBeLessThan(1_000);
    expect(Math.abs(Date.parse(time.now) - Date.now())).toBeLessThan(60_000);
    expect(new Date(`${time.week.first_day}T00:00:00Z`).getUTCDay()).toBe(0);
    expect(time.month.first_day).toBe(`${time.local.slice(0, 7)}-01`);
    expect(time.today.first_day).toBe(time.local.slice(0, 10));
  });

  test("module_status returns an app's state, and the reason why the user may not change it", async () => {
    expect(await callAs('module_status', { module: 'sale' })).toMatchObject({
      name: 'sale',
      shortdesc: apps.find(({ name }) => name === 'sale')!.label,
      author: 'Atrium',
      installed_version: expect.stringMatching(/^19\.0\./),
      state: 'installed',
      dependencies: apps.find(({ name }) => name === 'sale')!.depends.toSorted(),
      may_be_changed: false,
      reason: expect.stringMatching(/Administrator/),
    });
    const asAdmin = await callAs('module_status', { module: 'product' }, app.main.admin.key);
    expect(asAdmin).toMatchObject({ may_be_changed: true, changes: ['uninstall'] });
    expect(asAdmin.dependents).toContain('sale');
    expect(await callAs('module_status', { module: 'base' }, app.main.admin.key)).toMatchObject({
      may_be_changed: false,
    });
    expect(await call('module_status', { module: 'none' })).toMatchObject({ isError: true });
  });

  const CHANGES: [string, object][] = [
    ['module_install', { module: 'project' }],
    ['module_upgrade', { module: 'project' }],
    ['module_uninstall', { module: 'project' }],
    ['module_configure', { setting: 'sale.quotation_days', value: 1 }],
  ];

  test.for(CHANGES)('%s is limited to administrators', async ([name, args]) => {
    const { isError, content } = await call(name, args);
    expect(isError).toBe(true);
    expect(content[0]!.text).toMatch(/Administrator/);
    const listNames = async (key: string) => (await listTools(key)).map((tool) => tool.name);
    expect(await listNames(app.main.admin.key)).toContain(name);
    if (name !== 'module_configure') expect(await listNames(app.main.user.key)).not.toContain(name);
  });

  const asAdmin = (name: string, args: object) => callAs(name, args, app.main.admin.key);

  test('module_uninstall previews the data loss, and removes the app and its data once confirmed', async () => {
    const preview = await asAdmin('module_uninstall', { module: 'project' });
    expect(preview).toMatchObject({ confirm_required: true, preview: { modules: ['project'] }, _count: 0 });
    expect(preview.preview.rows).toBeGreaterThan(0);
    expect(await asAdmin('module_uninstall', { module: 'project', confirm: true })).toMatchObject({
      module: 'project',
      state: expect.stringMatching(/^(uninstalled|to remove)$/),
      removed: ['project'],
      _count: 1,
    });
    await endRemovals(app.main.ctx);
    expect(await callAs('module_status', { module: 'project' })).toMatchObject({ state: 'uninstalled' });
    const summary = apps.find(({ name }) => name === 'project')!.summary;
    const row = { name: 'project', shortdesc: 'Project', summary, state: 'uninstalled' };
    const list = await asAdmin('module_status', {});
    expect(list._count).toBe(apps.length);
    expect(list.apps).toContainEqual({ ...row, changes: ['install'] });
    expect((await callAs('module_status')).apps).toContainEqual({ ...row, changes: [] });
    const models = (await asAdmin('list_models', { filter: 'project' })) as { models?: { model: string }[] };
    expect(JSON.stringify(models)).not.toContain('project.task');
    expect(
      (await callAs('list_installed_modules')).modules.map((module: { name: string }) => module.name),
    ).not.toContain('project');
  });

  test('holds app changes for approval if the policy requires it', async () => {
    const { ctx, admin } = app.main;
    // Agent keys cannot change the policy.
    const { key } = await createKey(ctx, { name: 'policy', userId: admin.id, scopes: [], days: null });
    const setPolicy = (holds: string) =>
      postGraphql(app, `mutation { agentPolicySave(holds: [${holds}]) { confirmation } }`, { key });
    await setPolicy('MODULES');
    try {
      for (const [name, args] of CHANGES.filter(([item]) => item !== 'module_uninstall'))
        expect(await asAdmin(name, args), name).toMatchObject({ held: true, _count: 0 });
      expect(await callAs('module_status', { module: 'project' })).toMatchObject({ state: 'uninstalled' });
    } finally {
      await setPolicy('');
    }
  });

  test('module_install installs one app, and reports one that is already installed', async () => {
    expect(await asAdmin('module_install', { module: 'project' })).toMatchObject({
      state: 'installed',
      installed_version: expect.stringMatching(/^19\.0\./),
      installed: ['project'],
      _count: 1,
    });
    expect(await asAdmin('module_install', { module: 'project' })).toMatchObject({
      installed: [],
      _count: 0,
    });
    expect(await call('module_install', { module: 'none' }, app.main.admin.key)).toMatchObject({
      isError: true,
    });
  });

  test('module_upgrade upgrades an installed app to the version of the code', async () => {
    const project = apps.find(({ name }) => name === 'project')!;
    const { version: before } = project;
    project.version = `${before}.1`;
    try {
      expect(await asAdmin('module_upgrade', { module: 'project' })).toMatchObject({
        installed_version: expect.stringContaining(`${before}.1`),
        upgraded: ['project'],
      });
      expect(await asAdmin('module_upgrade', { module: 'project' })).toMatchObject({ upgraded: [] });
    } finally {
      project.version = before;
      await asAdmin('module_uninstall', { module: 'project', confirm: true });
      await endRemovals(app.main.ctx);
      await asAdmin('module_install', { module: 'project' });
    }
  });

  test('module_configure lists settings for every user, and lets administrators set one', async () => {
    const { settings } = await callAs('module_configure', { list: true });
    expect(await callAs('module_configure', { list: 'true' })).toMatchObject({ settings });
    expect(settings).toContainEqual(
      expect.objectContaining({
        setting: 'sale.lock_confirmed_orders',
        module: 'sale',
        type: 'boolean',
        value: false,
      }),
    );
    const set = (value: unknown) =>
      asAdmin('module_configure', { setting: 'sale.lock_confirmed_orders', value });
    expect(await set(true)).toMatchObject({ setting: { value: true } });
    expect(await set(false)).toMatchObject({ setting: { value: false } });
    const invalidArgs = { setting: 'sale.lock_confirmed_orders', value: 'perhaps' };
    expect(await call('module_configure', invalidArgs, app.main.admin.key)).toMatchObject({ isError: true });
  });

  test('call rejects app buttons, and names the module tools instead', async () => {
    const args = { model: 'ir.module.module', method: 'button_immediate_uninstall', ids: [1], confirm: true };
    const { isError, content } = await call('call', args, app.main.admin.key);
    expect([isError, content[0]!.text]).toEqual([true, expect.stringContaining('module_uninstall')]);
  });
});

describe('the calendar of current_time', () => {
  const buildAt = (time: string, tz: string, weekStart = 1) =>
    computeCalendar(Date.parse(time), tz, weekStart);

  it('handles days of 23 and 25 hours at DST changes', () => {
    const countHours = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) =>
      (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000;
    const spring = buildAt('2026-03-29T08:00:00Z', 'Europe/Berlin');
    expect(spring).toMatchObject({ local: '2026-03-29T10:00:00+02:00', weekday: 'Sunday' });
    expect([countHours(spring.today), countHours(spring.week), countHours(spring.month)]).toEqual([
      23, 167, 743,
    ]);
    expect(countHours(buildAt('2026-10-25T08:00:00Z', 'Europe/Berlin').today)).toBe(25);
    expect(buildAt('2026-10-25T00:30:00Z', 'Europe/Berlin').local).toBe('2026-10-25T02:30:00+02:00');
    expect(buildAt('2026-10-25T01:30:00Z', 'Europe/Berlin').local).toBe('2026-10-25T02:30:00+01:00');
  });

  it('starts a day at its first instant when DST skips or repeats midnight', () => {
    expect(buildAt('2026-09-06T12:00:00Z', 'America/Santiago').today.startsAt).toBe(
      '2026-09-06T04:00:00.000Z',
    );
    expect(buildAt('2026-11-01T12:00:00Z', 'America/Havana').today.startsAt).toBe('2026-11-01T04:00:00.000Z');
    expect(buildAt('2026-04-05T12:00:00Z', 'Australia/Lord_Howe').today.startsAt).toBe(
      '2026-04-04T13:00:00.000Z',
    );
  });

  it('starts weeks on the configured day, across months and years', () => {
    const buildWeek = (weekStart: number) => buildAt('2026-01-01T12:00:00Z', 'UTC', weekStart).week;
    expect(buildWeek(1)).toMatchObject({ firstDay: '2025-12-29', lastDay: '2026-01-04' });
    expect(buildWeek(7)).toMatchObject({ firstDay: '2025-12-28', lastDay: '2026-01-03' });
    expect(buildWeek(6)).toMatchObject({ firstDay: '2025-12-27', lastDay: '2026-01-02' });
    expect(buildAt('2026-12-31T23:30:00Z', 'Asia/Kathmandu').month.firstDay).toBe('2027-01-01');
    expect(buildAt('2028-02-29T00:00:00Z', 'America/St_Johns').month).toMatchObject({
      lastDay: '2028-02-29',
    });
  });
});
