import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  changeUndoably,
  MAX_UNDO_BYTES,
  MAX_UNDO_ROWS,
  MAX_UNDO_TOKENS,
} from '../../schema/graph/write/undo-token.ts';
import { sql } from '../../src/db/sql.ts';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { write } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createScene } from '../rights/scene.ts';

const app = setUpApp();
const calls = createJsonClient(app);

const sendQuery = (query: string, variables: object, key = app.main.admin.key) =>
  postGraphql(app, query, { key, variables });
const queryData = async (query: string, variables: object, key?: string) => {
  const { data, errors } = await sendQuery(query, variables, key);
  return errors.length > 0 ? `${errors[0]!.extensions.code}: ${errors[0]!.message}` : data.it;
};

const CHANGE = `mutation ($ids: [ID!], $where: CrmLeadWhere, $input: CrmLeadUpdateInput!, $token: String, $count: Int)
  { it: crmLeadsUpdate(ids: $ids, where: $where, input: $input, undoToken: $token, expectCount: $count) { id } }`;
const change = (ids: number[], input: object, token: string, key?: string) =>
  queryData(CHANGE, { ids: ids.map(String), input, token }, key);
const UNDO =
  'mutation ($token: String!) { it: recordsUndo(token: $token) { undone changedSince outOfReach } }';
const undo = (token: string, key?: string) => queryData(UNDO, { token }, key);
const countUndoable = (token: string, key?: string) =>
  queryData('query ($token: String!) { it: recordsUndoable(token: $token) }', { token }, key);
const GONE = 'USER_ERROR: This change can no longer be undone.';

const createLeads = (...names: string[]): Promise<number[]> =>
  calls.value('crm.lead/create', {
    vals_list: names.map((name, index) => ({
      name,
      expected_revenue: 10.5 * (index + 1),
      city: index ? name : false,
    })),
  });
const FIELDS = [
  'name',
  'city',
  'active',
  'expected_revenue',
  'date_deadline',
  'date_closed',
  'probability',
  'stage_id',
  'tag_ids',
];
const readLeads = (ids: number[]) => calls.value('crm.lead/read', { ids, fields: FIELDS, load: '' });
const loadUndoRows = async (token: string) =>
  app.runtime.db.rows<{ record_count: number }>(
    sql`select record_count from svc_record_undo where workspace_id = ${app.main.ctx.workspace.id} and token = ${token}`,
  );

it('restores values, links, archive state and side effects, once per token', async () => {
  const ids = await createLeads('a', 'b', 'c');
  const tags = await calls.value('crm.tag/create', { vals_list: [{ name: 'One' }, { name: 'Two' }] });
  await calls.value('crm.lead/write', { ids: [ids[1]], vals: { tag_ids: [[6, 0, [tags[0]]]] } });
  const [won] = await calls.value('crm.stage/search', { domain: [['is_won', '=', true]], limit: 1 });
  const before = await readLeads(ids);
  const input = {
    city: 'Ghent',
    active: false,
    expectedRevenue: 99,
    dateDeadline: '2026-12-01',
    stageId: String(won),
    tags: { set: [String(tags[1])] },
  };
  expect(await change(ids, input, 'first')).toHaveLength(3);
  expect(await countUndoable('first')).toBe(3);
  expect(await readLeads(ids)).toMatchObject(
    ids.map(() => ({ city: 'Ghent', active: false, stage_id: won, tag_ids: [tags[1]] })),
  );
  expect(await undo('first')).toEqual({ undone: 3, changedSince: 0, outOfReach: 0 });
  expect(await readLeads(ids)).toEqual(before);
  expect(await undo('first')).toBe(GONE);
});

it('counts only records whose values the caller changed', async () => {
  const ids = await createLeads('same', 'other');
  await change(ids, { city: 'Ghent' }, 'some');
  await change(ids, { city: 'Ghent' }, 'same');
  await change(ids, { city: 'other' }, 'mixed');
  await change(ids, { city: 'other' }, 'mixed');
  expect(await countUndoable('same')).toBe(0);
  expect(await countUndoable('mixed')).toBe(2);
  expect(await countUndoable('mixed', app.main.user.key)).toBe(0);
  expect(await undo('same')).toEqual({ undone: 0, changedSince: 0, outOfReach: 0 });
});

