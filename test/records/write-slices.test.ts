import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { createScene, type Person } from '../rights/scene.ts';

const app = setUpApp();
const scene = createScene(app);
const admin = createJsonClient(app);
let clerk: Person;
beforeAll(async () => {
  clerk = await scene.addPerson('clerk', [await scene.groupId('sales_team.group_sale_salesman')]);
});
beforeEach(() => {
  vi.spyOn(limits.sql, 'sliceRows', 'get').mockReturnValue(3 as never);
  vi.spyOn(limits.call, 'slice', 'get').mockReturnValue(0 as never);
});
afterEach(() => vi.restoreAllMocks());

const repeatTen = <T>(fn: (index: number) => T): T[] => Array.from({ length: 10 }, (_, index) => fn(index));
const countRecords = (model: string, domain: unknown[] = []): Promise<number> =>
  admin.value(`${model}/search_count`, { domain });
const readNames = async (model: string, ids: number[]): Promise<string[]> =>
  (await admin.value(`${model}/read`, { ids, fields: ['name'] })).map(({ name }: { name: string }) => name);

describe.each([
  ['a model without hooks', 'crm.tag', (i: number) => ({ name: `tag ${i}` })],
  ['a model that completes values', 'crm.lead', (i: number) => ({ name: `lead ${i}`, priority: '1' })],
  ['a model with hooks in the transaction', 'res.partner', (i: number) => ({ name: `partner ${i}` })],
])('creating large numbers of records in %s', (_name, model, values) => {
  test('returns ids in input order, regardless of which fields are set', async () => {
    const list = repeatTen((i) => ({ ...values(i), ...(i % 3 === 1 && { color: i }) }));
    const ids: number[] = await admin.value(`${model}/create`, { vals_list: list });
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(await readNames(model, ids)).toEqual(list.map(({ name }) => name));
    const colors = await admin.value(`${model}/read`, { ids, fields: ['color'] });
    expect(colors.map(({ color }: { color: number }) => color)).toEqual(
      repeatTen((i) => (i % 3 === 1 ? i : 0)),
    );
  });

  test('rolls back all records if one value is invalid', async () => {
    const before = await countRecords(model);
    const list = repeatTen((i) => (i === 9 ? { ...values(i), color: 'red' } : values(i)));
    await admin.expectRejection(`${model}/create`, { vals_list: list });
    expect(await countRecords(model)).toBe(before);
  });
});

test('rolls back all records if the database rejects the last slice', async () => {
  const before = await countRecords('res.partner');
  const list = repeatTen((i) => ({ name: `a ${i}`, ...(i === 9 && { country_id: 999_999 }) }));
  await admin.expectRejection('res.partner/create', { vals_list: list });
  const leads = repeatTen((i) => ({ name: `a ${i}`, ...(i === 9 && { country_id: 999_999 }) }));
  await admin.expectRejection('crm.lead/create', { vals_list: leads });
  expect(await countRecords('res.partner')).toBe(before);
  expect(await countRecords('crm.lead', [['name', '=', 'a 0']])).toBe(0);
});

test('rolls back all records if a rule rejects one in the last slice', async () => {
  const other = app.main.admin.id;
  const list = repeatTen((i) => ({ name: `ruled ${i}`, user_id: i === 9 ? other : clerk.id }));
  const error = await clerk.expectRejection('crm.lead/create', { vals_list: list });
  expect(error.name).toBe('odoo.exceptions.AccessError');
  expect(await countRecords('crm.lead', [['name', '=like', 'ruled%']])).toBe(0);
  const ids = await clerk.value('crm.lead/create', { vals_list: list.slice(0, 9) });
  expect(await readNames('crm.lead', ids)).toEqual(list.slice(0, 9).map(({ name }) => name));
});

describe('creating many lines of one record', () => {
  const buildLines = (last: object = {}) =>
    repeatTen((i) => [0, i % 2 ? `virtual_${i}` : 0, { name: `line ${i}`, ...(i === 9 && last) }]);

  test('keeps their order and runs all hooks', async () => {
    const id = await admin.create('res.partner', {
      name: 'Owner',
      is_company: true,
      child_ids: buildLines(),
    });
    const partners = await admin.value('res.partner/search_read', {
      domain: [['parent_id', '=', id]],
      fields: ['name', 'complete_name', 'commercial_partner_id'],
      order: 'id',
    });
    expect(partners).toEqual(
      repeatTen((i) => ({
        id: expect.any(Number),
        name: `line ${i}`,
        complete_name: `Owner, line ${i}`,
        commercial_partner_id: [id, 'Owner'],
      })),
    );
  });

  test.each([
    ['an invalid value', { color: 'red' }],
    ['a link to a missing record', { country_id: 999_999 }],
    ['an unknown field', { no_such_field: 1 }],
  ])('rolls back if the last one is rejected: %s', async (_name, last) => {
    const before = await countRecords('res.partner');
    await admin.expectRejection('res.partner/create', {
      vals_list: [{ name: 'Owner', child_ids: buildLines(last) }],
    });
    expect(await countRecords('res.partner')).toBe(before);
  });

  test('rejects lines that are not commands', async () => {
    const commands = [...buildLines(), 'nothing'];
    await admin.expectError(422, 'res.partner/create', { vals_list: [{ name: 'a', child_ids: commands }] });
  });
});

