import { expect, test } from 'vitest';
import { sdlOf } from '../../facades/graphql/sdl.ts';
import { buildProduct } from '../../schema/index.ts';
import { getDatamodel } from '../../src/db/generated/pothos.ts';
import type { Datamodel } from '../../src/engine/model/datamodel.ts';

const { datamodel } = getDatamodel() as unknown as { datamodel: Datamodel };
const { schema, registry } = buildProduct(datamodel);
/** A line of a comment in prisma/schema that tells the engine something. */
const MARK = /^\s*@(?!(?:auth|scope|feature|audit)\b)\w+/m;

test('marks of the engine stand in no description of GraphQL and in no label or help of a model', () => {
  expect('  @readonly').toMatch(MARK);
  expect(sdlOf(schema)).not.toMatch(MARK);
  for (const model of registry.values())
    for (const { name, label, help } of model.fields.values())
      expect(`${label}\n${help}`, `${model.name}.${name}`).not.toMatch(MARK);
});
