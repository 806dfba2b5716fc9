import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';

// The package's types declare it by name instead of exporting it, so module resolution fails.
const OdooAwait = createRequire(import.meta.url)('odoo-await') as new (options: object) => Client;

interface Client {
  uid: number;
  createClientOptions(path: string): object;
  connect(): Promise<number>;
  execute_kw(model: string, method: string, params: unknown[]): Promise<unknown>;
  parseManyFields(params: object): object;
  create(model: string, values: object, externalId?: string, module?: string): Promise<number>;
  read(model: string, id: number | number[], fields?: string[]): Promise<RecordValues[]>;
  update(model: string, id: number | number[], values: object): Promise<boolean>;
  delete(model: string, id: number | number[]): Promise<boolean>;
  searchRead(model: string, domain?: unknown, fields?: string[], options?: object): Promise<RecordValues[]>;
  search(model: string, domain?: unknown): Promise<number[]>;
  getFields(model: string, attributes?: string[]): Promise<Record<string, object>>;
  action(model: string, action: string, id: number | number[]): Promise<unknown>;
  createExternalId(model: string, id: number, externalId: string, module?: string): Promise<number>;
  searchByExternalId(externalId: string): Promise<number>;
  readByExternalId(externalId: string, fields?: string[]): Promise<RecordValues>;
  updateByExternalId(externalId: string, values: object): Promise<boolean>;
  deleteByExternalId(externalId: string): Promise<boolean>;
}
type RecordValues = Record<string, unknown>;

const app = setUpApp();
let odoo: Client;
const connectAs = (username: string, password: string, db = 'main') =>
  new OdooAwait({ baseUrl: app.url, db, username, password });

beforeAll(async () => {
  odoo = connectAs(app.main.admin.login, app.main.admin.key);
  await odoo.connect();
});

describe('odoo-await, unmodified: connections', () => {
  test('connect returns the user id for a key or a password', async () => {
    const { id, login, key, password } = app.main.admin;
    expect(await connectAs(login, key).connect()).toBe(id);
    expect(await connectAs(login, password).connect()).toBe(id);
    expect(odoo.uid).toBe(id);
  });

  test('connect accepts a separate port and a URL with basic authentication', async () => {
    const { id, login: username, key: password } = app.main.admin;
    const options = { db: 'main', username, password };
    const otherClient = new OdooAwait({ ...options, baseUrl: 'http://127.0.0.1', port: app.port });
    expect(await otherClient.connect()).toBe(id);
    const behindClient = new OdooAwait({ ...options, baseUrl: app.url.replace('//', '//proxy:secret@') });
    expect(await behindClient.connect()).toBe(id);
  });

  test('connect fails with a wrong secret or an unknown database', async () => {
    await expect(connectAs('admin', 'wrong').connect()).rejects.toMatch(/invalid credentials/);
    await expect(connectAs('admin', app.main.admin.key, 'nobody').connect()).rejects.toMatchObject({
      faultCode: 1,
    });
  });

  test('execute_kw calls any method', async () => {
    const context = await odoo.execute_kw('res.users', 'context_get', [[]]);
    expect(context).toMatchObject({ uid: app.main.admin.id, lang: 'en_US' });
    await expect(odoo.execute_kw('res.users', 'no_such_method', [[]])).rejects.toMatchObject({
      faultCode: 1,
    });
  });
});