it('keeps later changes to the same fields, ignores other fields, and counts deleted records', async () => {
  const ids = await createLeads('d', 'e', 'f', 'g');
  await change(ids, { city: 'Ghent' }, 'second');
  await calls.value('crm.lead/write', { ids: [ids[0]], vals: { city: 'Bruges' } });
  await calls.value('crm.lead/write', { ids: [ids[1]], vals: { name: 'E' } });
  await calls.value('crm.lead/unlink', { ids: [ids[2]] });
  expect(await undo('second')).toEqual({ undone: 2, changedSince: 1, outOfReach: 1 });
  expect(await readLeads([ids[0]!, ids[1]!, ids[3]!])).toMatchObject([
    { city: 'Bruges' },
    { city: 'e', name: 'E' },
    { city: 'g' },
  ]);
});

it('undoes several changes in reverse order, and keeps a failed undo for a retry', async () => {
  const ids = await createLeads('h', 'i');
  const [stage] = await calls.value('crm.stage/create', { vals_list: [{ name: 'Soon gone' }] });
  await calls.value('crm.lead/write', { ids, vals: { stage_id: stage } });
  const [other] = await calls.value('crm.stage/search', { domain: [['id', '!=', stage]], limit: 1 });
  await change(ids, { stageId: String(other) }, 'third');
  await change(ids, { city: 'Ghent' }, 'third');
  await change(ids, { city: 'Liège' }, 'third');
  await calls.value('crm.stage/unlink', { ids: [stage] });
  // This step fails, because the stage has been deleted. Later steps are still undone.
  expect(await undo('third')).toContain('MISSING');
  expect(await readLeads(ids)).toMatchObject([
    { city: false, stage_id: other },
    { city: 'i', stage_id: other },
  ]);
  expect(await loadUndoRows('third')).toEqual([{ record_count: 2 }]);
});

it('rejects an undo by another user, from another workspace or without the required rights', async () => {
  const scene = await createScene(app);
  const group = await scene.groupId('sales_team.group_sale_salesman_all_leads');
  const seller = await scene.addPerson('seller', [group]);
  const ids = await createLeads('j', 'k');
  expect(await change(ids, { city: 'Ghent' }, 'fourth', seller.key)).toHaveLength(2);
  expect(await undo('fourth')).toBe(GONE);
  const otherTenant = await app.tenant('elsewhere');
  expect(await undo('fourth', otherTenant.admin.key)).toBe(GONE);
  await calls.value('res.users/write', { ids: [seller.id], vals: { group_ids: [[3, group]] } });
  expect(await undo('fourth', seller.key)).toContain('ACCESS_ERROR');
  expect(await readLeads(ids)).toMatchObject([{ city: 'Ghent' }, { city: 'Ghent' }]);
  await calls.value('res.users/write', { ids: [seller.id], vals: { group_ids: [[4, group]] } });
  expect(await undo('fourth', seller.key)).toMatchObject({ undone: 2 });
});

it("accepts an undo token for an hour, and keeps only a user's newest tokens", async () => {
  const ids = await createLeads('l');
  for (let index = 0; index <= MAX_UNDO_TOKENS; index++)
    await change(ids, { city: `City ${index}` }, `n${index}`);
  expect(await undo('n0')).toBe(GONE);
  expect(await undo(`n${MAX_UNDO_TOKENS}`)).toMatchObject({ undone: 1 });
  await app.runtime.db.rows(
    sql`update svc_record_undo set create_date = create_date - interval '61 minutes'
     where workspace_id = ${app.main.ctx.workspace.id}`,
  );
  expect(await undo('n5')).toBe(GONE);
});

