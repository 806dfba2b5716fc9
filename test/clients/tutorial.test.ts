import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { findPython, getError, getResult, type Line, runScript } from './python.ts';

const python = await findPython('xmlrpc.client', 'python3');

python.describe('the tutorial of the external API, call by call, with xmlrpc.client', () => {
  let app: App;
  let lines: Map<string, Line>;
  const result = (name: string): unknown => getResult(lines, name);
  const ids = (name: string) => result(name) as number[];

  beforeAll(async () => {
    app = await startApp();
    const { admin, user } = app.main;
    const ask = (path: string, body: object) => json2(app, path, body, admin.key);
    const [belgium] = (await ask('res.country/search', { domain: [['code', '=', 'BE']] })).json();
    await ask('res.partner/create', { vals_list: companies(belgium) });
    const secrets = [admin.login, admin.key, user.login, user.key];
    lines = await runScript(python.found, 'tutorial.py', [app.url, 'main', ...secrets]);
  });
  afterAll(() => app?.close());

  test('1 version', () => {
    expect(result('version')).toEqual({
      server_version: '19.0',
      server_version_info: [19, 0, 0, 'final', 0, ''],
      server_serie: '19.0',
      protocol_version: 1,
    });
  });

  test('2 authenticate, which returns false for a wrong secret', () => {
    expect(result('authenticate')).toBe(app.main.admin.id);
    expect(result('authenticate, wrong')).toBe(false);
  });

  test('3 name_search', () => {
    const pairs = result('name_search') as [number, string][];
    expect(pairs).toHaveLength(10);
    for (const pair of pairs) expect(pair).toEqual([expect.any(Number), expect.stringMatching(/^Foo \d\d$/)]);
  });

  test('4 search', () => {
    expect(ids('search').length).toBeGreaterThanOrEqual(17);
    expect(ids('search').every(Number.isInteger)).toBe(true);
  });

  test('5 search, five records from offset ten', () => {
    expect(ids('search, page')).toEqual(ids('search').slice(10, 15));
  });

  test('6 search_count', () => {
    expect(result('search_count')).toBe(ids('search').length);
  });

  test('7 read, every field except images', () => {
    expect(ids('search, one')).toEqual(ids('search').slice(0, 1));
    const [record] = result('read') as Record<string, unknown>[];
    expect(record).toMatchObject({ id: ids('search, one')[0], is_company: true });
    const fields = Object.entries(result('fields_get') as Record<string, { type: string }>);
    const fieldNames = fields.filter(([, { type }]) => type !== 'binary').map(([name]) => name);
    expect(Object.keys(record!).sort()).toEqual(fieldNames.sort());
    expect(fieldNames.length).toBeGreaterThan(40);
  });

  test('8 read, three fields: the id is always included, a country is a pair, empty text is false', () => {
    const [first] = result('search_read') as object[];
    expect(result('read, fields')).toEqual([first]);
    const records = result('search_read') as { name: string }[];
    expect(records.find(({ name }) => name === 'Foo 00')).toEqual({
      id: expect.any(Number),
      name: 'Foo 00',
      country_id: [expect.any(Number), 'Belgium'],
      comment: false,
    });
  });

  test('9 fields_get, only the requested attributes', () => {
    const fields = result('fields_get') as Record<string, Record<string, string>>;
    expect(fields.name).toEqual({ string: 'Name', type: 'char' });
    for (const info of Object.values(fields)) {
      const { string, type, help = 'none', ...others } = info;
      expect([typeof string, typeof type, typeof help, others]).toEqual(['string', 'string', 'string', {}]);
    }
  });

  test('10 search_read', () => {
    expect(result('search_read')).toHaveLength(5);
  });

  test('11 create', () => {
    expect(result('create')).toEqual(expect.any(Number));
  });

  test('12 write', () => {
    expect(result('write')).toBe(true);
  });

  test('13 read, the written name', () => {
    expect(result('read, name')).toEqual([{ id: result('create'), display_name: 'Newer partner' }]);
  });

  test('14 unlink, after which search finds nothing', () => {
    expect(result('unlink')).toBe(true);
    expect(result('search, gone')).toEqual([]);
  });

  test('15 ir.model create, whose name must start with x_', () => {
    expect(result('model')).toEqual(expect.any(Number));
    expect(getError(lines, 'model, name')).toMatch(/^Fault 2: .*x_/s);
  });

  test('16 fields_get of the custom model', () => {
    const fields = result('model, fields') as Record<string, { type: string }>;
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

  test('17 ir.model.fields create; x_name exists from the start and only once', () => {
    expect(result('field')).toEqual(expect.any(Number));
    expect(getError(lines, 'field, twice')).toMatch(/^Fault 2: .*unique per model/s);
  });

  test('18 create and read a record immediately: an administrator needs no manual access row', () => {
    const id = result('record');
    expect(id).toEqual(expect.any(Number));
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const admin = [app.main.admin.id, app.main.admin.login];
    expect(result('record, read')).toEqual([
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
    expect(result('record, search')).toEqual([{ id, x_name: 'test record' }]);
  });

  test('18 a required custom field is enforced, and other users get no automatic rights', () => {
    expect(getError(lines, 'record, lacking')).toMatch(/^Fault 2: .*x_other/s);
    expect(result('user')).toBe(app.main.user.id);
    expect(getError(lines, 'record, user')).toMatch(/^Fault 4: .*x_custom_model/s);
  });

  /** Seventeen records, so that the tutorial's page of five from offset ten is full. */
  function companies(country: number): object[] {
    return Array.from({ length: 17 }, (_, i) => ({
      name: `Foo ${String(i).padStart(2, '0')}`,
      is_company: true,
      country_id: country,
    }));
  }
});
