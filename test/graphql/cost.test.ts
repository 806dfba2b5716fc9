import { buildSchema, type OperationDefinitionNode } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ASSUMED_NESTED_ROWS } from '../../facades/graphql/cost.ts';
import { computeDocumentCost, getDocument } from '../../facades/graphql/documents.ts';
import { MAX_OPERATION_COST } from '../../facades/graphql/run.ts';
import { limits } from '../../src/limits.ts';

/** A schema with the structure of the record types. */
const schema = buildSchema(`
  type Query {
    lead(id: ID!): Lead
    leads(first: Int, last: Int, offset: Int): LeadConnection!
    groups(first: Int = 20): [Group!]!
    all: [Lead!]!
    search(limit: Int): JSON
  }
  type Mutation { leadsCreate: [Lead!]! }
  type LeadConnection { nodes: [Lead!]! edges: [LeadEdge!]! totalCount: Int! pageInfo: PageInfo! }
  type LeadEdge { cursor: String! node: Lead! }
  type PageInfo { endCursor: String }
  type Lead { id: ID! name: String stage: Lead tags(first: Int, last: Int): LeadConnection! lines: [Lead!]! words: [String!]! }
  type Group { count: Int! leads(first: Int = 3): LeadConnection! }
  scalar JSON
`);
const { pageDefault } = limits.graphql;

function computeCost(source: string, variables: Record<string, unknown> = {}): number {
  const document = getDocument(source);
  return computeDocumentCost(
    document,
    schema,
    document.document.definitions[0] as OperationDefinitionNode,
    variables,
  );
}

describe('the cost estimate', () => {
  it.each<[string, number]>([
    ['{ lead(id: 1) { id name } }', 3],
    ['{ lead(id: 1) { stage { name } words } }', 4],
    ['{ leads(first: 7) { nodes { id name } } }', 1 + 7 * (1 + 2)],
    [
      '{ leads(first: 7) { edges { cursor node { id } } pageInfo { endCursor } totalCount } }',
      1 + 7 * (4 + 2 + 1),
    ],
    ['{ leads { nodes { id } } }', 1 + pageDefault * 2],
    ['{ leads(last: 5) { nodes { id } } }', 1 + 5 * 2],
    ['{ leads(first: 2) { nodes { tags { nodes { id } } } } }', 1 + 2 * (1 + 1 + ASSUMED_NESTED_ROWS * 2)],
    ['{ leads(first: 2) { nodes { tags(first: 30) { nodes { id } } } } }', 1 + 2 * (1 + 1 + 30 * 2)],
    ['{ leads(first: 2) { nodes { lines { id } } } }', 1 + 2 * (1 + 1 + ASSUMED_NESTED_ROWS)],
    ['{ groups { count leads { nodes { id } } } }', 1 + 20 * (1 + 1 + 3 * 2)],
    ['{ all { id } }', 1 + pageDefault],
    ['{ a: all { id } b: all { id } }', 2 * (1 + pageDefault)],
    ['{ leads(first: 4) { ...F } } fragment F on LeadConnection { nodes { ... on Lead { id } } }', 1 + 4 * 2],
    ['{ leads(first: -3) { nodes { id } } }', 1],
    ['{ search(limit: 1000) }', 1],
    ['mutation { leadsCreate { id } }', 1 + pageDefault],
    ['{ __schema { types { name } } __typename }', 2],
  ])('estimates the cost of %s', (source, values) => {
    expect(computeCost(source)).toBe(values);
  });

  it.each<[Record<string, unknown>, number]>([
    [{ first: 9 }, 9],
    [{}, 5],
    [{ first: 'nine' }, pageDefault],
    [{ first: null }, 5],
  ])('takes page sizes from the variables %j', (variables, size) => {
    const source = 'query($first: Int = 5) { leads(first: $first) { nodes { id } } }';
    expect(computeCost(source, variables)).toBe(1 + size * 2);
  });
});

describe('the cost limit', () => {
  it.each([
    [
      'a list with a relation, tags, pageInfo and totalCount',
      '{ leads { edges { node { stage { name } tags { edges { node { name } } } } } pageInfo { endCursor } totalCount } }',
    ],
    [
      'three relations with edges',
      `{ leads { edges { node { name tags { edges { node { name tags { edges { node { name
        tags { edges { node { id name } } } } } } } } } } } } }`,
    ],
    [
      'a full page with every nested list of ten',
      '{ leads(first: 500) { nodes { tags { nodes { lines { id name } } } } } }',
    ],
  ])('allows %s', (_name, source) => {
    expect(computeCost(source)).toBeLessThanOrEqual(MAX_OPERATION_COST);
    expect(getDocument(source).excesses).toEqual([]);
  });

  it('rejects three nested lists of 100 records each, with literal or variable page sizes', () => {
    const buildSource = (first: string) =>
      `query($n: Int) { leads(first: ${first}) { nodes { tags(first: ${first}) { nodes { tags(first: ${first}) { nodes { id } } } } } } }`;
    expect(computeCost(buildSource('100'))).toBeGreaterThan(MAX_OPERATION_COST);
    expect(computeCost(buildSource('$n'), { n: 100 })).toBeGreaterThan(MAX_OPERATION_COST);
    expect(computeCost(buildSource('$n'), { n: 10 })).toBeLessThan(MAX_OPERATION_COST);
  });

  it('rejects exponentially nested fragments without expanding them', () => {
    const fragments = Array.from({ length: 60 }, (_, i) =>
      i < 59
        ? `fragment F${i} on Lead { stage { ...F${i + 1} } a: stage { ...F${i + 1} } }`
        : 'fragment F59 on Lead { id }',
    );
    const { excesses } = getDocument(`{ lead(id: 1) { ...F0 } } ${fragments.join(' ')}`);
    expect(excesses.map(({ message }) => message).join(' ')).toMatch(/levels deep.*aliases.*fields/s);
  });
});