it('stores nothing for a rejected change, and rejects a change that cannot be undone', async () => {
  const ids = await createLeads('m', 'n');
  const before = await readLeads(ids);
  const where = { id: { in: ids.map(String) } };
  expect(await queryData(CHANGE, { where, count: 3, input: { city: 'Ghent' }, token: 'fifth' })).toBe(
    'STALE: The selection has 2 records, but 3 were expected. Nothing was changed.',
  );
  expect(await change(ids, { city: 'Ghent' }, '')).toContain("'undoToken'");
  expect(await change(ids, { city: 'Ghent' }, 'x'.repeat(101))).toContain("'undoToken'");
  await app.runtime.db.rows(
    sql`insert into svc_record_undo (workspace_id, id, user_id, token, model, records, record_count)
     values (${app.main.ctx.workspace.id}, ${2_000_000_000}, ${app.main.admin.id}, 'full', 'crm.lead', '[]',
       ${MAX_UNDO_ROWS - 1})`,
  );
  expect(await change(ids, { city: 'Ghent' }, 'full')).toContain('undone together');
  expect(await readLeads(ids)).toEqual(before);
  expect(await loadUndoRows('fifth')).toEqual([]);
  const users = `mutation { it: usersUpdate(ids: ["${app.main.user.id}"], input: { newPassword: "long enough 1" }, undoToken: "p") { id } }`;
  expect(await queryData(users, {})).toContain('cannot be undone');
});

it('restores company-dependent values in the company where they were changed', async () => {
  const scene = await createScene(app);
  const person = await scene.addPerson('buyer', [await scene.groupId('product.group_product_manager')]);
  const [home] = await calls.value('res.users/read', { ids: [person.id], fields: ['company_id'], load: '' });
  const otherId = await scene.create('res.company', { name: 'Branch' });
  const moveTo = (company: number, companies: number[]) =>
    calls.value('res.users/write', {
      ids: [person.id],
      vals: { company_id: company, company_ids: [[6, 0, companies]] },
    });
  const product = await scene.create('product.template', { name: 'Chair' });
  const readCost = (company: number) =>
    calls
      .value('product.template/read', {
        ids: [product],
        fields: ['standard_price'],
        context: { allowed_company_ids: [company] },
      })
      .then(([row]) => row.standard_price);
  const setCost = (price: number) =>
    queryData(
      `mutation { it: productTemplatesUpdate(ids: ["${product}"], input: { standardPrice: ${price} }, undoToken: "cost")
       { id } }`,
      {},
      person.key,
    );
  await calls.value('res.users/write', {
    ids: [app.main.admin.id],
    vals: { company_ids: [[4, otherId]] },
  });
  await setCost(20);
  await moveTo(otherId, [otherId]);
  await calls.value('product.template/write', {
    ids: [product],
    vals: { standard_price: 20 },
    context: { allowed_company_ids: [otherId] },
  });
  expect(await undo('cost', person.key)).toEqual({ undone: 0, changedSince: 0, outOfReach: 1 });
  await moveTo(home.company_id, [home.company_id, otherId]);
  await setCost(30);
  await moveTo(otherId, [home.company_id, otherId]);
  expect(await undo('cost', person.key)).toEqual({ undone: 1, changedSince: 0, outOfReach: 0 });
  expect([await readCost(home.company_id), await readCost(otherId)]).toEqual([20, 20]);
});

it('restores links to records that the caller cannot read', async () => {
  const scene = await createScene(app);
  const person = await scene.addPerson('half', [
    await scene.groupId('sales_team.group_sale_salesman_all_leads'),
  ]);
  const [visibleTag, added, hidden] = await calls.value('crm.tag/create', {
    vals_list: [{ name: 'Seen' }, { name: 'Added' }, { name: 'Hidden' }],
  });
  const [lead] = await createLeads('tagged');
  await calls.value('crm.lead/write', { ids: [lead], vals: { tag_ids: [[6, 0, [visibleTag, hidden]]] } });
  const rule = await scene.create('ir.rule', {
    name: 'no hidden tags',
    model_id: await scene.modelId('crm.tag'),
    domain_force: `[('id', '!=', ${hidden})]`,
    groups: [[6, 0, [await scene.groupId('sales_team.group_sale_salesman')]]],
  });
  const connected = { tags: { connect: [String(added)] } };
  expect(await change([lead!], connected, 'tags', person.key)).toHaveLength(1);
  expect(await undo('tags', person.key)).toEqual({ undone: 1, changedSince: 0, outOfReach: 0 });
  const replaced = { tags: { set: [String(added)] } };
  expect(await change([lead!], replaced, 'tags replaced', person.key)).toHaveLength(1);
  expect(await undo('tags replaced', person.key)).toMatchObject({ undone: 1 });
  await calls.value('ir.rule/unlink', { ids: [rule] });
  expect(await readLeads([lead!])).toMatchObject([{ tag_ids: [hidden, visibleTag] }]);
});

