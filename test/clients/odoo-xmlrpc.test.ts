import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';

type ClientCallback = (error: unknown, value: unknown) => void;
interface Client {
  connect(reply: ClientCallback): void;
  execute_kw(model: string, method: string, params: unknown[], reply: ClientCallback): void;
  exec_workflow(model: string, method: string, params: unknown[], reply: ClientCallback): void;
  render_report(report: string, params: unknown[], reply: ClientCallback): void;
}

// The package has no types.
const Odoo = createRequire(import.meta.url)('odoo-xmlrpc') as new (config: object) => Client;

const app = setUpApp();
let odoo: Client;
const createClient = (config: object = {}) => {
  const { login: username, key: password } = app.main.admin;
  return new Odoo({ url: app.url, db: 'main', username, password, ...config });
};
const connect = (client: Client) => promisify(client.connect.bind(client))();
/** Nests the arguments in two lists, as the package's examples do. */
const call = (model: string, method: string, args: unknown[], options?: object) =>
  promisify(odoo.execute_kw.bind(odoo))(model, method, options ? [args, options] : [args]);

beforeAll(async () => {
  odoo = createClient();
  await connect(odoo);
  const people = Array.from({ length: 16 }, (_, i) => ({
    name: `Shop ${String(i + 1).padStart(2, '0')}`,
    ref: 'shop',
  }));
  await call('res.partner', 'create', [people]);
});

const shops = [['ref', '=', 'shop']];

