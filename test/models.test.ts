import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listGroups } from '../schema/base/users/groups.ts';
import { buildModelRoots } from '../schema/graph/plan/plan.ts';
import { buildProduct } from '../schema/index.ts';
import { getPrismaModels } from '../src/db/tripwire.ts';

const prismaModels = getPrismaModels();
const models = [...buildProduct().registry.values()];

test('every group in the access rights and rules of a model is declared', () => {
  const groupIds = new Set(listGroups().map((group) => group.id));
  const groupNames = models.flatMap(({ name, options, fields }) => [
    ...Object.keys(options.access).map((group) => [name, group]),
    ...(options.rules ?? []).flatMap(({ group }) => (group ? [[name, group]] : [])),
    ...[...fields.values()].flatMap((field) => field.groups.map((group) => [`${name}.${field.name}`, group])),
  ]);
  expect(groupNames.length).toBeGreaterThan(100);
  expect(groupNames.filter(([, group]) => !groupIds.has(group!))).toEqual([]);
});

test('every implied group is declared', () => {
  const groupIds = new Set(listGroups().map((group) => group.id));
  expect(listGroups().flatMap((group) => group.implies.filter((id) => !groupIds.has(id)))).toEqual([]);
});

test('the records of every model with an update mutation have a version', () => {
  const updatable = models.filter((model) =>
    buildModelRoots(model).mutation.some(({ role }) => role === 'updateOne'),
  );
  expect(updatable.length).toBeGreaterThan(60);
  expect(updatable.filter(({ fields }) => !fields.has('row_version')).map(({ name }) => name)).toEqual([]);
});

test('every Prisma model with a write_uid has a model definition, unless it is internal', () => {
  const defined = new Set(models.map((model) => model.prisma));
  const documentedModels = Object.entries(prismaModels).filter(
    ([, { fields, documentation }]) =>
      !documentation?.includes('@internal') && fields.some((field) => field.name === 'write_uid'),
  );
  expect(documentedModels.length).toBeGreaterThan(40);
  expect(documentedModels.map(([name]) => name).filter((name) => !defined.has(name))).toEqual([]);
});

test('only installation-wide tables lack a workspace', () => {
  const shared = Object.entries(prismaModels).filter(
    ([, { fields }]) => !fields.some((field) => field.name === 'workspace_id'),
  );
  expect(shared.map(([name]) => name).sort()).toEqual([
    'Installation',
    'IrFieldStock',
    'IrModelStock',
    'SvcWorker',
    'Workspace',
  ]);
});

/** Removing a record from these lists only unlinks it. With the directive, it would be deleted. */
const RELEASED = new Set(['ProductCategory.parent_id', 'UomUom.relative_uom_id']);

test('the declared delete action of a link matches its foreign key', () => {
  const sqlActions: Record<string, string> = { Cascade: 'cascade', SetNull: 'set null' };
  const mismatches: string[] = [];
  let keys = 0;
  for (const [, shape, body] of readSchema().matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)) {
    const fields = models.find(({ prisma }) => prisma === shape)?.fields;
    for (const [, columns, onDelete] of body!.matchAll(/fields: \[([^\]]*)\].*?onDelete: (\w+)/g)) {
      const field = fields?.get(columns!.split(', ').at(-1)!);
      if (field?.type !== 'many2one') continue;
      keys += 1;
      const isCascade = sqlActions[onDelete!] === 'cascade';
      if (isCascade !== (field.onDelete === 'cascade') && !RELEASED.has(`${shape}.${field.name}`))
        mismatches.push(`${shape}.${field.name}: ${onDelete} and ${field.onDelete}`);
    }
  }
  expect(keys).toBeGreaterThan(100);
  expect(mismatches).toEqual([]);
});

const readSchema = (): string =>
  [...globSync('prisma/schema/*.prisma'), ...globSync('apps/*/schema.prisma')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
