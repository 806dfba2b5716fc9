import { beforeAll, describe, expect, it, vi } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { renderText } from '../harness/sql.ts';
import { createScene, type Person } from '../rights/scene.ts';

// A record's version detects every change since a client read the record, also within the same second.

const app = setUpApp();
const scene = createScene(app);
let colleague: Person;

beforeAll(async () => {
  const groups = ['sales_team.group_sale_manager', 'base.group_partner_manager'];
  colleague = await scene.addPerson('colleague', await Promise.all(groups.map(scene.groupId)));
  const fields = [{ name: 'x_seats', ttype: 'integer' }];
  await scene.addModel('x_boat', fields, await scene.groupId('base.group_user'));
});

const readVersion = async (model: string, id: number): Promise<number> =>
  (await scene.admin.row(model, id, ['row_version'])).row_version;

/** Writes a record if it still has the version. */
const write = (model: string, ids: number[], vals: object, version?: unknown, key = app.main.admin.key) =>
  json2(app, `${model}/write`, { ids, vals, context: { expected_version: version } }, key);

// Their updates run as a single statement, with hooks before or after the statement, and in the shared table of custom
// models.
describe.each<[model: string, values: object, field: string, toValue: (n: number) => unknown]>([
  ['crm.tag', {}, 'color', (n) => n],
  ['crm.lead', {}, 'city', (n) => `City ${n}`],
  ['res.partner', {}, 'street', (n) => `Street ${n}`],
  ['product.product', {}, 'default_code', (n) => `P${n}`],
  ['x_boat', {}, 'x_seats', (n) => n],
])('%s', (model, values, field, toValue) => {
  const create = (name: string) =>
    scene.create(model, { [model.startsWith('x_') ? 'x_name' : 'name']: `${model} ${name}`, ...values });
  const read = async (id: number) => (await scene.admin.row(model, id, [field]))[field];

  it("rejects a save based on a version older than another user's save", async () => {
    const id = await create('of two');
    const before = await readVersion(model, id);
    expect((await write(model, [id], { [field]: toValue(1) }, before)).status).toBe(200);
    const after = await readVersion(model, id);
    expect((await write(model, [id], { [field]: toValue(2) }, undefined, colleague.key)).status).toBe(200);
    for (const version of [before, after]) {
      const answer = await write(model, [id], { [field]: toValue(3) }, version);
      expect(answer.status, answer.text).toBe(409);
      expect(answer.json().message).toMatch(`${model}(${id}) was changed after you read it.`);
    }
    expect(await read(id)).toBe(toValue(2));
    expect((await write(model, [id], { [field]: toValue(3) }, await readVersion(model, id))).status).toBe(
      200,
    );
    expect(await read(id)).toBe(toValue(3));
  });

  it('accepts exactly one of 20 parallel saves that are based on the same version', async () => {
    const id = await create('of many');
    const version = await readVersion(model, id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        write(model, [id], { [field]: toValue(n + 1) }, version, n % 2 ? colleague.key : undefined),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(409)]);
    expect(await read(id)).toBe(toValue(statuses.indexOf(200) + 1));
  });
});

const runGraphql = (query: string, variables: object = {}) =>
  postGraphql(app, query, { key: app.main.admin.key, variables });

const runDone = (query: string, variables: object = {}) => queryData(app, query, { variables });

async function runRejected(query: string, variables: object = {}) {
  const { errors } = await runGraphql(query, variables);
  expect(errors, query).toHaveLength(1);
  return errors[0]!.extensions;
}

