import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';
import { createScene, type Scene } from '../rights/scene.ts';

// Two workspaces have a model with the same name, whose fields are created and deleted while it is used. Cached
// statements, schemas and catalogs of one workspace must never be used for the other.

interface Side {
  tenant: Tenant;
  scene: Scene;
  /** Word that every value of this side contains. */
  word: string;
}

const app = setUpApp();
let sides: [Side, Side];

beforeAll(async () => {
  const createSide = async (slug: string, word: string): Promise<Side> => {
    const tenant = await app.tenant(slug);
    const scene = createScene(app, tenant);
    const fields = [{ name: 'x_note', ttype: 'char', field_description: `Note of ${word}` }];
    await scene.addModel('x_twin', fields, await scene.groupId('base.group_user'));
    for (let number = 0; number < 5; number++)
      await scene.create('x_twin', { x_name: `${word} ${number}`, x_note: `${word} note` });
    return { tenant, scene, word };
  };
  sides = [await createSide('left', 'leftish'), await createSide('right', 'rightish')];
});

type Answers = { side: Side; status: number; text: string }[];

async function readAndWrite(side: Side, rounds: number, responses: Answers): Promise<void> {
  const { key } = side.tenant.admin;
  for (let round = 0; round < rounds; round++) {
    const note = `${side.word} in round ${round}`;
    for (const [path, body] of [
      ['x_twin/search_read', { domain: [['x_name', 'ilike', 'ish']] }],
      ['x_twin/create', { vals_list: [{ x_name: `${side.word} made`, x_note: note }] }],
      ['x_twin/formatted_read_group', { domain: [], groupby: ['x_note'], aggregates: ['__count'] }],
      ['x_twin/fields_get', {}],
      ['x_twin/name_search', { name: 'ish' }],
    ] as const) {
      const { status, text } = await json2(app, path, body, key);
      responses.push({ side, status, text });
    }
    const { status, text } = await postGraphql(app, '{ xTwins { nodes { xName xNote } } }', { key });
    responses.push({ side, status, text });
  }
}

/** Creates and deletes fields. One of them exists on one side only. */
async function churnModels(side: Side, rounds: number): Promise<void> {
  const model_id = await side.scene.modelId('x_twin');
  for (let round = 0; round < rounds; round++) {
    const name = `x_${side.word}_${round % 3}`;
    const label = { field_description: `${side.word} ${round}` };
    const id = await side.scene.create('ir.model.fields', { ...label, name, ttype: 'char', model_id });
    await side.scene.admin.value('ir.model.fields/unlink', { ids: [id] });
  }
}

test('leaks no data between workspaces while models and fields change', {
  tags: 'slow',
}, async () => {
  const responses: Answers = [];
  await Promise.all(
    sides.flatMap((side) => [
      readAndWrite(side, 25, responses),
      readAndWrite(side, 25, responses),
      churnModels(side, 15),
    ]),
  );
  expect(responses).toHaveLength(2 * 2 * 25 * 6);
  const words = sides.map(({ word }) => word);
  for (const { side, status, text } of responses) {
    const other = words.find((word) => word !== side.word)!;
    expect([status, text.includes(other)], `${side.word}: ${text.slice(0, 300)}`).toEqual([200, false]);
  }
  expect(responses.filter(({ side, text }) => text.includes(side.word)).length).toBeGreaterThan(
    responses.length / 2,
  );
});

test('applies a new rule to cached statements', async () => {
  const [{ scene, tenant }] = sides;
  const countRecords = async () =>
    (await json2(app, 'x_twin/search_count', { domain: [['x_note', '!=', false]] }, tenant.admin.key)).json();
  for (let time = 0; time < 6; time++) expect(await countRecords()).toBeGreaterThan(0);
  const rule = { name: 'none', model_id: await scene.modelId('x_twin'), domain_force: "[('id', '=', 0)]" };
  const id = await scene.create('ir.rule', rule);
  expect(await countRecords()).toBe(0);
  await scene.admin.value('ir.rule/unlink', { ids: [id] });
  expect(await countRecords()).toBeGreaterThan(0);
});
