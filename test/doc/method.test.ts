import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import '../../apps/index.ts';
import '../../schema/modules.ts';
import { sortModules } from '../../src/engine/describe/doc.ts';
import { buildMethodDoc } from '../../src/engine/describe/doc-method.ts';
import type { Operation } from '../../src/engine/operation/operation.ts';

describe('a method description', () => {
  const types = buildSchema(`
    scalar JSON
    type Query {
      sail(model: String!, ids: [Int!]!, to: String = "it's", by: [String!], vals: JSON!): JSON
      row(speed: Float!, fast: Boolean = false, crew: Crew, names: [[String!]!]! = [["a"]]): Boat!
    }
    type Boat { id: Int }
    input Crew { size: Int }
  `);
  const buildDoc = (name: string, change: Partial<Operation> = {}) =>
    buildMethodDoc(
      {
        name,
        kind: 'query',
        model: 'x.boat',
        method: name,
        effects: ['reads'],
        policy: { auth: ['USER'], scope: 'read' },
        description: 'Of `a` & <b>.',
        returns: null,
        aliases: {},
        run: () => null,
        ...change,
      },
      types.getQueryType()!.getFields()[name]!,
      'sea',
    );

  it("lists the root field's parameters in order and in Python notation", () => {
    const { signature, parameters, doc, api } = buildDoc('sail', { model: '*' });
    expect(signature).toBe("(to='it\\'s', by=None, vals) -> Any");
    expect(parameters).toEqual({
      to: { default: "it's", annotation: 'str' },
      by: { default: null, annotation: 'list[str] | None' },
      vals: { annotation: 'dict' },
    });
    expect([doc, api]).toEqual(['<p>Of <code>a</code> &amp; &lt;b&gt;.</p>', ['readonly']]);
  });

  it('keeps a parameter named model if the method belongs to one model', () => {
    expect(buildDoc('sail').signature).toBe("(model, to='it\\'s', by=None, vals) -> Any");
  });

  it('returns the type of its root field', () => {
    expect(buildDoc('row')).toMatchObject({
      signature: "(speed, fast=False, crew=None, names=[['a']]) -> dict",
      parameters: { speed: { annotation: 'float' }, crew: { annotation: 'dict | None' } },
      return: { annotation: 'dict' },
      api: ['model', 'readonly'],
      model: 'x.boat',
      module: 'sea',
    });
    expect(buildDoc('row', { model: '*', kind: 'mutation' })).toMatchObject({
      api: ['model'],
      model: 'core',
      module: 'core',
    });
  });
});

describe('modules', () => {
  const buildModels = (links: Record<string, string[]>) =>
    Object.entries(links).map(([name, relations]) => ({
      name,
      fields: new Map(relations.map((relation) => [relation, { type: 'many2one', relation }])) as never,
    }));

  it.each<[Record<string, string[]>, string[]]>([
    [{}, ['base']],
    [{ 'res.users': ['sale.order'], 'crm.lead': ['res.users'] }, ['base', 'crm']],
    [{ 'crm.lead': ['utm.source'], 'utm.source': [] }, ['base', 'crm']],
    [
      { 'project.task': ['sale.order'], 'sale.order': ['product.product'], 'product.product': ['uom.uom'] },
      ['base', 'product', 'sale', 'project'],
    ],
    [{ 'crm.lead': ['project.task'], 'project.task': ['crm.lead'], x_lab: [] }, ['base', 'project', 'crm']],
  ])('%j are sorted as %j', (links, order) => {
    expect(sortModules(buildModels(links))).toEqual(order);
  });
});