describe('in GraphQL', () => {
  const update = (name: string, version?: number) => `mutation ($id: ID!) { crmLeadUpdate(id: $id,
    input: { name: "${name}" } ${version === undefined ? '' : `expectedVersion: ${version}`}) { name version } }`;
  const createLead = async (): Promise<string> =>
    (await runDone('mutation { crmLeadCreate(input: { name: "New" }) { id } }')).crmLeadCreate.id;

  it('each update increments the version, and an update with an old version fails', async () => {
    const id = await createLead();
    const { crmLead } = await runDone('query ($id: ID!) { crmLead(id: $id) { version } }', { id });
    expect(crmLead).toEqual({ version: 1 });
    expect((await runDone(update('Saved', 1), { id })).crmLeadUpdate).toEqual({ name: 'Saved', version: 2 });
    expect(await runRejected(update('Late', 1), { id })).toMatchObject({
      code: 'STALE',
      argument: 'expectedVersion',
    });
    expect((await runDone(update('Last'), { id })).crmLeadUpdate).toEqual({ name: 'Last', version: 3 });
    expect((await runRejected(update('Gone', 3), { id: '2000000011' })).code).toBe('MISSING');
  });

  it('an update with a version runs one statement', async () => {
    const id = await createLead();
    const rows = vi.spyOn(app.runtime.db, 'rows');
    const transaction = vi.spyOn(app.runtime.db, 'transaction');
    await runDone(update('Counted', 1), { id });
    const statements = rows.mock.calls.map(([sql]) => renderText(sql));
    expect(statements.filter((text) => !text.includes('svc_api_key_use'))).toHaveLength(1);
    expect(transaction).not.toHaveBeenCalled();
    rows.mockRestore();
    transaction.mockRestore();
  });

  it('an update of lines compares the version of the parent record', async () => {
    const partner = await scene.create('res.partner', { name: 'Buyer' });
    const id = String(await scene.create('sale.order', { partner_id: partner }));
    const add = `mutation ($id: ID!) { saleOrderUpdate(id: $id, expectedVersion: 1,
      input: { orderLines: { create: [{ name: "Chair", displayType: LINE_NOTE }] } }) { version } }`;
    const first = await runDone(add, { id });
    expect(first.saleOrderUpdate.version).toBeGreaterThan(1);
    expect((await runRejected(add, { id })).code).toBe('STALE');
    expect(
      await scene.admin.value('sale.order.line/search_count', { domain: [['order_id', '=', Number(id)]] }),
    ).toBe(1);
  });

  it.each([
    ['crm.tag', 'crmTagsUpdate', {}],
    ['crm.lead', 'crmLeadsUpdate', {}],
  ])(
    'an update of several records of %s compares all versions or changes none',
    async (model, field, values) => {
      const ids = await scene.admin.value(`${model}/create`, {
        vals_list: ['a', 'b'].map((name) => ({ name: `${model} ${name}`, ...values })),
      });
      const texts = ids.map(String);
      const updateAll = (color: number, order: string[], versions: number[]) =>
        [
          `mutation ($ids: [ID!], $versions: [Int!]) { ${field}(ids: $ids, input: { color: ${color} },
        expectedVersion: $versions) { id color version } }`,
          { ids: order, versions },
        ] as const;
      await runDone(...updateAll(3, [texts[1]], [1]));
      expect((await runRejected(...updateAll(7, texts, [1, 1]))).code).toBe('STALE');
      expect(await scene.admin.value(`${model}/read`, { ids, fields: ['color'] })).toEqual([
        { id: ids[0], color: 0 },
        { id: ids[1], color: 3 },
      ]);
      const data = await runDone(...updateAll(7, texts.toReversed(), [2, 1]));
      expect(data[field]).toEqual([
        { id: texts[1], color: 7, version: 3 },
        { id: texts[0], color: 7, version: 2 },
      ]);
      expect((await runRejected(...updateAll(8, texts, [1]))).code).toBe('BAD_VALUE');
    },
  );

  it('expectedVersion requires an id, and a filter can compare versions', async () => {
    const id = await createLead();
    const byFilter = (version: number, extra: string) => `mutation { crmLeadsUpdate(
      where: { id: { eq: "${id}" }, version: { eq: ${version} } }, input: { city: "Ghent" }, ${extra}) { version } }`;
    expect((await runRejected(byFilter(1, 'expectedVersion: 1'))).code).toBe('BAD_VALUE');
    expect((await runRejected(byFilter(2, 'expectCount: 1'))).code).toBe('STALE');
    expect((await runDone(byFilter(1, 'expectCount: 1'))).crmLeadsUpdate).toEqual([{ version: 2 }]);
  });

  it('the model description names the version field', async () => {
    const describeModel = async (model: string) =>
      (await runDone(`{ modelDescribe(model: "${model}") { versionField fields { name } } }`)).modelDescribe;
    const lead = await describeModel('crm.lead');
    expect(lead.versionField).toBe('version');
    expect(lead.fields).not.toContainEqual({ name: 'row_version' });
    expect((await describeModel('x_boat')).versionField).toBe('version');
    expect((await describeModel('svc.audit.event')).versionField).toBeNull();
  });
});

