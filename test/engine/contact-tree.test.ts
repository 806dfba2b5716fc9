import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { create, write } from '../../src/engine/write/write.ts';
import { AppError } from '../../src/errors.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';

const app = setUpApp();
const calls = createJsonClient(app);

const loadNames = async (ids: number[]) =>
  (
    await app.main.ctx.db.rows<{ complete_name: string }>(
      sql`select complete_name from res_partner where workspace_id = ${app.main.ctx.workspace.id} and id = any(${ids}) order by id`,
    )
  ).map((row) => row.complete_name);

const trees = [
  ['res.partner', 'parent_id'],
  ['res.partner.category', 'parent_id'],
  ['res.company', 'parent_id'],
  ['product.category', 'parent_id'],
  ['uom.uom', 'relative_uom_id'],
  ['project.task', 'parent_id'],
] as const;

test.each(trees)(
  'prevents a cycle if two of %s concurrently become parents of each other',
  async (model, parent) => {
    const { ctx } = app.main;
    for (let round = 0; round < 10; round++) {
      const list = [{ name: `A ${round}` }, { name: `B ${round}` }];
      const [a, b] = (await create(ctx, model, list)) as [number, number];
      const results = await Promise.allSettled([
        write(ctx, model, [a], { [parent]: b }),
        write(ctx, model, [b], { [parent]: a }),
      ]);
      const rejections = results.filter((result) => result.status === 'rejected');
      expect(rejections).toHaveLength(1);
      expect(rejections[0]!.reason).toBeInstanceOf(AppError);
      expect(rejections[0]!.reason.kind).toBe('VALIDATION');
    }
  },
);

/** Creates records whose parents are given as distances from the last id. Repeats the call if the ids were reserved. */
async function createWithFutureParents(model: string, parent: string, distances: number[]) {
  for (;;) {
    const last = await calls.create(model, { name: `Last ${randomUUID()}` });
    const vals_list = distances.map((distance) => ({ name: randomUUID(), [parent]: last + distance }));
    const response = await json2(app, `${model}/create`, { vals_list }, app.main.admin.key);
    if (response.status !== 404) return response;
  }
}

test.each(trees)('rejects new records of %s that are their own ancestors', async (model, parent) => {
  for (const distances of [[1], [2, 1], [2, 3, 1]]) {
    const response = await createWithFutureParents(model, parent, distances);
    expect(response.json()).toMatchObject({ name: 'odoo.exceptions.ValidationError' });
  }
  expect((await createWithFutureParents(model, parent, [2, 3, 0])).status).toBe(200);
});

test('renames contacts despite a cycle in the data', async () => {
  const { ctx } = app.main;
  const ids = await create(ctx, 'res.partner', [{ name: 'A' }, { name: 'B' }]);
  await ctx.db.rows(
    sql`update res_partner set parent_id = case id when ${ids[0]} then ${ids[1]}::int else ${ids[0]} end where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  await write(ctx, 'res.partner', [ids[0]!], { name: 'New' });
  expect(await loadNames(ids)).toEqual(['B, New', 'New, B']);
});

test('updates the display names when a company and its contact are renamed in one call', async () => {
  const { ctx } = app.main;
  const [company] = await create(ctx, 'res.partner', [{ name: 'Old' }]);
  const [contact] = await create(ctx, 'res.partner', [{ name: 'Ann', parent_id: company }]);
  await write(ctx, 'res.partner', [company!, contact!], { name: 'New' });
  expect(await loadNames([company!, contact!])).toEqual(['New', 'New, New']);
});
