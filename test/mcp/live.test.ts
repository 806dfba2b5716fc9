import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { apps } from '../../apps/index.ts';
import { sql } from '../../src/db/sql.ts';
import { calendarAt } from '../../src/engine/value/calendar.ts';
import { version } from '../../src/version.ts';
import { type App, startApp } from '../harness/app.ts';
import { ERAS, request, send, switchMcp } from '../harness/doors/mcp.ts';

let app: App;

beforeAll(async () => {
  app = await startApp();
  await switchMcp(app, app.main, true);
});
afterAll(() => app.close());

const listed = async (key: string): Promise<{ name: string }[]> =>
  (await send(app, request('tools/list'), key)).json().result.tools;

describe.each(Object.entries(ERAS))('in the %s era', (_era, callTool) => {
  const call = (name: string, args: object = {}, key = app.main.user.key) => callTool(app, key, name, args);
  const read = async (name: string, args: object = {}, key = app.main.user.key) => {
    const result = await call(name, args, key);
    expect(result).toMatchObject({ isError: false });
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
    return result.structuredContent;
  };

  test('platform_info says where one is, as whom, and with which tools and apps', async () => {
    const mine = await read('platform_info');
    const names = (await listed(app.main.user.key)).map(({ name }) => name);
    expect(mine).toMatchObject({
      tenant_db: app.main.ctx.workspace.slug,
      base_url: app.runtime.config.publicUrl,
      svc_version: version,
      mcp_server: { name: 'atrium', version, tool_count: names.length },
      your_user: { login: 'user', is_admin: false },
      mail: { installed: true },
      _count: 1,
    });
    expect(mine.applications.toSorted()).toEqual(
      ['Contacts', 'Website', ...apps.map(({ label }) => label)].sort(),
    );
    expect(mine.mcp_server.tools.toSorted()).toEqual(names.toSorted());
    expect(mine.installed_module_count).toBe(5 + apps.length);
    expect(mine.mail.features_on).toContain('mail.search');
    expect((await read('platform_info', {}, app.main.admin.key)).your_user.is_admin).toBe(true);
  });

  test('list_installed_modules lists what there is, by text and apps alone', async () => {
    const all = await read('list_installed_modules');
    expect(all._count).toBe(5 + apps.length);
    expect(all.modules).toContainEqual({
      name: 'crm',
      shortdesc: 'CRM',
      installed_version: expect.stringMatching(/^19\.0\./),
      application: true,
    });
    const some = await read('list_installed_modules', { apps_only: true });
    expect(some.modules.map(({ name }: { name: string }) => name)).not.toContain('base');
    expect((await read('list_installed_modules', { filter: 'SALE' })).modules).toMatchObject([
      { name: 'sale' },
    ]);
  });

  test('whats_new has the notes of the changelog, newest first, and what was changed last', async () => {
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`update ir_module_module set write_date = '2031-01-01' where workspace_id = ${id} and name = 'project'`,
    );
    const {
      release_notes: notes,
      recently_changed_modules: modules,
      note,
    } = await read('whats_new', { limit: 3 });
    const text = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
    expect(text).toContain(`## [${notes[0].version}]`);
    expect(notes).toHaveLength(3);
    for (const { kind, text: words } of notes) {
      expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind);
      expect(text.replace(/\s+/g, ' ')).toContain(`- ${words}`);
    }
    expect(modules).toHaveLength(3);
    expect(modules[0]).toMatchObject({ name: 'project', changed_at: expect.stringMatching(/^2031-01-01T/) });
    expect(note).toEqual(expect.any(String));
    expect((await read('whats_new')).release_notes).toHaveLength(20);
  });

  test('current_time is that of the zone of the user, with the week of the language', async () => {
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`update res_users set tz = 'Asia/Kathmandu' where workspace_id = ${id} and id = ${app.main.user.id}`,
    );
    app.runtime.identity.forget();
    const time = await read('current_time');
    expect(time).toMatchObject({ timezone: 'Asia/Kathmandu', utc_offset: '+05:45', _count: 1 });
    expect(Math.abs(Date.parse(time.local) - Date.parse(time.now))).toBeLessThan(1_000);
    expect(Math.abs(Date.parse(time.now) - Date.now())).toBeLessThan(60_000);
    expect(new Date(`${time.week.first_day}T00:00:00Z`).getUTCDay()).toBe(0);
    expect(time.month.first_day).toBe(`${time.local.slice(0, 7)}-01`);
    expect(time.today.first_day).toBe(time.local.slice(0, 10));
  });

  test('module_status says what is known of an app, for everyone', async () => {
    expect(await read('module_status', { module: 'sale' })).toMatchObject({
      name: 'sale',
      shortdesc: apps.find(({ name }) => name === 'sale')!.label,
      author: 'Atrium',
      installed_version: expect.stringMatching(/^19\.0\./),
      state: 'installed',
      dependencies: apps.find(({ name }) => name === 'sale')!.depends.toSorted(),
      may_be_changed: false,
      reason: expect.stringMatching(/no apps yet/),
    });
    expect((await read('module_status', { module: 'product' })).dependents).toContain('sale');
    expect(await call('module_status', { module: 'none' })).toMatchObject({ isError: true });
  });

  const LATER: [string, object][] = [
    ['module_install', { module: 'crm' }],
    ['module_upgrade', { module: 'crm' }],
    ['module_uninstall', { module: 'crm' }],
    ['module_configure', { setting: 'x', value: 1 }],
  ];

  test.for(LATER)(
    '%s is for those who may use it, and says what this server cannot do',
    async ([name, args]) => {
      const text = async (key: string) => {
        const { isError, content } = await call(name, args, key);
        expect(isError).toBe(true);
        return content[0]!.text;
      };
      expect(await text(app.main.user.key)).toMatch(/^Error: .*(Administrator|website designer)/);
      expect(await text(app.main.admin.key)).toMatch(/^Error: This server .* yet/);
      const names = async (key: string) => (await listed(key)).map((tool) => tool.name);
      expect(await names(app.main.admin.key)).toContain(name);
      if (name !== 'module_configure') expect(await names(app.main.user.key)).not.toContain(name);
    },
  );

  test('module_configure lists for everyone', async () => {
    expect((await call('module_configure', { list: true })).content[0]!.text).toMatch(/no apps yet/);
  });
});

