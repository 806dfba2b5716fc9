import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { findPython, getError, getResult, type Line, runScript } from './python.ts';

const python = await findPython('xmlrpc.client', 'python3');

python.describe('the external API tutorial, call by call, with xmlrpc.client', () => {
  let app: App;
  let lines: Map<string, Line>;
  const buildResult = (name: string): unknown => getResult(lines, name);
  const buildIds = (name: string) => buildResult(name) as number[];

  beforeAll(async () => {
    app = await startApp();
    const { admin, user } = app.main;
    const request = (path: string, body: object) => json2(app, path, body, admin.key);
    const [belgium] = (await request('res.country/search', { domain: [['code', '=', 'BE']] })).json();
    await request('res.partner/create', { vals_list: buildCompanies(belgium) });
    const secrets = [admin.login, admin.key, user.login, user.key];
    lines = await runScript(python.module, 'tutorial.py', [app.url, 'main', ...secrets]);
  });
  afterAll(() => app?.close());

  test('1 version', () => {
    expect(buildResult('version')).toEqual({
      server_version: '19.0',
      server_version_info: [19, 0, 0, 'final', 0, ''],
      server_serie: '19.0',
      protocol_version: 1,
    });
  });

  test('2 authenticate returns the user id, or false for a wrong secret', () => {
    expect(buildResult('authenticate')).toBe(app.main.admin.id);
    expect(buildResult('authenticate, wrong')).toBe(false);
  });

  test('3 name_search', () => {
    const pairs = buildResult('name_search') as [number, string][];
    expect(pairs).toHaveLength(10);
    for (const pair of pairs) expect(pair).toEqual([expect.any(Number), expect.stringMatching(/^Foo \d\d$/)]);
  });

  test('4 search', () => {
    expect(buildIds('search').length).toBeGreaterThanOrEqual(17);
    expect(buildIds('search').every(Number.isInteger)).toBe(true);
  });

  test('5 search returns five records from offset ten', () => {
    expect(buildIds('search, page')).toEqual(buildIds('search').slice(10, 15));
  });

  test('6 search_count', () => {
    expect(buildResult('search_count')).toBe(buildIds('search').length);
  });

  test('7 read returns every field except images', () => {
    expect(buildIds('search, one')).toEqual(buildIds('search').slice(0, 1));
    const [record] = buildResult('read') as Record<string, unknown>[];
    expect(record).toMatchObject({ id: buildIds('search, one')[0], is_company: true });
    const fields = Object.entries(buildResult('fields_get') as Record<string, { type: string }>);
    const fieldNames = fields.filter(([, { type }]) => type !== 'binary').map(([name]) => name);
    expect(Object.keys(record!).sort()).toEqual(fieldNames.sort());
    expect(fieldNames.length).toBeGreaterThan(40);
  });

  test('8 read returns the id with the given fields, a country as a pair and empty text as false', () => {
    const [first] = buildResult('search_read') as object[];
    expect(buildResult('read, fields')).toEqual([first]);
    const records = buildResult('search_read') as { name: string }[];
    expect(records.find(({ name }) => name === 'Foo 00')).toEqual({
      id: expect.any(Number),
      name: 'Foo 00',
      country_id: [expect.any(Number), 'Belgium'],
      comment: false,
    });
  });

  test('9 fields_get returns only the requested attributes', () => {
    const fields = buildResult('fields_get') as Record<string, Record<string, string>>;
    expect(fields.name).toEqual({ string: 'Name', type: 'char' });
    for (const info of Object.values(fields)) {
      const { string, type, help = 'none', ...others } = info;
      expect([typeof string, typeof type, typeof help, others]).toEqual(['string', 'string', 'string', {}]);
    }
  });

  test('10 search_read', () => {
    expect(buildResult('search_read')).toHaveLength(5);
  });

  test('11 create', () => {
    expect(buildResult('create')).toEqual(expect.any(Number));
  });

  test('12 write', () => {
    expect(buildResult('write')).toBe(true);
  });

  test('13 read returns the written name', () => {
    expect(buildResult('read, name')).toEqual([{ id: buildResult('create'), display_name: 'Newer partner' }]);
  });

  test('14 unlink deletes a record, so that search no longer finds it', () => {
    expect(buildResult('unlink')).toBe(true);
    expect(buildResult('search, gone')).toEqual([]);
  });

  test('15 ir.model create requires a name that starts with x_', () => {
    expect(buildResult('model')).toEqual(expect.any(Number));
    expect(getError(lines, 'model, name')).toMatch(/^Fault 2: .*x_/s);
  });

  test('16 fields_get describes the custom model', () => {
    const fields = buildResult('model, fields') as Record<string, { type: string }>;
    const types = Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type]));
    expect(types).toEqual({
      id: 'integer',
      display_name: 'char',
      x_name: 'char',
      create_uid: 'many2one',
      create_date: 'datetime',
      write_uid: 'many2one',
      write_date: 'datetime',
    });
  });

  test('17 ir.model.fields create adds a field, but rejects a second x_name', () => {
    expect(buildResult('field')).toEqual(expect.any(Number));
    expect(getError(lines, 'field, twice')).toMatch(/^Fault 2: .*unique per model/s);
  });

  test('18 create and read work immediately, because an administrator needs no manual access right', () => {
    const id = buildResult('record');
    expect(id).toEqual(expect.any(Number));
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const admin = [app.main.admin.id, app.main.admin.login];
    expect(buildResult('record, read')).toEqual([
      {
        id,
        display_name: 'test record',
        x_name: 'test record',
        x_other: 'more',
        create_uid: admin,
        create_date: moment,
        write_uid: admin,
        write_date: moment,
      },
    ]);
    expect(buildResult('record, search')).toEqual([{ id, x_name: 'test record' }]);
  });

  test('18 create enforces a required custom field, and other users get no automatic rights', () => {
    expect(getError(lines, 'record, lacking')).toMatch(/^Fault 2: .*x_other/s);
    expect(buildResult('user')).toBe(app.main.user.id);
    expect(getError(lines, 'record, user')).toMatch(/^Fault 4: .*x_custom_model/s);
  });

  /** Seventeen records, so that the tutorial's page of five from offset ten is full. */
  function buildCompanies(country: number): object[] {
    return Array.from({ length: 17 }, (_, i) => ({
      name: `Foo ${String(i).padStart(2, '0')}`,
      is_company: true,
      country_id: country,
    }));
  }
});
