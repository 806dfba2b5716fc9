import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createScene, type Person, toFlags } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let clerk: Person;
let outsider: Person;
const id: Record<string, number> = {};

beforeAll(async () => {
  const group = await scene.addGroup('Clerks');
  clerk = await scene.addPerson('clerk', [group]);
  outsider = await scene.addPerson('outsider');
  const model = await scene.addModel('x_file', [{ name: 'x_level', ttype: 'integer' }], false);
  await scene.grant('x_file', group, 'rw');
  id.low = await scene.create('x_file', { x_name: 'low', x_level: 1 });
  id.high = await scene.create('x_file', { x_name: 'high', x_level: 9 });
  await scene.create('ir.rule', {
    name: 'low files',
    model_id: model,
    domain_force: "[('x_level', '<', 5)]",
    groups: [[6, 0, [group]]],
    ...toFlags('w'),
  });
});

const GRANTS = 'grants { operation allowed isLimited groups rules why }';
interface Grant {
  operation: string;
  allowed: boolean;
  isLimited: boolean;
  groups: string[];
  rules: string[];
  why: string | null;
}
const queryOverview = (variables: object, key = app.main.admin.key) =>
  postGraphql(
    app,
    `query ($model: String!, $id: ID, $first: Int, $after: ID) {
      accessOfModel(model: $model, id: $id, first: $first, after: $after) { users { userId login ${GRANTS} } next }
    }`,
    { key, variables },
  );
const loadGrants = async (person: Person, record?: number): Promise<Map<string, Grant>> => {
  const { data } = await queryOverview({ model: 'x_file', id: record });
  const row = data.accessOfModel.users.find(({ userId }: { userId: string }) => userId === String(person.id));
  return new Map(row.grants.map((grant: Grant) => [grant.operation, grant]));
};

test("returns each user's access to a model, the groups that grant it and the rules that limit it", async () => {
  const may = await loadGrants(clerk);
  expect(may.get('READ')).toMatchObject({ allowed: true, isLimited: false, groups: ['Clerks'], why: null });
  expect(may.get('UPDATE')).toMatchObject({ allowed: true, isLimited: true, rules: ['low files'] });
  expect(may.get('DELETE')).toMatchObject({ allowed: false, groups: [] });
  const denial = (await loadGrants(outsider)).get('READ')!;
  expect(denial).toMatchObject({ allowed: false, why: expect.stringMatching(/these would: .*Clerks/) });
});

test("returns each user's access to a record, consistent with that user's calls", async () => {
  for (const [record, isAllowed] of [
    [id.low!, true],
    [id.high!, false],
  ] as const) {
    const update = (await loadGrants(clerk, record)).get('UPDATE')!;
    expect(update.allowed).toBe(isAllowed);
    const reason = isAllowed ? null : 'Record rules hide the record from the user: low files.';
    expect(update.why).toBe(reason);
    const call = clerk.value('x_file/write', { ids: [record], vals: { x_name: 'changed' } });
    await (isAllowed ? call : expect(call).rejects.toThrow());
  }
  expect((await queryOverview({ model: 'x_file', id: 999_999 })).errors[0]!.extensions.code).toMatch(
    /NOT_FOUND|MISSING/,
  );
});

test('returns users in pages, and rejects callers who do not manage access rights', async () => {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const { users, next }: { users: { login: string }[]; next: string | null } = (
      await queryOverview({ model: 'x_file', first: 2, after })
    ).data.accessOfModel;
    expect(users.length).toBeLessThanOrEqual(2);
    names.push(...users.map(({ login }) => login));
    after = next;
    if (next === null) break;
  }
  expect(names).toEqual(expect.arrayContaining(['admin', 'user', 'clerk', 'outsider']));
  expect(new Set(names).size).toBe(names.length);
  expect((await queryOverview({ model: 'x_file' }, clerk.key)).errors[0]!.extensions.code).toBe(
    'ACCESS_ERROR',
  );
  expect((await queryOverview({ model: 'x_file', first: 51 })).errors[0]!.message).toMatch(/first/);
});

test("returns a user's access to each model", async () => {
  const ofUser = (variables: object, key = app.main.admin.key) =>
    postGraphql(
      app,
      `query ($id: ID!, $after: ID) {
        accessOfUser(userId: $id, after: $after) { login models { model ${GRANTS} } next } }`,
      { key, variables },
    );
  const models = new Map<string, Grant[]>();
  for (let after: string | null = null; ; ) {
    const page: { models: { model: string; grants: Grant[] }[]; next: string | null } = (
      await ofUser({ id: String(clerk.id), after })
    ).data.accessOfUser;
    for (const { model, grants } of page.models) models.set(model, grants);
    after = page.next;
    if (after === null) break;
  }
  expect(models.get('x_file')!.map(({ allowed }) => allowed)).toEqual([true, false, true, false]);
  expect(models.get('ir.rule')!.map(({ allowed }) => allowed)).toEqual([false, false, false, false]);
  expect((await ofUser({ id: String(clerk.id) }, clerk.key)).errors[0]!.extensions.code).toBe('ACCESS_ERROR');
});
