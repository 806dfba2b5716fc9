import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createScene, loadRows, type Person, toFlags } from './scene.ts';

// Custom models store values in JSON, and crm.tag in columns. Different statements write them, so both are tested.

const app = setUpApp();
const scene = createScene(app);
let ann: Person;
let group: number;

beforeAll(async () => {
  group = await scene.addGroup('Writers');
  ann = await scene.addPerson('ann', [group]);
  await scene.addModel(
    'x_tag',
    [
      { name: 'x_color', ttype: 'integer' },
      { name: 'x_fast', ttype: 'char', index: true },
      { name: 'x_owner_id', ttype: 'many2one', relation: 'res.users' },
      { name: 'x_up_id', ttype: 'many2one', relation: 'x_tag' },
      { name: 'x_label_ids', ttype: 'many2many', relation: 'res.partner.category' },
    ],
    group,
  );
  await scene.create('ir.model.fields', {
    model_id: await scene.modelId('x_tag'),
    name: 'x_down_ids',
    ttype: 'one2many',
    relation: 'x_tag',
    relation_field: 'x_up_id',
  });
  await scene.grant('crm.tag', group, 'crwu');
  await scene.grant('res.partner.category', group, 'crwu');
});

interface Shape {
  model: string;
  table: string;
  name: string;
  color: string;
}
const SHAPES: Shape[] = [
  { model: 'x_tag', table: 'ir_record', name: 'x_name', color: 'x_color' },
  { model: 'crm.tag', table: 'crm_tag', name: 'name', color: 'color' },
];
const TABLES = ['ir_record', 'ir_record_link', 'ir_field_index', 'crm_tag', 'res_partner_category'];

/** Adds a rule for the users under test, but not for the administrator who prepares the records. */
async function bind(model: string, domain: string, letters = 'crwu'): Promise<void> {
  await scene.create('ir.rule', {
    name: domain,
    model_id: await scene.modelId(model),
    domain_force: domain,
    groups: [[6, 0, [group]]],
    ...toFlags(letters),
  });
}

async function unbind(): Promise<void> {
  const ids = await scene.admin.value('ir.rule/search', { domain: [['groups', 'in', [group]]] });
  await scene.admin.value('ir.rule/unlink', { ids });
}
beforeEach(unbind);

let serial = 0;
const buildTagName = () => `tag ${++serial}`;