it('removes a translation that did not exist before, and restores one that was changed', async () => {
  const scene = createScene(app);
  const find = { domain: [['code', '=', 'fr_FR']], context: { active_test: false } };
  await calls.value('res.lang/write', {
    ids: await calls.value('res.lang/search', find),
    vals: { active: true },
  });
  const caller = await app.runtime.identity.byKey(app.main.admin.key);
  const plainCtx = createCtx(app.runtime, { ...caller!, channel: 'graphql', requestId: 'test' });
  const ctx = plainCtx.with({ context: { ...plainCtx.context, lang: 'fr_FR' } });
  const ids = [
    await scene.create('crm.stage', { name: 'Bare' }),
    await scene.create('crm.stage', { name: 'Full' }),
  ];
  const readTexts = async (id: number) =>
    (
      await calls.value('crm.stage/get_field_translations', {
        ids: [id],
        field_name: 'name',
        langs: ['fr_FR'],
      })
    )[0];
  const before = { lang: 'fr_FR', source: 'Full', value: 'Plein' };
  await write(ctx, 'crm.stage', [ids[1]!], { name: before.value });
  const translation = { name: 'Nouveau' };
  const model = ctx.catalog.registry.get('crm.stage')!;
  await changeUndoably(ctx, { model, ids, token: 'texts', values: translation }, (tx) =>
    write(tx, 'crm.stage', ids, translation),
  );
  expect(await readTexts(ids[0]!)).toEqual([{ lang: 'fr_FR', source: 'Bare', value: 'Nouveau' }]);
  expect(await undo('texts')).toEqual({ undone: 2, changedSince: 0, outOfReach: 0 });
  expect(await readTexts(ids[0]!)).toEqual([{ lang: 'fr_FR', source: 'Bare', value: '' }]);
  expect(await readTexts(ids[1]!)).toEqual([before]);
});

it('limits the number and the total size of the changes that one token can undo', async () => {
  const ids = await createLeads('nothing');
  const fill = (token: string, from: number, changes: number, records: string) =>
    app.runtime.db.rows(
      sql`insert into svc_record_undo (workspace_id, id, user_id, token, model, records, record_count)
       select ${app.main.ctx.workspace.id}, n, ${app.main.admin.id}, ${token}, 'crm.lead', ${records}::jsonb, 0
       from generate_series(${from}::int, ${from + changes - 1}::int) n`,
    );
  await fill('empty', 2_000_100_000, MAX_UNDO_ROWS, '[]');
  expect(await change(ids, { city: 'Ghent' }, 'empty')).toContain('undone together');
  const noise = randomBytes(2.5 * MAX_UNDO_BYTES).toString('base64');
  await fill('large', 2_000_200_000, 2, JSON.stringify([noise]));
  expect(await change(ids, { city: 'Ghent' }, 'large')).toContain('too large to be undone together');
});

it('validates an import without storing anything, and reports errors by row', async () => {
  const LOAD = `mutation ($fields: [String!]!, $data: JSON!, $test: Boolean!) { it: recordLoad(model: "crm.lead",
    fields: $fields, data: $data, test: $test) { ids messages { message firstRow fieldLabel } } }`;
  const fields = ['id', 'name', 'expected_revenue', 'stage_id'];
  const count = () => calls.value('crm.lead/search_count', { domain: [] });
  const before = await count();
  const validRows = [
    ['zz.one', 'One', '12.5', 'New'],
    ['', 'Two', '', ''],
  ];
  expect(await queryData(LOAD, { fields, data: validRows, test: true })).toEqual({ ids: null, messages: [] });
  const invalidRows = [...validRows, ['', '', '1', ''], ['', 'Four', 'many', 'Nowhere']];
  const { ids, messages } = await queryData(LOAD, { fields, data: invalidRows, test: true });
  expect(ids).toBeNull();
  expect(messages.map((message: { firstRow: number }) => message.firstRow)).toContain(3);
  expect(await count()).toBe(before);
  expect((await queryData(LOAD, { fields, data: validRows, test: false })).ids).toHaveLength(2);
});
