import fc from 'fast-check';
import { execute, type GraphQLSchema, NoUnusedVariablesRule, parse, specifiedRules, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldDef } from '../../schema/graph/plan/definition.ts';
import { buildDocumentArbitrary, VARIABLES } from './text-documents.ts';
import { openTextScene, type TextScene } from './text-scene.ts';

let scene: TextScene;
let schema: GraphQLSchema;
beforeAll(async () => {
  scene = await openTextScene();
  const ctx = scene.people.admin!();
  schema = ctx.runtime.getSchema(ctx.catalog.registry);
});
afterAll(() => scene?.lab.close());

const RULES = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);

const MODELS = [
  'res.partner',
  'res.users',
  'res.company',
  'res.country',
  'res.groups',
  'res.partner.category',
  'crm.lead',
  'crm.stage',
  'product.template',
  'mail.message',
  'ir.attachment',
  'ir.model.fields',
  'svc.api.key',
  'x_lab',
  'x_lab_line',
];

const getTextRoots = (): string[] =>
  Object.values(schema.getQueryType()!.getFields()).flatMap(({ name, extensions }) => {
    const def = extensions.def as FieldDef | undefined;
    return def?.role === 'readMany' && MODELS.includes(def.model!) ? [name] : [];
  });

async function compareBoth(source: string, caller: string) {
  const document = parse(source);
  const args = { schema, document, variableValues: VARIABLES };
  const [first, second] = [scene.people[caller]!(), scene.people[caller]!()];
  const text = await first.runtime.executeToText({ ...args, contextValue: first });
  const resolvedResult = await execute({ ...args, contextValue: second });
  return {
    text: text?.text ?? null,
    resolved: resolvedResult,
    hidden: [[...first.hidden].sort(), [...second.hidden].sort()],
  };
}

describe('the text path', () => {
  const CALLERS = ['admin', 'user', 'salesperson', 'the administrator in French'];

  async function expectSameResults(caller: string, numRuns: number): Promise<void> {
    let responseCount = 0;
    let requestCount = 0;
    const property = fc.asyncProperty(buildDocumentArbitrary(schema, getTextRoots()), async (source) => {
      expect(validate(schema, parse(source), RULES).map(({ message }) => message)).toEqual([]);
      const { text, resolved, hidden } = await compareBoth(source, caller);
      requestCount++;
      if (text === null) return;
      responseCount++;
      expect(resolved.errors ?? []).toEqual([]);
      // Keys are in the same order.
      expect(JSON.stringify(JSON.parse(text), null, 1)).toBe(JSON.stringify(resolved.data, null, 1));
      expect(hidden[0]).toEqual(hidden[1]);
    });
    await fc.assert(property, { numRuns });
    expect(responseCount).toBeGreaterThan(requestCount * 0.1);
  }

  test.each(CALLERS)('returns the same result as resolvers for %s, or declines', (caller) =>
    expectSameResults(caller, 60),
  );

  test.each(CALLERS)(
    'returns the same result as resolvers for 300 documents of %s',
    { tags: 'slow' },
    (caller) => expectSameResults(caller, 300),
  );
});
