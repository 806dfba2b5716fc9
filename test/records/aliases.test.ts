import { beforeAll, describe, expect, test } from 'vitest';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';
import { openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let id: number;
beforeAll(async () => {
  [id] = await lab.value('res.partner/create', { vals_list: { name: 'Known' } });
});

describe('argument names used by older clients', () => {
  const values = { name: 'Known' };
  test.each<[string, () => object, () => unknown]>([
    ['res.partner/create', () => ({ vals: values }), () => [expect.any(Number)]],
    [
      'res.partner/create',
      () => ({ values: [values, values] }),
      () => [expect.any(Number), expect.any(Number)],
    ],
    ['res.partner/create', () => ({ list_vals: [values] }), () => [expect.any(Number)]],
    ['res.partner/write', () => ({ ids: [id], values: { city: 'Ghent' } }), () => true],
    ['res.partner/search', () => ({ args: [['id', '=', id]] }), () => [id]],
    ['res.partner/search_count', () => ({ args: [['id', '=', id]] }), () => 1],
    ['res.partner/name_search', () => ({ name: 'Known', args: [['id', '=', id]] }), () => [[id, 'Known']]],
    ['res.partner/default_get', () => ({ fields_list: ['active'] }), () => ({ active: true })],
    [
      'res.partner/fields_get',
      () => ({ fields: ['name'], attributes: ['type'] }),
      () => ({ name: { type: 'char' } }),
    ],
  ])('are accepted by %s', async (path, body, expected) => {
    expect(await lab.value(path, body())).toEqual(expected());
  });

  test('are rejected if the current name is also passed, and errors mention the current name', async () => {
    const matchingResponse = await lab.expectError('res.partner/create', {
      vals: values,
      vals_list: [values],
    });
    expect([matchingResponse.status, matchingResponse.message]).toEqual([
      422,
      "got an unexpected keyword argument 'vals'",
    ]);
    const none = await lab.expectError('res.partner/create', {});
    expect([none.status, none.message]).toEqual([422, "missing a required argument: 'vals_list'"]);
  });

  test('return an id for a single record and a list for a list in classic RPC', async () => {
    const { execute } = createRpcClients(lab.app);
    expect((await execute('res.partner', 'create', [], { vals: values })).value).toEqual(expect.any(Number));
    expect((await execute('res.partner', 'create', [], { vals: [values] })).value).toEqual([
      expect.any(Number),
    ]);
    expect(
      (await execute('res.partner', 'fields_get', [], { fields: ['name'], attributes: [] })).value,
    ).toEqual({
      name: {},
    });
  });

  test('are omitted from method descriptions', async () => {
    const response = await fetch(`${lab.app.url}/doc-bearer/res.partner.json`, {
      headers: { authorization: `Bearer ${lab.app.main.admin.key}` },
    });
    const { methods } = (await response.json()) as { methods: Record<string, { signature: string }> };
    expect(methods.create!.signature).toMatch(/^\(vals_list\)/);
    expect(methods.default_get!.signature).toMatch(/^\(fields\)/);
    expect(methods.name_search!.signature).not.toContain('args');
  });
});
