import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { create } from '../../src/engine/write/write.ts';
import { findPython } from '../clients/python.ts';
import { setUpApp } from '../harness/app.ts';
import { createNpmClient, type NpmClient } from '../harness/facades/xmlrpc.ts';

const app = setUpApp();
let commonClient: NpmClient;
let objects: NpmClient;
beforeAll(async () => {
  commonClient = createNpmClient(`${app.url}/xmlrpc/2/common`);
  objects = createNpmClient(`${app.url}/xmlrpc/2/object`);
  const companies = Array.from({ length: 17 }, (_, i) => ({
    name: `Company ${String(i).padStart(2, '0')}`,
    is_company: true,
  }));
  const [company] = await create(app.main.ctx, 'res.partner', companies);
  await create(app.main.ctx, 'res.partner', [
    { name: 'Person & <Friends> é 漢', parent_id: company!, comment: '<p>x</p>', email: 'p@example.com' },
  ]);
});

describe('npm package xmlrpc', () => {
  const execute = (model: string, method: string, args: unknown[], options?: object) =>
    objects.call(
      'execute_kw',
      'main',
      app.main.admin.id,
      app.main.admin.key,
      model,
      method,
      args,
      ...(options ? [options] : []),
    );
  const companies = [['name', '=like', 'Company __']];

  test('reads the version, and signs in with a key or password', async () => {
    expect(await commonClient.call('version')).toEqual({
      server_version: '19.0',
      server_version_info: [19, 0, 0, 'final', 0, ''],
      server_serie: '19.0',
      protocol_version: 1,
    });
    const { login, key, password, id } = app.main.admin;
    expect(await commonClient.call('authenticate', 'main', login, key, {})).toBe(id);
    expect(await commonClient.call('authenticate', 'main', login, password, {})).toBe(id);
    expect(await commonClient.call('login', 'main', login, key)).toBe(id);
    expect(await commonClient.call('authenticate', 'main', login, 'wrong', {})).toBe(false);
  });

  test('lists, paginates and counts records', async () => {
    expect(await execute('res.partner', 'name_search', ['company 0'], { limit: 10 })).toHaveLength(10);
    const [pair] = (await execute('res.partner', 'name_search', ['company 03'])) as [number, string][];
    expect(pair).toEqual([expect.any(Number), 'Company 03']);
    const ids = (await execute('res.partner', 'search', [companies])) as number[];
    expect(ids).toHaveLength(17);
    expect(await execute('res.partner', 'search', [companies], { offset: 10, limit: 5 })).toEqual(
      ids.slice(10, 15),
    );
    expect(await execute('res.partner', 'search_count', [companies])).toBe(17);
  });

  test('reads records with all or selected fields', async () => {
    const ids = (await execute('res.partner', 'search', [[['email', '=', 'p@example.com']]], {
      limit: 1,
    })) as number[];
    const [match] = (await execute('res.partner', 'read', [ids])) as Record<string, unknown>[];
    expect(Object.keys(match!).length).toBeGreaterThan(25);
    expect(
      await execute('res.partner', 'read', [ids], { fields: ['name', 'parent_id', 'comment', 'phone'] }),
    ).toEqual([
      {
        id: ids[0],
        name: 'Person & <Friends> é 漢',
        parent_id: [expect.any(Number), 'Company 00'],
        comment: '<p>x</p>',
        phone: false,
      },
    ]);
    expect(await execute('res.partner', 'read', [ids[0], ['city']])).toEqual([{ id: ids[0], city: false }]);
  });

  test('reads the field descriptions and runs search_read', async () => {
    const fields = (await execute('res.partner', 'fields_get', [], {
      attributes: ['string', 'help', 'type'],
    })) as Record<string, object>;
    expect(fields.name).toEqual({ string: 'Name', type: 'char' });
    for (const info of Object.values(fields)) {
      expect(Object.keys(info).filter((key) => !['string', 'help', 'type'].includes(key))).toEqual([]);
    }
    const partners = await execute('res.partner', 'search_read', [companies], {
      fields: ['name', 'company_id'],
      limit: 5,
    });
    expect(partners).toHaveLength(5);
    expect((partners as object[])[0]).toEqual({
      id: expect.any(Number),
      name: 'Company 00',
      company_id: false,
    });
  });

  test('creates, updates, reads and deletes records', async () => {
    const id = (await execute('res.partner', 'create', [{ name: 'New Partner' }])) as number;
    expect(id).toEqual(expect.any(Number));
    expect(await execute('res.partner', 'create', [[{ name: 'One' }, { name: 'Two' }]])).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(await execute('res.partner', 'write', [[id], { name: 'Newer partner', color: 3 }])).toBe(true);
    expect(await execute('res.partner', 'read', [[id], ['display_name']])).toEqual([
      { id, display_name: 'Newer partner' },
    ]);
    expect(await execute('res.partner', 'unlink', [[id]])).toBe(true);
    expect(await execute('res.partner', 'search', [[['id', '=', id]]])).toEqual([]);
  });

  test('receives faults as errors with their code', async () => {
    await expect(execute('res.partner', 'write', [[999999], { color: 1 }])).rejects.toMatchObject({
      faultCode: 2,
    });
    await expect(execute('res.partner', '_search', [[]])).rejects.toMatchObject({ faultCode: 4 });
    await expect(
      objects.call('execute_kw', 'main', app.main.admin.id, 'wrong', 'res.partner', 'search', [[]]),
    ).rejects.toMatchObject({
      faultCode: 3,
      faultString: 'Access Denied',
    });
  });
});