describe('odoo-await, unmodified: records', () => {
  test('runs the steps of the test that ships with the package', async () => {
    const id = await odoo.create('res.partner', { name: 'Grace', email: 'grace@example.com' });
    expect(id).toEqual(expect.any(Number));
    const row = { id, name: 'Grace', email: 'grace@example.com' };
    expect(await odoo.read('res.partner', [id], ['name', 'email'])).toEqual([row]);
    expect(await odoo.update('res.partner', id, { email: 'hopper@example.com' })).toBe(true);
    const [contact] = await odoo.searchRead('res.partner', { email: ['hopper@example.com'] });
    expect(contact).toMatchObject({ id, name: 'Grace' });
    expect(await odoo.search('res.partner', { email: 'hopper@example.com' })).toEqual([id]);
    expect(await odoo.delete('res.partner', id)).toBe(true);
    expect(await odoo.search('res.partner', { email: 'hopper@example.com' })).toEqual([]);
  });

  test('read accepts one or many ids, and returns every field if none are named', async () => {
    const ids = [
      await odoo.create('res.partner', { name: 'A' }),
      await odoo.create('res.partner', { name: 'B' }),
    ];
    expect(await odoo.read('res.partner', ids[0]!, ['name'])).toEqual([{ id: ids[0], name: 'A' }]);
    const rows = await odoo.read('res.partner', ids);
    expect(rows.map(({ name }) => name)).toEqual(['A', 'B']);
    expect(Object.keys(rows[0]!).length).toBeGreaterThan(40);
  });

  test('update and delete accept one or many ids', async () => {
    const ids = [
      await odoo.create('res.partner', { name: 'C' }),
      await odoo.create('res.partner', { name: 'D' }),
    ];
    expect(await odoo.update('res.partner', ids, { city: 'Ghent' })).toBe(true);
    expect(
      await odoo.search('res.partner', [
        ['id', 'in', ids],
        ['city', '=', 'Ghent'],
      ]),
    ).toEqual(ids);
    expect(await odoo.delete('res.partner', ids)).toBe(true);
    expect(await odoo.search('res.partner', ['id', 'in', ids])).toEqual([]);
  });

  test('search accepts an object, a triple, a list of triples, a prefix operator, or no argument', async () => {
    const id = await odoo.create('res.partner', { name: 'Searched', city: 'Here' });
    expect(await odoo.search('res.partner', { name: 'Searched', city: 'Here' })).toEqual([id]);
    expect(await odoo.search('res.partner', ['name', 'ilike', 'searche'])).toEqual([id]);
    expect(
      await odoo.search('res.partner', [
        ['name', '=', 'Searched'],
        ['city', '=', 'There'],
      ]),
    ).toEqual([]);
    const orDomain = ['|', ['name', '=', 'Searched'], ['city', '=', 'There']];
    expect(await odoo.search('res.partner', orDomain)).toEqual([id]);
    expect(await odoo.search('res.partner')).toContain(id);
  });

  test('searchRead also accepts fields, pagination, an order and a context', async () => {
    for (const name of ['P1', 'P2', 'P3']) await odoo.create('res.partner', { name, city: 'Paged' });
    const domain = { city: 'Paged' };
    const readNames = async (options?: object) =>
      (await odoo.searchRead('res.partner', domain, ['name'], options)).map(({ name }) => name);
    expect(await readNames()).toEqual(['P1', 'P2', 'P3']);
    expect(await readNames({ offset: 1, limit: 1, order: 'name desc', context: { lang: 'en_US' } })).toEqual([
      'P2',
    ]);
    // Omitted options are sent as empty strings.
    expect(await readNames({ limit: 1 })).toEqual(['P1']);
    expect(await odoo.searchRead('res.partner', ['city', '=', 'Paged'], ['city'])).toHaveLength(3);
    const orDomain = ['|', ['name', '=', 'P1'], ['name', '=', 'P2']];
    expect(await odoo.searchRead('res.partner', orDomain, ['name'])).toHaveLength(2);
    const [wholeValues] = await odoo.searchRead('res.partner', [['name', '=', 'P3']]);
    expect(Object.keys(wholeValues!).length).toBeGreaterThan(40);
  });

  test('getFields returns the requested attributes, and none if none are requested', async () => {
    const fields = await odoo.getFields('res.partner', ['string', 'type', 'required']);
    expect(fields.email).toEqual({ string: 'Email', type: 'char', required: false });
    expect((await odoo.getFields('res.partner')).email).toEqual({});
  });

  test('action runs a method on a record, and accepts an empty result', async () => {
    const id = await odoo.create('res.partner', { name: 'Archived' });
    expect(await odoo.action('res.partner', 'action_archive', [id])).toBe(false);
    expect(await odoo.search('res.partner', { name: 'Archived' })).toEqual([]);
    expect(await odoo.action('res.partner', 'action_unarchive', id)).toBe(false);
    expect(await odoo.search('res.partner', { name: 'Archived' })).toEqual([id]);
  });

  test('faults reject the promise with their code and text', async () => {
    await expect(odoo.update('res.partner', 99999999, { city: 'x' })).rejects.toMatchObject({ faultCode: 2 });
    await expect(odoo.read('res.partner', [1], ['nope'])).rejects.toMatchObject({
      faultString: expect.stringContaining('nope'),
    });
  });
});

