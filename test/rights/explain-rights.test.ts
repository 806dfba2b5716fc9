import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { createScene, type Person, toFlags } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let ann: Person;
let plainPerson: Person;
let model: number;
const id: Record<string, number> = {};

beforeAll(async () => {
  const privilege = await scene.create('res.groups.privilege', { name: 'Archive' });
  id.clerk = await scene.addGroup('Clerk', { privilege_id: privilege });
  id.head = await scene.addGroup('Head', { privilege_id: privilege, implied_ids: [[6, 0, [id.clerk]]] });
  ann = await scene.addPerson('ann', [id.clerk]);
  plainPerson = await scene.addPerson('plain');
  model = await scene.addModel('x_file', [{ name: 'x_level', ttype: 'integer' }], false);
  id.right = await scene.grant('x_file', id.clerk, 'rw');
  id.headRight = await scene.grant('x_file', id.head, 'crwu');
  for (const [name, level] of [
    ['low', 1],
    ['middle', 5],
    ['top secret', 9],
  ] as const)
    id[name] = await scene.create('x_file', { x_name: name, x_level: level });
});

const add = async (name: string, domain: string, letters: string, groups: number[] = []) => {
  id[name] = await scene.create('ir.rule', {
    name,
    model_id: model,
    domain_force: domain,
    groups: [[6, 0, groups]],
    ...toFlags(letters),
  });
};
const explainAccess = (person: Person, ids: number[], operation: string) =>
  person.value('x_file/explain_access', { ids, operation });

describe('explanation of an access right', () => {
  test('states that access is allowed', async () => {
    const explanation = await explainAccess(ann, [], 'read');
    expect(explanation).toMatchObject({
      allowed: true,
      model: 'x_file',
      operation: 'read',
      missing: [],
      refused: [],
      decided_by: { kind: 'right', ids: [id.right] },
      groups_that_would_help: [],
    });
    expect(explanation.rights).toContainEqual({
      id: id.right,
      name: 'x_file rw',
      group: `group.${id.clerk}`,
      grants: true,
    });
    expect(explanation.rights.find((right: { id: number }) => right.id === id.headRight).grants).toBe(false);
    expect(explanation.why).toMatch(/x_file/);
  });

  test('names the groups that grant a missing access right', async () => {
    const explanation = await explainAccess(plainPerson, [id.low!], 'read');
    expect(explanation).toMatchObject({
      allowed: false,
      rules: [],
      refused: [],
      missing: [],
      decided_by: { kind: 'right', ids: [] },
    });
    expect(explanation.groups_that_would_help).toEqual(
      expect.arrayContaining(['Archive/Clerk', 'Archive/Head']),
    );
    const unlink = await explainAccess(ann, [id.low!], 'unlink');
    expect(unlink.allowed).toBe(false);
    expect(unlink.groups_that_would_help).toContain('Archive/Head');
    expect(unlink.groups_that_would_help).not.toContain('Archive/Clerk');
  });

  test('is the same for existing and missing records of a model without access', async () => {
    const [explanation, absent] = [
      await explainAccess(plainPerson, [id.low!], 'write'),
      await explainAccess(plainPerson, [2_000_000_011], 'write'),
    ];
    expect(explanation).toEqual(absent);
  });
});

