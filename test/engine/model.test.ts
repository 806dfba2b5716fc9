import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { Datamodel } from '../../src/engine/model/datamodel.ts';
import type { ModelOptions } from '../../src/engine/model/model.ts';
import { defineModule } from '../../src/engine/model/modules.ts';
import { buildRegistry, defineModel } from '../../src/engine/model/registry.ts';

const buildColumn = (name: string, type: string, documentation?: string) => ({
  name,
  type,
  kind: 'scalar',
  isRequired: true,
  isList: false,
  hasDefaultValue: false,
  ...(documentation && { documentation }),
});

const shape = (documentation?: string, name?: string): Datamodel => ({
  models: {
    Thing: {
      ...(name && { documentation: name }),
      fields: [buildColumn('id', 'Int'), buildColumn('name', 'String', documentation)],
    },
  },
});

defineModule('thing', ['thing']);

const build = (options: Partial<ModelOptions>, datamodel = shape()) => {
  defineModel('thing', { group: 'data', access: {}, ...options });
  return buildRegistry(datamodel).get('thing')!;
};

test('accepts declarations that refer to stored, computed and derived fields', () => {
  const computed = { size: { type: 'integer', label: 'Size', sql: () => sql`1` } } as const;
  const model = build({ computed, display: 'name', searchNames: ['name', 'size'], order: 'size desc, id' });
  expect(model.order).toBe('size desc, id');
});

test.each([
  ['display', { display: 'nmae' }],
  ['searchNames', { searchNames: ['name', 'nmae'] }],
  ['order', { order: 'id desc, nmae' }],
] as const)('rejects a model at startup if its %s names an unknown field', (option, options) => {
  expect(() => build(options as Partial<ModelOptions>)).toThrow(
    `model thing: its ${option} names 'nmae', which is not one of its fields`,
  );
});

test('rejects an unknown directive with its position and the supported directives', () => {
  expect(() => build({}, shape('Name\n@translte'))).toThrow(
    /^Prisma model Thing, name: unknown directive @translte; expected one of .*\btranslate\b/,
  );
  expect(() => build({}, shape(undefined, 'Thing\n@hidden'))).toThrow(
    'Prisma model Thing, the model itself: unknown directive @hidden',
  );
  expect(build({}, shape('Name\nHelp.\n@translate\n@size 20')).fields.get('name')).toMatchObject({
    translated: true,
    size: 20,
  });
});