test('splits long values into several statements', async () => {
  vi.spyOn(limits.sql, 'sliceBytes', 'get').mockReturnValue(1_000 as never);
  const list = repeatTen((i) => ({ name: `long ${i}`, description: 'x'.repeat(i === 4 ? 5_000 : 400) }));
  const ids = await admin.value('crm.lead/create', { vals_list: list });
  expect(await readNames('crm.lead', ids)).toEqual(list.map(({ name }) => name));
});

test('imports a table, exports it with new external ids, and imports it again', async () => {
  vi.spyOn(limits.sql, 'batchRows', 'get').mockReturnValue(4 as never);
  const fields = ['id', 'name', 'parent_id/id', 'type'];
  const data = repeatTen((i) => [
    `slices.p${i}`,
    `loaded ${i}`,
    i === 0 ? '' : 'slices.p0',
    'Rechnungsadresse',
  ]);
  const { ids, messages } = await admin.value('res.partner/load', { fields, data });
  expect(messages).toEqual([]);
  expect(await readNames('res.partner', ids)).toEqual(data.map(([, name]) => name));
  const { datas } = await admin.value('res.partner/export_data', { ids, fields_to_export: fields });
  expect(datas).toEqual(data.map(([xmlid, name, parent]) => [xmlid, name, parent, 'Invoice Address']));
  const others = await admin.value('crm.tag/create', {
    vals_list: repeatTen((i) => ({ name: `export ${i}` })),
  });
  const tags = await admin.value('crm.tag/export_data', { ids: others, fields_to_export: ['id', 'name'] });
  expect(new Set(tags.datas.map(([xmlid]: string[]) => xmlid)).size).toBe(10);
  const secondLoad = await admin.value('crm.tag/load', { fields: ['id', 'name'], data: tags.datas });
  expect(secondLoad.ids).toEqual(others);
});

test('numbers several copies of one record consecutively', async () => {
  const [id, other] = await admin.value('crm.tag/create', {
    vals_list: [{ name: 'Stem' }, { name: 'stem (copy 3)' }],
  });
  const first = await admin.value('crm.tag/copy', { ids: [id, id, id, other] });
  expect(await readNames('crm.tag', first)).toEqual([
    'Stem (copy)',
    'Stem (copy 2)',
    'Stem (copy 4)',
    'stem (copy 3) (copy)',
  ]);
  const copies = await admin.value('crm.tag/copy', { ids: [id] });
  expect(await readNames('crm.tag', copies)).toEqual(['Stem (copy 5)']);
});

describe('long response', () => {
  const count = 1_100;
  beforeAll(async () => {
    const list = Array.from({ length: count }, (_, i) => ({ name: `grouped ${i} <é>`, color: i % 12 }));
    await admin.value('crm.tag/create', { vals_list: list });
  });
  const domain = [['name', '=like', 'grouped%']];

  test('contains the same groups over each protocol', async () => {
    const groupRequest = { domain, groupby: ['name'], aggregates: ['__count', 'color:sum'] };
    const groups = await admin.value('crm.tag/formatted_read_group', groupRequest);
    expect(groups).toHaveLength(count);
    expect(groups.at(-1)).toEqual({
      name: expect.stringMatching(/^grouped \d+ <é>$/),
      __extra_domain: [['name', '=', groups.at(-1).name]],
      __count: 1,
      'color:sum': expect.any(Number),
    });
    const classic = createRpcClients(app);
    const json = await classic.jsonExecute('crm.tag', 'formatted_read_group', [], groupRequest);
    expect(json).toEqual({ jsonrpc: '2.0', id: 7, result: groups });
    expect((await classic.execute('crm.tag', 'formatted_read_group', [], groupRequest)).value).toEqual(
      groups,
    );
    const web = await admin.value('crm.tag/web_read_group', groupRequest);
    expect(web.length).toBe(count);
    expect(web.groups.map(({ name }: { name: string }) => name).sort()).toEqual(
      groups.map(({ name }: { name: string }) => name).sort(),
    );
  });

  test('contains the same records and export rows over each protocol', async () => {
    const ids = await admin.value('crm.tag/search', { domain, order: 'id' });
    const readRequest = { ids, fields: ['name', 'color', 'create_date', 'create_uid'] };
    const rows = await admin.value('crm.tag/read', readRequest);
    const classic = createRpcClients(app);
    expect((await classic.execute('crm.tag', 'read', [ids], { fields: readRequest.fields })).value).toEqual(
      rows,
    );
    const args = [ids, ['name', 'color', 'id']];
    const { datas } = await admin.value('crm.tag/export_data', { ids, fields_to_export: args[1] });
    expect(datas.map(([name]: string[]) => name)).toEqual(rows.map(({ name }: { name: string }) => name));
    expect((await classic.execute('crm.tag', 'export_data', args)).value).toEqual({ datas });
    expect((await classic.jsonExecute('crm.tag', 'export_data', args)).result).toEqual({ datas });
  });

  test('is limited by the total number of groups in all grouping sets', async () => {
    vi.spyOn(limits.record, 'groups', 'get').mockReturnValue((count + 50) as never);
    const buildCall = (...groupings: string[][]) => ({
      domain,
      grouping_sets: groupings,
      aggregates: ['__count'],
    });
    const groupingSets = await admin.value(
      'crm.tag/formatted_read_grouping_sets',
      buildCall(['name'], ['color'], []),
    );
    expect(groupingSets.map((groups: unknown[]) => groups.length)).toEqual([count, 12, 1]);
    const error = await admin.expectError(
      422,
      'crm.tag/formatted_read_grouping_sets',
      buildCall(['name'], ['name']),
    );
    expect(error.message).toBe(`more than ${count + 50} groups: set a limit, or group by fewer fields`);
  });
});