describe('odoo-xmlrpc, unmodified', () => {
  test('connect returns the user id for a key or a password, whether or not the URL contains the port', async () => {
    const { id, password } = app.main.admin;
    expect(await connect(createClient())).toBe(id);
    expect(await connect(createClient({ password }))).toBe(id);
    expect(await connect(createClient({ url: 'http://127.0.0.1', port: app.port }))).toBe(id);
  });

  test('connect fails with a wrong secret or an unknown database', async () => {
    await expect(connect(createClient({ password: 'wrong' }))).rejects.toMatchObject({
      message: expect.stringContaining('No UID'),
    });
    await expect(connect(createClient({ db: 'nobody' }))).rejects.toMatchObject({ faultCode: 1 });
  });

  test('rejects a call made before connecting', async () => {
    const stranger = createClient();
    const earlyCall = promisify(stranger.execute_kw.bind(stranger))('res.partner', 'search', [[[]]]);
    await expect(earlyCall).rejects.toMatchObject({ faultCode: 3, faultString: 'Access Denied' });
  });

  test('lists, counts and paginates records', async () => {
    const ids = (await call('res.partner', 'search', [shops])) as number[];
    expect(ids).toHaveLength(16);
    expect(await call('res.partner', 'search_count', [shops])).toBe(16);
    expect(await call('res.partner', 'search', [shops, 10, 5])).toEqual(ids.slice(10, 15));
    expect(await call('res.partner', 'search', [shops], { offset: 10, limit: 5 })).toEqual(ids.slice(10, 15));
    expect(await call('res.partner', 'search', [shops, 0, 2, 'name desc'])).toEqual(ids.slice(-2).reverse());
  });

  test('reads all or selected fields of records, with named or positional arguments', async () => {
    const [id] = (await call('res.partner', 'search', [shops, 0, 1])) as number[];
    const [fullRecord] = (await call('res.partner', 'read', [[id]])) as object[];
    expect(fullRecord).toMatchObject({ id, name: 'Shop 01', country_id: false, comment: false });
    const row = { id, name: 'Shop 01', country_id: false, comment: false };
    expect(await call('res.partner', 'read', [[id], ['name', 'country_id', 'comment']])).toEqual([row]);
    expect(await call('res.partner', 'read', [id, ['name']])).toEqual([{ id, name: 'Shop 01' }]);
    expect(await call('res.partner', 'read', [[id]], { fields: ['name'] })).toEqual([
      { id, name: 'Shop 01' },
    ]);
  });

  test('lists the fields of a model, with their attributes', async () => {
    const attributes = ['string', 'help', 'type'];
    const fieldInfos = (await call('res.partner', 'fields_get', [], { attributes })) as Record<
      string,
      object
    >;
    expect(fieldInfos.name).toEqual({ string: 'Name', type: 'char' });
    expect(await call('res.partner', 'fields_get', [[], attributes])).toEqual(fieldInfos);
    expect(await call('res.partner', 'fields_get', [['name'], attributes])).toEqual({
      name: fieldInfos.name,
    });
  });

  test('runs search_read with positional or named arguments', async () => {
    const rows = await call('res.partner', 'search_read', [shops, ['name'], 0, 2]);
    expect(rows).toEqual([
      { id: expect.any(Number), name: 'Shop 01' },
      { id: expect.any(Number), name: 'Shop 02' },
    ]);
    expect(await call('res.partner', 'search_read', [shops], { fields: ['name'], limit: 2 })).toEqual(rows);
  });

  test('creates, updates and deletes records', async () => {
    const id = await call('res.partner', 'create', [{ name: 'New Partner' }]);
    expect(id).toEqual(expect.any(Number));
    expect(await call('res.partner', 'write', [[id], { name: 'Newer Partner' }])).toBe(true);
    expect(await call('res.partner', 'read', [[id], ['display_name']])).toEqual([
      { id, display_name: 'Newer Partner' },
    ]);
    expect(await call('res.partner', 'unlink', [[id]])).toBe(true);
    expect(await call('res.partner', 'search', [[['id', '=', id]]])).toEqual([]);
  });

  test('creates a model and its field at runtime, and uses them', async () => {
    const model = await call('ir.model', 'create', [{ name: 'Shop', model: 'x_shop', state: 'manual' }]);
    const field = { model_id: model, name: 'x_floor', ttype: 'integer', state: 'manual' };
    expect(await call('ir.model.fields', 'create', [field])).toEqual(expect.any(Number));
    const fields = await call('x_shop', 'fields_get', [], { attributes: ['type'] });
    expect(fields).toMatchObject({ x_name: { type: 'char' }, x_floor: { type: 'integer' } });
    const id = await call('x_shop', 'create', [{ x_name: 'Corner', x_floor: 2 }]);
    expect(await call('x_shop', 'search_read', [[['x_floor', '>', 1]], ['x_name', 'x_floor']])).toEqual([
      { id, x_name: 'Corner', x_floor: 2 },
    ]);
  });

  test('returns every type of value unchanged', async () => {
    const text = 'é 漢 <&> ]]> "quoted"';
    const values = { name: text, color: 3, active: true, city: false, comment: '<p>x</p>' };
    const id = await call('res.partner', 'create', [values]);
    expect(await call('res.partner', 'read', [[id], Object.keys(values)])).toEqual([{ id, ...values }]);
  });

  test('converts a fault to an error with its code and text', async () => {
    await expect(call('res.partner', 'write', [[99999999], { color: 1 }])).rejects.toMatchObject({
      faultCode: 2,
      faultString: expect.stringContaining('res.partner'),
    });
    await expect(call('no.such.model', 'search', [[]])).rejects.toMatchObject({ faultCode: 2 });
    await expect(call('res.partner', 'no_such_method', [[]])).rejects.toMatchObject({ faultCode: 1 });
  });

  test('exec_workflow and render_report, which Odoo removed, return faults', async () => {
    const workflow = promisify(odoo.exec_workflow.bind(odoo));
    await expect(workflow('sale.order', 'order_confirm', [1])).rejects.toMatchObject({
      faultCode: 1,
      faultString: expect.stringContaining('exec_workflow'),
    });
    const report = promisify(odoo.render_report.bind(odoo));
    await expect(report('sale.report', [[1]])).rejects.toMatchObject({
      faultCode: 1,
      faultString: expect.stringContaining('report'),
    });
  });
});