describe('odoo-await, unmodified: actions on x2many fields', () => {
  let id: number;
  let tags: number[];
  const readTags = async () => (await odoo.read('res.partner', [id], ['category_id']))[0]!.category_id;
  const readChildren = async () => {
    const children = await odoo.searchRead('res.partner', { parent_id: id }, ['name']);
    return children.map(({ name }) => name).sort();
  };
  const update = (values: object) => odoo.update('res.partner', id, values);

  beforeAll(async () => {
    id = await odoo.create('res.partner', { name: 'With tags' });
    tags = [];
    for (const name of ['T1', 'T2', 'T3']) tags.push(await odoo.create('res.partner.category', { name }));
  });

  test('parseManyFields builds commands', () => {
    expect(odoo.parseManyFields({ a: { action: 'clear' }, b: 1 })).toEqual({ a: [[5, 0, 0]], b: 1 });
  });

  test('adds to, removes from, replaces and clears a many2many field', async () => {
    await update({ category_id: { action: 'add', id: tags[0] } });
    await update({ category_id: { action: 'add', id: tags.slice(1) } });
    expect(await readTags()).toEqual(tags);
    await update({ category_id: { action: 'remove', id: tags[0] } });
    expect(await readTags()).toEqual(tags.slice(1));
    await update({ category_id: { action: 'replace', id: tags.slice(0, 2) } });
    expect(await readTags()).toEqual(tags.slice(0, 2));
    await update({ category_id: { action: 'clear' } });
    expect(await readTags()).toEqual([]);
    expect(await odoo.search('res.partner.category', ['id', 'in', tags])).toEqual(tags);
  });

  test('creates, updates and deletes lines', async () => {
    await update({ child_ids: { action: 'create', value: [{ name: 'One' }, { name: 'Two' }] } });
    await update({ child_ids: { action: 'create', value: { name: 'Three' } } });
    expect(await readChildren()).toEqual(['One', 'Three', 'Two']);
    const [one] = await odoo.search('res.partner', [
      ['parent_id', '=', id],
      ['name', '=', 'One'],
    ]);
    await update({ child_ids: { action: 'update', id: one, value: { name: 'First' } } });
    expect(await readChildren()).toEqual(['First', 'Three', 'Two']);
    await update({ child_ids: { action: 'delete', id: [one] } });
    expect(await readChildren()).toEqual(['Three', 'Two']);
    expect(await odoo.search('res.partner', { id: one })).toEqual([]);
  });

  test('creates a record together with its lines and tags', async () => {
    const partnerId = await odoo.create('res.partner', {
      name: 'Whole',
      is_company: true,
      category_id: { action: 'replace', id: tags[1] },
      child_ids: { action: 'create', value: [{ name: 'Inside' }] },
    });
    const [row] = await odoo.read('res.partner', partnerId, ['category_id', 'child_ids']);
    expect(row).toEqual({ id: partnerId, category_id: [tags[1]], child_ids: [expect.any(Number)] });
  });
});

describe('odoo-await, unmodified: external ids', () => {
  test('creates a record with an external id, then finds, reads, updates and deletes it by that id', async () => {
    const id = await odoo.create('res.partner', { name: 'Known' }, 'partner-7', 'shop');
    expect(await odoo.searchByExternalId('partner-7')).toBe(id);
    expect(await odoo.readByExternalId('partner-7', ['name'])).toEqual({ id, name: 'Known' });
    expect(await odoo.updateByExternalId('partner-7', { name: 'Renamed' })).toBe(true);
    expect(await odoo.readByExternalId('partner-7')).toMatchObject({ id, name: 'Renamed' });
    expect(await odoo.deleteByExternalId('partner-7')).toBe(true);
    expect(await odoo.search('res.partner', { id })).toEqual([]);
  });

  test('assigns an external id later, by default in the module __api__', async () => {
    const id = await odoo.create('res.partner', { name: 'Later' });
    const externalId = await odoo.createExternalId('res.partner', id, 'partner-8');
    expect(await odoo.read('ir.model.data', [externalId], ['module', 'name', 'model', 'res_id'])).toEqual([
      { id: externalId, module: '__api__', name: 'partner-8', model: 'res.partner', res_id: id },
    ]);
    expect(await odoo.searchByExternalId('partner-8')).toBe(id);
  });

  test('rejects an unknown external id', async () => {
    await expect(odoo.searchByExternalId('nothing')).rejects.toThrow(/No matching record/);
    await expect(odoo.readByExternalId('nothing')).rejects.toThrow(/No matching record/);
  });
});

test('odoo-await, unmodified: an ordinary user can read but not write', async () => {
  const { login, key } = app.main.user;
  const other = connectAs(login, key);
  await other.connect();
  expect(await other.search('res.partner', { name: 'admin' })).toHaveLength(1);
  await expect(other.create('res.partner', { name: 'No' })).rejects.toMatchObject({ faultCode: 4 });
});