describe('the calendar', () => {
  const at = (time: string, tz: string, weekStart = 1) => calendarAt(Date.parse(time), tz, weekStart);

  it('counts the 23 and the 25 hours of days on which clocks change', () => {
    const hours = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }) =>
      (Date.parse(endsAt) - Date.parse(startsAt)) / 3_600_000;
    const spring = at('2026-03-29T08:00:00Z', 'Europe/Berlin');
    expect(spring).toMatchObject({ local: '2026-03-29T10:00:00+02:00', weekday: 'Sunday' });
    expect([hours(spring.today), hours(spring.week), hours(spring.month)]).toEqual([23, 167, 743]);
    expect(hours(at('2026-10-25T08:00:00Z', 'Europe/Berlin').today)).toBe(25);
    expect(at('2026-10-25T00:30:00Z', 'Europe/Berlin').local).toBe('2026-10-25T02:30:00+02:00');
    expect(at('2026-10-25T01:30:00Z', 'Europe/Berlin').local).toBe('2026-10-25T02:30:00+01:00');
  });

  it('begins a day with its first instant where clocks skip midnight or show it two times', () => {
    expect(at('2026-09-06T12:00:00Z', 'America/Santiago').today.startsAt).toBe('2026-09-06T04:00:00.000Z');
    expect(at('2026-11-01T12:00:00Z', 'America/Havana').today.startsAt).toBe('2026-11-01T04:00:00.000Z');
    expect(at('2026-04-05T12:00:00Z', 'Australia/Lord_Howe').today.startsAt).toBe('2026-04-04T13:00:00.000Z');
  });

  it('begins weeks on the day they begin on, across months and years', () => {
    const week = (weekStart: number) => at('2026-01-01T12:00:00Z', 'UTC', weekStart).week;
    expect(week(1)).toMatchObject({ firstDay: '2025-12-29', lastDay: '2026-01-04' });
    expect(week(7)).toMatchObject({ firstDay: '2025-12-28', lastDay: '2026-01-03' });
    expect(week(6)).toMatchObject({ firstDay: '2025-12-27', lastDay: '2026-01-02' });
    expect(at('2026-12-31T23:30:00Z', 'Asia/Kathmandu').month.firstDay).toBe('2027-01-01');
    expect(at('2028-02-29T00:00:00Z', 'America/St_Johns').month).toMatchObject({ lastDay: '2028-02-29' });
  });
});