describe('record versions in the record API', () => {
  it('returns row_version only if a client requests it by name', async () => {
    const id = await scene.create('crm.tag', { name: 'Unlisted' });
    expect(await scene.admin.row('crm.tag', id, ['row_version'])).toEqual({ id, row_version: 1 });
    const [record] = await scene.admin.value('crm.tag/read', { ids: [id] });
    expect(record).toMatchObject({ id, name: 'Unlisted' });
    expect(record).not.toHaveProperty('row_version');
    expect(await scene.admin.value('crm.tag/fields_get', {})).not.toHaveProperty('row_version');
    expect(await scene.admin.value('crm.tag/fields_get', { allfields: ['row_version'] })).toMatchObject({
      row_version: { type: 'integer', readonly: true },
    });
    const listed = { domain: [['name', '=', 'row_version']] };
    expect(await scene.admin.value('ir.model.fields/search_count', listed)).toBe(0);
    const { status } = await write('crm.tag', [id], { row_version: 9 });
    expect(status).toBe(403);
  });

  it('web_save compares the version', async () => {
    const id = await scene.create('crm.tag', { name: 'In a form' });
    const save = (name: string) =>
      json2(
        app,
        'crm.tag/web_save',
        { ids: [id], vals: { name }, specification: { row_version: {} }, context: { expected_version: 1 } },
        app.main.admin.key,
      );
    expect((await save('Saved')).json()).toEqual([{ id, row_version: 2 }]);
    expect((await save('Late')).status).toBe(409);
  });

  it('updating users compares the version', async () => {
    const version = await readVersion('res.users', colleague.id);
    expect((await write('res.users', [colleague.id], { signature: '<p>A</p>' }, version)).status).toBe(200);
    expect((await write('res.users', [colleague.id], { signature: '<p>B</p>' }, version)).status).toBe(409);
    const own = await write('res.users', [colleague.id], { signature: '<p>C</p>' }, version, colleague.key);
    expect(own.status).toBe(409);
    expect(await scene.admin.row('res.users', colleague.id, ['signature'])).toMatchObject({
      signature: '<p>A</p>',
    });
  });

  it.each([['1'], [1.5], [{}], [[1, null]], [2 ** 40]])('rejects the version %j', async (version) => {
    const id = await scene.create('crm.tag', { name: `Version ${JSON.stringify(version)}` });
    const answer = await write('crm.tag', [id], { color: 1 }, version);
    expect(answer.status, answer.text).toBe(422);
  });

  it('rejects a version count that differs from the record count, and versions for models without them', async () => {
    const id = await scene.create('crm.tag', { name: 'Counted' });
    expect((await write('crm.tag', [id], { color: 1 }, [1, 1])).status).toBe(422);
    expect((await write('crm.tag', [id, id], { color: 1 }, [1, 1])).status).toBe(422);
    const answer = await write('svc.domain', [1], { click_tracking: true }, 1);
    expect(answer.json().message).toMatch('the records of svc.domain have no versions');
  });

  it('accepts exactly one of 20 parallel saves of a custom field', async () => {
    const [id] = await scene.admin.value('ir.model.fields/search', { domain: [['name', '=', 'x_seats']] });
    const version = await readVersion('ir.model.fields', id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        write('ir.model.fields', [id], { field_description: `Seats ${n}` }, version),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(409)]);
    expect(await scene.admin.row('ir.model.fields', id, ['field_description'])).toEqual({
      id,
      field_description: `Seats ${statuses.indexOf(200)}`,
    });
  });

  it.each([
    ['unlink', {}],
    ['action_archive', {}],
    ['copy', {}],
    ['load', { fields: ['name'], data: [['Loaded']] }],
    ['create', { vals_list: [{ name: 'Created' }] }],
  ])('is rejected by %s, which would ignore it', async (method, args) => {
    const lead = await scene.create('crm.lead', { name: 'Versioned' });
    const count = () => scene.admin.value('crm.lead/search_count', { domain: [] });
    const before = await count();
    const ids = ['load', 'create'].includes(method) ? {} : { ids: [lead] };
    const body = { ...ids, ...args, context: { expected_version: 1 } };
    expect((await scene.admin.expectError(422, `crm.lead/${method}`, body)).message).toContain(
      "does not check 'expected_version'",
    );
    expect(await count()).toBe(before);
    expect(await readVersion('crm.lead', lead)).toBe(1);
  });

  it('a change to values shared with contacts increments the versions of those contacts', async () => {
    const company = await scene.create('res.partner', { name: 'Sharing', is_company: true, street: 'Old' });
    const contact = await scene.create('res.partner', { name: 'Ann', parent_id: company });
    const version = await readVersion('res.partner', contact);
    expect((await write('res.partner', [company], { street: 'New' })).status).toBe(200);
    expect((await write('res.partner', [contact], { phone: '1' }, version)).status).toBe(409);
  });
});