const SCRIPT = `
import sys, xmlrpc.client, json
url, db, login, key = sys.argv[1:]
common = xmlrpc.client.ServerProxy(url + '/xmlrpc/2/common')
models = xmlrpc.client.ServerProxy(url + '/xmlrpc/2/object')
out = {'version': common.version()['server_version']}
uid = common.authenticate(db, login, key, {})
out['denied'] = common.authenticate(db, login, 'wrong', {})
def run(*args, **kw): return models.execute_kw(db, uid, key, 'res.partner', *args, **kw)
ids = run('search', [[['is_company', '=', True]]], {'limit': 3, 'order': 'id'})
out['types'] = [type(i).__name__ for i in ids]
made = run('create', [{'name': 'From Python \\u00e9 \\u6f22 <&>', 'color': 4, 'comment': False}])
run('write', [[made], {'phone': '+32 1'}])
out['row'] = run('read', [[made]], {'fields': ['name', 'color', 'phone', 'city', 'parent_id', 'active']})[0]
out['created'] = type(run('read', [made, ['create_date']])[0]['create_date']).__name__
out['fields'] = run('fields_get', [], {'attributes': ['type']})['email']
out['gone'] = [run('unlink', [[made]]), run('search', [[['id', '=', made]]])]
try: run('read', [[1], ['nope']])
except xmlrpc.client.Fault as fault: out['fault'] = [fault.faultCode, 'nope' in fault.faultString, 'Traceback' in fault.faultString]
out['none'] = run('check_access_rights', ['read'])
del out['row']['id']
print(json.dumps(out))
`;

const python = await findPython('xmlrpc.client', 'python3');

python.describe("Python's xmlrpc.client, unmodified", () => {
  test('completes the steps of the tutorial', async () => {
    const { login, key } = app.main.admin;
    const { stdout } = await promisify(execFile)(python.module, ['-c', SCRIPT, app.url, 'main', login, key]);
    expect(JSON.parse(stdout)).toEqual({
      version: '19.0',
      denied: false,
      types: ['int', 'int', 'int'],
      row: {
        name: 'From Python é 漢 <&>',
        color: 4,
        phone: '+32 1',
        city: false,
        parent_id: false,
        active: true,
      },
      created: 'str',
      fields: { type: 'char' },
      gone: [true, []],
      fault: [1, true, false],
      none: false,
    });
  });
});
