import { expect, test } from 'vitest';
import { checkDeclarations } from '../../schema/check-declarations.ts';
import type { Registry } from '../../src/engine/model/model.ts';
import type { Verb } from '../../src/engine/verb/verb.ts';

const GROUPS = new Set(['base.group_user']);
const buildModel = (access: Record<string, string>) =>
  new Map([['lab', { name: 'lab', options: { access } }]]) as unknown as Registry;
const buildModels = (...names: string[]) =>
  new Map(
    names.map((name) => [name, { name, options: { access: {}, graph: { type: 'Lab' } } }]),
  ) as unknown as Registry;
const verb = (address: string | null) => [{ name: 'labRun', model: address }] as unknown as Verb[];

test.each<[string, Registry, Verb[], RegExp]>([
  ['a group that is none', buildModel({ 'base.group_nope': 'r' }), [], /lab.*base\.group_nope/],
  ['rights that are none', buildModel({ 'base.group_user': 'rx' }), [], /lab.*rx/],
  ['no rights at all', buildModel({ 'base.group_user': '' }), [], /lab/],
  ['an address of no model', buildModel({}), verb('labb'), /labRun.*labb/],
  [
    'a type in GraphQL that another model has',
    buildModels('lab', 'lab.two'),
    [],
    /lab\.two.*Lab in GraphQL.*lab/,
  ],
])('%s is refused at the start, by name', (_, registry, verbs, message) => {
  expect(() => checkDeclarations(registry, verbs, GROUPS)).toThrow(message);
});

test('what leads somewhere is taken', () => {
  const registry = buildModel({ 'base.group_user': 'crwu' });
  for (const address of ['lab', '*', null]) checkDeclarations(registry, verb(address), GROUPS);
});
