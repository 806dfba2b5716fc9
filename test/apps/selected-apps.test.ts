import { buildSchema, getIntrospectionQuery, parse, printSchema, validate, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import { apps } from '../../apps/index.ts';
import { buildAppRegistry } from '../../schema/base/ir/catalog-load.ts';
import { createWorkspace } from '../../schema/base/workspace/create-workspace.ts';
import { operations } from '../../src/engine/operation/operation.ts';
import { setUpApp } from '../harness/app.ts';

const app = setUpApp();

const SETS = [[], ['crm'], ['product'], ['project'], ['crm', 'product'], ['crm', 'product', 'sale']];

test.for(SETS.map((installed) => ({ installed })))(
  'builds a complete schema for a workspace with $installed',
  ({ installed }) => {
    const registry = buildAppRegistry(app.runtime.registry, installed);
    expect(buildAppRegistry(app.runtime.registry, installed.toReversed())).toBe(registry);
    const schema = app.runtime.getSchema(registry);
    const text = printSchema(schema);
    expect(validateSchema(buildSchema(text))).toEqual([]);
    expect(validate(schema, parse(getIntrospectionQuery()))).toEqual([]);
    const absentApps = apps.filter(({ name }) => !installed.includes(name));
    for (const operation of operations.values())
      if (absentApps.some(({ models }) => models.includes(operation.model?.split('.')[0] ?? '')))
        expect(text).not.toContain(` ${operation.name}(`);
    const models = absentApps
      .flatMap(({ models }) => models)
      .map((word) => word[0]!.toUpperCase() + word.slice(1));
    const leftOver = [...text.matchAll(/^(?:type|input|enum|union) (\w+)/gm)].map(([, name]) => name!);
    expect(leftOver.filter((name) => models.some((word) => new RegExp(`^${word}[A-Z]`).test(name)))).toEqual(
      [],
    );
  },
);

test('creates a workspace with the selected apps and their dependencies', async () => {
  const ctx = await createWorkspace(app.runtime, 'few', 'Few', undefined, ['sale']);
  const names = [...ctx.catalog.registry.keys()];
  expect(names.filter((name) => /^project/.test(name))).toEqual([]);
  expect(names).toContain('crm.lead');
});
