import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { createScene, type Person } from './scene.ts';

const app = setUpApp();
let otherProcess: AppProcess;
const scene = createScene(app);
let ann: Person;
let group: number;

beforeAll(async () => {
  group = await scene.addGroup('Readers');
  ann = await scene.addPerson('ann', [group]);
  await scene.addModel('x_leaf', [{ name: 'x_size', ttype: 'integer' }], group);
  await scene.admin.value('x_leaf/create', {
    vals_list: [
      { x_name: 'small', x_size: 1 },
      { x_name: 'large', x_size: 9 },
    ],
  });
  otherProcess = await startProcess(app.env);
});
afterAll(() => otherProcess?.end('SIGTERM'));

const callOther = (path: string, body: object, key = ann.key) => json2(otherProcess, path, body, key);

/** Waits until the other process returns the new result, and verifies that it returns the old one until then. */
async function untilChanged(
  path: string,
  body: object,
  old: unknown,
  expected: unknown,
  key?: string,
): Promise<void> {
  const startTime = performance.now();
  for (;;) {
    const answer = await callOther(path, body, key);
    const result = answer.status === 200 ? answer.json() : answer.status;
    if (JSON.stringify(result) === JSON.stringify(expected)) break;
    expect(result).toEqual(old);
    expect(performance.now() - startTime, `${path} is still ${JSON.stringify(result)}`).toBeLessThan(20_000);
  }
}

const searchCall = { domain: [], fields: ['x_name'], order: 'x_size' };
const count = (domain: unknown[] = []) => ['x_leaf/search_count', { domain }] as const;

describe('another process', () => {
  test('applies changed access rights and rules', async () => {
    const [path, body] = count();
    await untilChanged(path, body, 2, 2);
    const model_id = await scene.modelId('x_leaf');
    const rule = await scene.create('ir.rule', {
      name: 'small ones',
      model_id,
      domain_force: "[('x_size', '<', 5)]",
    });
    await untilChanged(path, body, 2, 1);
    await scene.admin.value('ir.rule/write', { ids: [rule], vals: { groups: [[4, group]] } });
    expect(await scene.admin.value('x_leaf/search_count', { domain: [] }).catch(() => 403)).toBe(2);
    await scene.admin.value('ir.rule/unlink', { ids: [rule] });
    await untilChanged(path, body, 1, 2);
    const rights = await scene.admin.value('ir.model.access/search', {
      domain: [['model_id', '=', model_id]],
    });
    await scene.admin.value('ir.model.access/write', { ids: rights, vals: { active: false } });
    await untilChanged(path, body, 2, 403);
    await scene.admin.value('ir.model.access/write', { ids: rights, vals: { active: true } });
    await untilChanged(path, body, 403, 2);
  });

  test('applies changed groups, including implied ones', async () => {
    const [path, body] = count();
    const setUser = (vals: object) => scene.admin.value('res.users/write', { ids: [ann.id], vals });
    await setUser({ group_ids: [[3, group]] });
    await untilChanged(path, body, 2, 403);
    const outer = await scene.addGroup('Outer', { implied_ids: [[6, 0, [group]]] });
    await setUser({ group_ids: [[4, outer]] });
    await untilChanged(path, body, 403, 2);
    await scene.admin.value('res.groups/write', { ids: [outer], vals: { implied_ids: [[5]] } });
    await untilChanged(path, body, 2, 403);
    await setUser({ group_ids: [[4, group]] });
    await untilChanged(path, body, 403, 2);
  });

  test('sees new and deleted fields', async () => {
    const body = { domain: [['x_new', '=', 'here']] };
    await untilChanged('x_leaf/search_count', body, 422, 422);
    const field = await scene.create('ir.model.fields', {
      model_id: await scene.modelId('x_leaf'),
      name: 'x_new',
      ttype: 'char',
    });
    await untilChanged('x_leaf/search_count', body, 422, 0);
    await scene.admin.value('ir.model.fields/unlink', { ids: [field] });
    await untilChanged('x_leaf/search_count', body, 0, 422);
    expect((await callOther('x_leaf/search_read', searchCall)).json()).toHaveLength(2);
  });

  test('sees new and deleted models', async () => {
    await untilChanged('x_tree/search_count', { domain: [] }, 404, 404, app.main.admin.key);
    const id = await scene.create('ir.model', { name: 'Tree', model: 'x_tree' });
    await untilChanged('x_tree/search_count', { domain: [] }, 404, 0, app.main.admin.key);
    await scene.admin.value('ir.model/unlink', { ids: [id] });
    await untilChanged('x_tree/search_count', { domain: [] }, 0, 404, app.main.admin.key);
  });

  test('rejects a revoked key immediately, and accepts a new one', async () => {
    const eve = await scene.addPerson('eve', [group]);
    const path = 'x_leaf/search_count';
    await untilChanged(path, { domain: [] }, 2, 2, eve.key);
    const keys = await postGraphql(app, '{ apiKeys { nodes { id userId } } }', { key: eve.key });
    const old = keys.data.apiKeys.nodes[0].id;
    const next = await postGraphql(app, 'mutation { keyCreate(name: "next") { key } }', { key: eve.key });
    await queryData(app, `mutation { keyRevoke(id: ${old}) { id revokedAt } }`, { key: eve.key });
    await eve.expectError(401, path, { domain: [] });
    await untilChanged(path, { domain: [] }, 2, 401, eve.key);
    await untilChanged(path, { domain: [] }, 2, 2, next.data.keyCreate.key);
  });

  test('applies changed companies, and rejects a deactivated user', async () => {
    const branch = await scene.create('res.company', { name: 'Branch' });
    const body = { domain: [], context: { allowed_company_ids: [branch] } };
    await untilChanged('res.users/search_count', body, 403, 403);
    await scene.admin.value('res.users/write', { ids: [ann.id], vals: { company_ids: [[4, branch]] } });
    const users = await scene.admin.value('res.users/search_count', { domain: [] });
    await untilChanged('res.users/search_count', body, 403, users);
    await scene.admin.value('res.users/write', { ids: [ann.id], vals: { active: false } });
    await untilChanged('x_leaf/search_count', { domain: [] }, 2, 401);
  });
});