describe('explanation of a record rule', () => {
  beforeAll(async () => {
    await add('not above eight', "[('x_level', '<=', 8)]", 'crwu');
    await add('writes low ones', "[('x_level', '<', 5)]", 'w', [id.clerk!]);
    await add('writes all', "[(1, '=', 1)]", 'w', [id.head!]);
  });

  test('names the rule and describes it if the record is readable', async () => {
    const explanation = await explainAccess(ann, [id.low!, id.middle!], 'write');
    expect(explanation).toMatchObject({
      allowed: false,
      refused: [id.middle],
      decided_by: { kind: 'rule', ids: [id['writes low ones']] },
      groups_that_would_help: ['Archive/Head'],
    });
    const rules = Object.fromEntries(explanation.rules.map((rule: { name: string }) => [rule.name, rule]));
    expect(Object.keys(rules).sort()).toEqual(['not above eight', 'writes low ones']);
    expect(rules['writes low ones']).toMatchObject({
      domain: [['x_level', '<', 5]],
      passes: [id.low],
      refuses: [id.middle],
    });
    expect(rules['not above eight']).toMatchObject({ groups: [], passes: [id.low, id.middle], refuses: [] });
  });

  test('reveals no rule for a hidden record', async () => {
    const explanation = await explainAccess(ann, [id.low!, id['top secret']!], 'write');
    expect(explanation.allowed).toBe(false);
    expect(explanation.refused).toEqual([id['top secret']]);
    for (const rule of explanation.rules)
      expect([...rule.passes, ...rule.refuses], rule.name).not.toContain(id['top secret']);
    expect(JSON.stringify(explanation)).not.toMatch(/top secret/);
  });

  test('names only the rule that denies reading', async () => {
    const explanation = await explainAccess(ann, [id.low!, id['top secret']!], 'read');
    expect(explanation).toMatchObject({
      allowed: false,
      refused: [id['top secret']],
      decided_by: { kind: 'rule', ids: [id['not above eight']] },
    });
    for (const rule of explanation.rules)
      expect([...rule.passes, ...rule.refuses], rule.name).not.toContain(id['top secret']);
    expect(Object.keys(explanation).filter((key) => key !== key.toLowerCase())).toEqual([]);
  });

  test('contains all details if an access rights administrator asks about another user', async () => {
    const [annId] = await scene.admin.value('res.users/search', { domain: [['login', '=', ann.login]] });
    const ids = [id.low, id.middle, id['top secret']];
    const explanation = await scene.admin.value('x_file/explain_access', {
      ids,
      operation: 'write',
      user_id: annId,
    });
    expect(explanation).toMatchObject({
      allowed: false,
      refused: [id.middle, id['top secret']],
      decided_by: { kind: 'rule', ids: [id['not above eight'], id['writes low ones']] },
    });
    const rules = Object.fromEntries(explanation.rules.map((rule: { name: string }) => [rule.name, rule]));
    expect(rules['not above eight'].refuses).toEqual([id['top secret']]);
    expect(rules['writes low ones'].refuses).toEqual([id.middle, id['top secret']]);
    const error = await plainPerson.expectError(403, 'x_file/explain_access', { ids, user_id: annId });
    expect(error.message).toMatch(/user_id/);
    await scene.admin.expectError(404, 'x_file/explain_access', { ids, user_id: 2_000_000_011 });
  });

  test('reports missing records as missing, as read and write do', async () => {
    const explanation = await explainAccess(ann, [id.low!, 2_000_000_011], 'write');
    expect(explanation).toMatchObject({ allowed: true, missing: [2_000_000_011], refused: [] });
    expect(explanation.why).toMatch(/do not exist/);
  });

  test('matches the result of the actual call', async () => {
    for (const operation of ['read', 'write', 'create', 'unlink']) {
      for (const person of [ann, plainPerson]) {
        for (const item of [id.low!, id.middle!, id['top secret']!]) {
          const explanation = await explainAccess(person, [item], operation);
          const may = await person.value('x_file/has_access', { ids: [item], operation });
          expect(explanation.allowed, `${person.login} ${operation} ${item}`).toBe(may);
        }
      }
    }
  });

  test('is the same over classic RPC and for companies in the context', async () => {
    const { execute } = createRpcClients(app);
    const xml = await execute('x_file', 'explain_access', [[id.low], 'write']);
    expect(xml.value).toMatchObject({ allowed: true, operation: 'write' });
    await add('of the company', "[('create_uid.company_id', 'in', company_ids)]", 'r');
    const [company] = await scene.admin.value('res.company/search', { domain: [], limit: 1 });
    const explanation = await ann.value('x_file/explain_access', {
      ids: [id.low],
      operation: 'read',
      context: { allowed_company_ids: [company] },
    });
    const rule = explanation.rules.find((rule: { name: string }) => rule.name === 'of the company');
    expect(rule.domain).toEqual([['create_uid.company_id', 'in', [company]]]);
  });

  test('names an invalid rule that denies access', async () => {
    const field = await scene.create('ir.model.fields', {
      model_id: model,
      name: 'x_gone',
      ttype: 'integer',
    });
    await add('gone', "[('x_gone', '=', 0)]", 'w');
    await scene.admin.value('ir.model.fields/unlink', { ids: [field] });
    const explanation = await explainAccess(ann, [id.low!], 'write');
    expect(explanation).toMatchObject({ allowed: false, decided_by: { kind: 'rule', ids: [id.gone] } });
  });
});

describe('explain_access', () => {
  test('rejects an unknown operation, an unknown model and a missing credential', async () => {
    await ann.expectError(422, 'x_file/explain_access', { ids: [], operation: 'drop' });
    await ann.expectError(404, 'x_nothing/explain_access', { ids: [] });
    const answer = await json2(app, 'x_file/explain_access', { ids: [] });
    expect(answer.status).toBe(401);
  });
});