/** Calls as Ann and returns the status. Verifies that a rejected call changes no row. */
async function tryWrite(path: string, body: object): Promise<number> {
  const before = await loadRows(app, app.main, ...TABLES);
  const answer = await json2(app, path, body, ann.key);
  const after = await loadRows(app, app.main, ...TABLES);
  if (answer.status !== 200) expect(after, answer.text).toBe(before);
  else expect(after, answer.text).not.toBe(before);
  if (answer.status === 403) expect(answer.json().message).toMatch(/^ann doesn't have '\w+' access/);
  return answer.status;
}

/** Verifies that the records have the values of `row`, and that Ann can no longer access them. */
async function expectHandedOver(model: string, ids: number[], row: object): Promise<void> {
  const rows = await scene.admin.value(`${model}/read`, { ids, fields: Object.keys(row) });
  expect(rows).toEqual(ids.map((id) => ({ id, ...row })));
  expect(await ann.value(`${model}/search`, { domain: [['id', 'in', ids]] })).toEqual([]);
  const { name } = SHAPES.find((shape) => shape.model === model)!;
  for (const id of ids) {
    await ann.expectError(403, `${model}/read`, { ids: [id] });
    expect(await tryWrite(`${model}/write`, { ids: [id], vals: { [name]: buildTagName() } })).toBe(403);
    expect(await tryWrite(`${model}/unlink`, { ids: [id] })).toBe(403);
  }
}

describe.each(SHAPES)('record rules for writes to $model', ({ model, name, color }) => {
  const createRecord = (values: object = {}) =>
    scene.create(model, { [name]: buildTagName(), [color]: 1, ...values }) as Promise<number>;
  const write = (ids: number[], vals: object) => tryWrite(`${model}/write`, { ids, vals });
  const create = (...list: object[]) =>
    tryWrite(`${model}/create`, { vals_list: list.map((values) => ({ [name]: buildTagName(), ...values })) });
  const unlink = (ids: number[]) => tryWrite(`${model}/unlink`, { ids });

  test('check a new record with its final values', async () => {
    await bind(model, `[('${color}', '<', 5)]`);
    expect(await create({ [color]: 4 })).toBe(200);
    expect(await create({ [color]: 5 })).toBe(403);
    expect(await create({})).toBe(200);
  });

  test('accept or reject many new records as a whole', async () => {
    await bind(model, `[('${color}', '<', 5)]`);
    const list = Array.from({ length: 100 }, (_, n) => ({ [color]: n % 5 }));
    expect(await create(...list, { [color]: 9 })).toBe(403);
    expect(await create({ [color]: 9 }, ...list)).toBe(403);
    // Records with different fields are inserted by separate statements.
    expect(await create(...list, { [color]: 3, id: 7 }, {}, { [color]: 9 })).toBe(403);
    expect(await create(...list, {})).toBe(200);
  });

  test('check the record before a write, and allow writes that move the record out of the rule', async () => {
    await bind(model, `[('${color}', '<', 5)]`);
    const [inside, outside] = [await createRecord(), await createRecord({ [color]: 7 })];
    expect(await write([inside], { [color]: 4 })).toBe(200);
    expect(await write([inside], { [name]: buildTagName() })).toBe(200);
    expect(await write([outside], { [name]: buildTagName() })).toBe(403);
    expect(await write([outside], { [color]: 1 })).toBe(403);
    expect(await write([outside], {})).toBe(403);
    expect(await write([inside], { [color]: 5 })).toBe(200);
    await expectHandedOver(model, [inside], { [color]: 5 });
    // Ann cannot take back the record that she moved out of the rule.
    expect(await write([inside], { [color]: 4 })).toBe(403);
  });

  test('accept or reject several writes as a whole', async () => {
    await bind(model, `[('${color}', '<', 5)]`);
    const inside = [await createRecord(), await createRecord({ [color]: 2 })];
    const outside = await createRecord({ [color]: 7 });
    expect(await write(inside, { [color]: 3 })).toBe(200);
    expect(await write([...inside, outside], { [color]: 1 })).toBe(403);
    expect(await write([outside, ...inside], { [color]: 1 })).toBe(403);
    expect(await write([...inside, outside], { [color]: 6 })).toBe(403);
    expect(await write([inside[0]!, 2_000_000_011], { [color]: 1 })).toBe(404);
    expect(await write(inside, { [color]: 6 })).toBe(200);
    await expectHandedOver(model, inside, { [color]: 6 });
  });

  test('keep a record readable if it leaves a rule that applies only to writes', async () => {
    const id = await createRecord();
    await bind(model, `[('${color}', '<', 5)]`, 'w');
    expect(await write([id], { [color]: 6 })).toBe(200);
    expect(await ann.row(model, id, [color])).toEqual({ id, [color]: 6 });
    expect(await write([id], { [color]: 1 })).toBe(403);
  });

  test('allow deletion only of matching records', async () => {
    await bind(model, `[('${color}', '<', 5)]`);
    const [inside, outside] = [await createRecord(), await createRecord({ [color]: 7 })];
    expect(await unlink([outside])).toBe(403);
    expect(await unlink([inside, outside])).toBe(403);
    expect(await unlink([inside])).toBe(200);
    expect(await unlink([inside])).toBe(404);
  });

  test.each(['c', 'r', 'w', 'u'])('apply only to their operation %s', async (letter) => {
    const ids = [await createRecord({ [color]: 7 }), await createRecord({ [color]: 7 })];
    await bind(model, `[('${color}', '<', 5)]`, letter);
    const buildStatus = (deniedLetter: string) => (letter === deniedLetter ? 403 : 200);
    expect(await create({ [color]: 8 })).toBe(buildStatus('c'));
    await (letter === 'r'
      ? ann.expectError(403, `${model}/read`, { ids })
      : ann.value(`${model}/read`, { ids }));
    expect(await write(ids, { [color]: 6 })).toBe(buildStatus('w'));
    expect(await write([ids[0]!], { [color]: 8 })).toBe(buildStatus('w'));
    expect(await unlink(ids)).toBe(buildStatus('u'));
  });

  test('do not prevent writes that make a record unreadable', async () => {
    const id = await createRecord({ [color]: 7 });
    await bind(model, `[('${color}', '<', 5)]`, 'r');
    expect(await write([id], { [color]: 8 })).toBe(200);
    await ann.expectError(403, `${model}/read`, { ids: [id] });
    expect(await create({ [color]: 9 })).toBe(200);
  });

  test('can refer to the creator and the last editor', async () => {
    const [ownRecord] = await ann.value(`${model}/create`, {
      vals_list: [{ [name]: buildTagName(), [color]: 1 }],
    });
    const foreignId = await createRecord();
    await bind(model, `[('create_uid', '=', user.id), ('write_uid', '=', user.id)]`);
    expect(await create({ [color]: 2 })).toBe(200);
    expect(await write([ownRecord], { [color]: 3 })).toBe(200);
    expect(await write([foreignId], { [color]: 3 })).toBe(403);
  });
});

describe('record rules with related records', () => {
  const write = (ids: number[], vals: object) => tryWrite('x_tag/write', { ids, vals });
  const create = (values: object) => tryWrite('x_tag/create', { vals_list: [{ x_name: 'n', ...values }] });
  const withFast = (value: string) => scene.admin.value('x_tag/search', { domain: [['x_fast', '=', value]] });

  test('use the new link on create, and the previous link on write', async () => {
    await bind('x_tag', `[('x_owner_id.login', '=', user.login)]`);
    const ownId = await scene.create('x_tag', { x_name: 'mine', x_owner_id: ann.id });
    const otherId = await scene.create('x_tag', { x_name: 'theirs', x_owner_id: app.main.user.id });
    expect(await create({ x_owner_id: ann.id })).toBe(200);
    expect(await create({ x_owner_id: app.main.user.id })).toBe(403);
    expect(await create({})).toBe(403);
    expect(await write([ownId], { x_color: 3 })).toBe(200);
    expect(await write([otherId], { x_owner_id: ann.id })).toBe(403);
    expect(await write([ownId], { x_owner_id: app.main.user.id })).toBe(200);
    const [owner] = await scene.admin.value('res.users/name_search', {
      domain: [['id', '=', app.main.user.id]],
    });
    await expectHandedOver('x_tag', [ownId], { x_owner_id: owner });
  });

  test('use the previous state for a write, and the new values for a create', async () => {
    const top = await scene.create('x_tag', { x_name: 'top', x_color: 1 });
    const otherId = await scene.create('x_tag', { x_name: 'other', x_color: 9 });
    const child = await scene.create('x_tag', { x_name: 'below', x_up_id: top });
    await bind('x_tag', `['|', ('x_up_id', '=', False), ('x_up_id.x_color', '<', 5)]`);
    expect(await create({ x_up_id: top })).toBe(200);
    expect(await create({ x_up_id: otherId })).toBe(403);
    expect(await write([child], { x_color: 7 })).toBe(200);
    expect(await write([top, child], { x_color: 4 })).toBe(200);
    const movedId = await scene.create('x_tag', { x_name: 'moved', x_up_id: top });
    expect(await write([movedId], { x_up_id: otherId })).toBe(200);
    await expectHandedOver('x_tag', [movedId], { x_up_id: [otherId, 'other'] });
    // Changing the parent in the same write makes the child inaccessible.
    expect(await write([top, child], { x_color: 8 })).toBe(200);
    await expectHandedOver('x_tag', [child], { x_color: 8, x_up_id: [top, 'top'] });
    expect(await write([top, child], { x_color: 4 })).toBe(403);
    expect(await write([top], { x_color: 4 })).toBe(200);
    expect(await write([top, child], { x_color: 3 })).toBe(200);
  });

  test('can refer to the record itself once it exists', async () => {
    await bind('x_tag', `['|', ('x_color', '=', 1), ('x_up_id.x_up_id', '!=', False)]`);
    const self = await scene.create('x_tag', { x_name: 'self', x_color: 1 });
    expect(await write([self], { x_up_id: self })).toBe(200);
    expect(await write([self], { x_color: 2 })).toBe(200);
    expect(await write([self], { x_up_id: false })).toBe(200);
    await expectHandedOver('x_tag', [self], { x_color: 2, x_up_id: false });
  });

  test('use the members of a list as passed in the values', async () => {
    const open = await scene.create('res.partner.category', { name: 'open' });
    const closedId = await scene.create('res.partner.category', { name: 'closed' });
    await bind('x_tag', `[('x_label_ids.name', '=', 'open')]`);
    expect(await create({ x_label_ids: [[6, 0, [open]]] })).toBe(200);
    expect(await create({ x_label_ids: [[6, 0, [closedId]]] })).toBe(403);
    expect(await create({ x_label_ids: [[0, 0, { name: 'brand new' }]] })).toBe(403);
    expect(await create({ x_label_ids: [[0, 0, { name: 'open' }]] })).toBe(200);
    expect(await create({})).toBe(403);
    const id = await scene.create('x_tag', { x_name: 'labeled', x_label_ids: [[6, 0, [open]]] });
    expect(await write([id], { x_label_ids: [[4, closedId]] })).toBe(200);
    expect(await write([id], { x_label_ids: [[3, open]] })).toBe(200);
    await expectHandedOver('x_tag', [id], { x_label_ids: [closedId] });
    expect(await write([id], { x_label_ids: [[4, open]] })).toBe(403);
    const bareId = await scene.create('x_tag', { x_name: 'bare', x_label_ids: [[6, 0, [open]]] });
    expect(await write([bareId], { x_label_ids: false })).toBe(200);
    await expectHandedOver('x_tag', [bareId], { x_label_ids: [] });
  });

  test('are checked for each line in the values', async () => {
    await bind('x_tag', `[('x_color', '<', 5)]`);
    const buildLine = (x_color: number) => [0, 0, { x_name: 'line', x_color }];
    expect(await create({ x_down_ids: [buildLine(1), buildLine(2)] })).toBe(200);
    expect(await create({ x_down_ids: [buildLine(1), buildLine(6)] })).toBe(403);
    const id = await scene.create('x_tag', { x_name: 'owner', x_down_ids: [buildLine(7), buildLine(1)] });
    const [{ x_down_ids: lines }] = await scene.admin.value('x_tag/read', { ids: [id] });
    const foreignId = await scene.create('x_tag', { x_name: 'foreign', x_color: 8 });
    expect(await write([id], { x_down_ids: [[1, lines[0], { x_color: 1 }]] })).toBe(403);
    expect(await write([id], { x_color: 2, x_down_ids: [[2, lines[0]]] })).toBe(403);
    expect(await write([id], { x_color: 2, x_down_ids: [buildLine(6)] })).toBe(403);
    expect(await write([id], { x_color: 2, x_down_ids: [[4, foreignId]] })).toBe(403);
    expect(await write([id], { x_down_ids: [[6, 0, [...lines, foreignId]]] })).toBe(403);
    expect(await write([id], { x_down_ids: [[3, lines[0]]] })).toBe(403);
    expect(await write([id], { x_down_ids: [[1, lines[1], { x_color: 4 }]] })).toBe(200);
    expect(await write([id], { x_down_ids: [buildLine(3)] })).toBe(200);
  });

  test('reject further changes to a line that left the rule in the same call', async () => {
    await bind('x_tag', `[('x_color', '<', 5)]`);
    const id = await scene.create('x_tag', { x_name: 'owner', x_down_ids: [[0, 0, { x_name: 'line' }]] });
    const [{ x_down_ids: lines }] = await scene.admin.value('x_tag/read', { ids: [id] });
    const away = [1, lines[0], { x_color: 6 }];
    for (const then of [
      [1, lines[0], { x_color: 1 }],
      [2, lines[0]],
      [3, lines[0]],
    ])
      expect(await write([id], { x_color: 2, x_down_ids: [away, then] })).toBe(403);
    expect(await write([id], { x_color: 2, x_down_ids: [away] })).toBe(200);
    await expectHandedOver('x_tag', lines, { x_color: 6, x_up_id: [id, 'owner'] });
  });

  test('reject a link to a hidden record', async () => {
    const hiddenId = await scene.create('res.partner.category', { name: 'hidden' });
    const id = await scene.create('x_tag', { x_name: 'linked' });
    await bind('res.partner.category', `[('name', '!=', 'hidden')]`);
    expect(await write([id], { x_label_ids: [[4, hiddenId]] })).toBe(403);
    expect(await write([id], { x_label_ids: [[6, 0, [hiddenId]]] })).toBe(403);
  });

  test.each(['the JSON API', 'GraphQL'])(
    'keep hidden members of a list that is set by %s',
    async (facade) => {
      const labels: number[] = [];
      for (const name of ['hidden', 'seen', 'other'])
        labels.push(await scene.create('res.partner.category', { name }));
      const [hidden, visibleLabel, other] = labels as [number, number, number];
      const id = await scene.create('x_tag', {
        x_name: 'set',
        x_label_ids: [[6, 0, [hidden, visibleLabel]]],
      });
      await bind('res.partner.category', `[('name', '!=', 'hidden')]`);
      const set = (ids: number[]) =>
        facade === 'GraphQL'
          ? postGraphql(
              app,
              'mutation ($id: ID!, $set: [ID!]) { xTagUpdate(id: $id, input: { xLabels: { set: $set } }) { id } }',
              {
                key: ann.key,
                variables: { id: `${id}`, set: ids.map(String) },
              },
            )
          : ann.value('x_tag/write', { ids: [id], vals: { x_label_ids: [[6, 0, ids]] } });
      const loadLinked = async () =>
        new Set((await scene.admin.row('x_tag', id, ['x_label_ids'])).x_label_ids);
      await set([other]);
      expect(await loadLinked()).toEqual(new Set([hidden, other]));
      await set([]);
      expect(await loadLinked()).toEqual(new Set([hidden]));
      if (facade === 'GraphQL') return;
      for (const commands of [[[5]], [[3, hidden]], false]) {
        await ann.value('x_tag/write', { ids: [id], vals: { x_color: 1, x_label_ids: commands } });
        expect(await loadLinked()).toEqual(new Set([hidden]));
      }
    },
  );

  test('keep hidden lines of a list that is set or cleared', async () => {
    const lines = [7, 1].map((x_color) => [0, 0, { x_name: 'line', x_color }]);
    const id = await scene.create('x_tag', { x_name: 'owner', x_down_ids: lines });
    const { x_down_ids: childIds } = await scene.admin.row('x_tag', id, ['x_down_ids']);
    await bind('x_tag', `[('x_color', '<', 5)]`);
    expect(await write([id], { x_down_ids: [[6, 0, []]] })).toBe(200);
    expect((await scene.admin.row('x_tag', id, ['x_down_ids'])).x_down_ids).toEqual([childIds[0]]);
  });

  test('leave no index entry for the value of a rejected record', async () => {
    await bind('x_tag', `[('x_color', '<', 5)]`);
    expect(await create({ x_fast: 'quick', x_color: 9 })).toBe(403);
    expect(await withFast('quick')).toEqual([]);
    const outside = await scene.create('x_tag', { x_name: 'outside', x_fast: 'quick', x_color: 9 });
    expect(await write([outside], { x_fast: 'slow' })).toBe(403);
    expect(await withFast('slow')).toEqual([]);
    expect(await withFast('quick')).toEqual([outside]);
  });

  test('also apply to searches by an indexed value', async () => {
    await bind('x_tag', `[('x_color', '<', 5)]`);
    const id = await scene.create('x_tag', { x_name: 'given', x_fast: 'mine', x_color: 1 });
    expect(await write([id], { x_fast: 'yours', x_color: 9 })).toBe(200);
    expect(await withFast('mine')).toEqual([]);
    expect(await withFast('yours')).toEqual([id]);
    expect(await ann.value('x_tag/search', { domain: [['x_fast', '=', 'yours']] })).toEqual([]);
    await expectHandedOver('x_tag', [id], { x_fast: 'yours', x_color: 9 });
  });
});

describe('app record rules', () => {
  let sam: Person;
  let tim: Person;
  beforeAll(async () => {
    const sales = await scene.groupId('sales_team.group_sale_salesman');
    sam = await scene.addPerson('sam', [sales]);
    tim = await scene.addPerson('tim', [sales]);
  });

  test.each(['crm.lead', 'sale.order'])('allow a salesperson to reassign a %s', async (model) => {
    const partner_id = await scene.create('res.partner', { name: 'customer' });
    const id = await scene.create(model, {
      partner_id,
      user_id: sam.id,
      ...(model === 'crm.lead' && { name: 'deal' }),
    });
    await tim.expectError(403, `${model}/write`, { ids: [id], vals: { user_id: tim.id } });
    expect(await sam.value(`${model}/write`, { ids: [id], vals: { user_id: tim.id } })).toBe(true);
    expect(await tim.row(model, id, ['user_id'])).toEqual({ id, user_id: [tim.id, 'tim'] });
    await sam.expectError(403, `${model}/read`, { ids: [id] });
    await sam.expectError(403, `${model}/write`, { ids: [id], vals: { user_id: sam.id } });
  });

  test('reject attaching a file to a record that the user may not write', async () => {
    const [ownRecord, foreign] = [
      await scene.create('crm.lead', { name: 'own', user_id: sam.id }),
      await scene.create('crm.lead', { name: 'foreign', user_id: tim.id }),
    ];
    const [id] = await sam.value('ir.attachment/create', { vals_list: [{ name: 'paper', raw: 'x' }] });
    const write = { ids: [id], vals: { res_model: 'crm.lead', res_id: ownRecord } };
    expect(await sam.value('ir.attachment/write', write)).toBe(true);
    for (const vals of [
      { res_id: foreign },
      { res_model: 'crm.lead', res_id: foreign },
      { res_model: 'ir.rule' },
    ])
      await sam.expectError(403, 'ir.attachment/write', { ids: [id], vals });
    const row = await scene.admin.row('ir.attachment', id, ['res_model', 'res_id']);
    expect(row).toEqual({ id, res_model: 'crm.lead', res_id: ownRecord });
  });
});
