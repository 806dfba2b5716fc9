import { beforeAll, describe, expect, test, vi } from 'vitest';
import { create } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { renderText } from '../harness/sql.ts';

const app = setUpApp();
const names = ['Ann', 'Bob', 'Cyd', 'Däg', 'Eve'];

beforeAll(async () => {
  await create(
    app.main.ctx,
    'res.partner',
    names.map((name) => ({ name, ref: 'text', email: `${name}@example.org` })),
  );
});

const MINE = 'where: { ref: { eq: "text" } }';

/** Returns the response, how it was produced, and the statements that read partners. */
async function runWithSpy(query: string, variables = {}, key = app.main.user.key) {
  const texts = vi.spyOn(app.runtime, 'executeToText');
  const rows = vi.spyOn(app.runtime.db, 'rows');
  try {
    const response = await postGraphql(app, query, { key, variables });
    const text = await texts.mock.results[0]?.value;
    const statements = rows.mock.calls.filter(([sql]) => renderText(sql).includes('"res_partner"')).length;
    return { ...response, isText: Boolean(text), statements };
  } finally {
    texts.mockRestore();
    rows.mockRestore();
  }
}

async function runResolved(query: string, variables = {}, key = app.main.user.key): Promise<string> {
  const texts = vi.spyOn(app.runtime, 'executeToText').mockResolvedValue(null);
  try {
    return (await postGraphql(app, query, { key, variables })).text;
  } finally {
    texts.mockRestore();
  }
}

describe('a record query', () => {
  test('runs one statement and sends the JSON text that PostgreSQL returns', async () => {
    const query = `{ partners(first: 3, ${MINE}) { nodes { id name country { code } children { nodes { name } } } pageInfo { hasNextPage } } }`;
    const response = await runWithSpy(query);
    expect(response).toMatchObject({ status: 200, isText: true, statements: 1 });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.data.partners.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'Ann',
      'Bob',
      'Cyd',
    ]);
    expect(JSON.parse(response.text)).toEqual(JSON.parse(await runResolved(query)));
  });

  test('supports an operation name, variables, aliases, fragments and directives', async () => {
    const query = `query Q($n: Int!, $with: Boolean!) {
        some: partners(first: $n, ${MINE}) { ...Page edges @include(if: $with) { cursor node { name label: name } } }
      } fragment Page on PartnerConnection { nodes { name } nodes { email } totalCount }`;
    for (const variables of [
      { n: 2, with: true },
      { n: 4, with: true },
    ]) {
      const response = await runWithSpy(query, variables);
      expect(response.isText).toBe(true);
      expect(response.data.some.nodes.length).toBe(variables.n);
      expect(response.text.replaceAll(' ', '')).toBe(
        (await runResolved(query, variables)).replaceAll(' ', ''),
      );
    }
  });

  test('reads the variables of each request, although it caches the selection', async () => {
    const query = `query ($id: ID!, $first: Int = 2, $name: String, $names: [String!], $value: JSON, $with: Boolean! = false, $where: PartnerWhere! = {}) {
        partners(first: $first, where: { and: [{ ref: { eq: "text" } }, { name: { ne: $name, in: $names } }, $where] }, domain: [["name", "!=", $value]]) {
          nodes { name children(first: $first, where: { name: { eq: $name } }) { totalCount } }
          totalCount @include(if: $with)
        }
        partner(id: $id) { id name @skip(if: $with) }
      }`;
    const sets = [
      { id: '1', with: true },
      { id: '2', with: false, first: 3, name: 'Ann' },
      { id: '1', with: true, first: 1, name: 'Bob', names: ['Ann', 'Bob', 'Cyd'] },
      { id: '3', with: true, first: null, name: null, names: ['Eve'], value: false },
      {
        id: '1',
        with: false,
        value: 'Ann',
        where: { or: [{ name: { startsWith: 'A' } }, { name: { eq: 'Bob' } }] },
      },
      { id: 'x', with: true, value: { __proto__: 1 }, where: {} },
      { id: '1' },
    ];
    const normalize = (text: string) =>
      JSON.stringify(JSON.parse(text.replace(/"requestId":"[^"]*"/g, '"":0')));
    const texts: string[] = [];
    for (const variables of [...sets, ...sets]) {
      const text = normalize((await runWithSpy(query, variables)).text);
      expect(text).toBe(normalize(await runResolved(query, variables)));
      texts.push(text);
    }
    expect(texts.filter((text) => text.startsWith('{"data":{')).length).toBeGreaterThan(7);
  });

  test.each(['toString', 'constructor', '__proto__'])(
    'reads a variable $%s that was unset before',
    async (name) => {
      const query = `query ($${name}: [String!], $first: Int = 5) {
        partners(first: $first, where: { ref: { eq: "text" }, name: { in: $${name} } }) { nodes { name } }
      }`;
      await runWithSpy(query);
      const { data, isText } = await runWithSpy(query, JSON.parse(`{ "${name}": ["Bob"] }`));
      expect([data, isText]).toEqual([{ partners: { nodes: [{ name: 'Bob' }] } }, true]);
    },
  );

  test('returns all pages in both directions', async () => {
    const shownNames: string[] = [];
    let after = '';
    do {
      const page = await runWithSpy(
        `{ partners(first: 2, ${MINE}${after && `, after: "${after}"`}) { edges { node { name } } pageInfo { endCursor hasNextPage } } }`,
      );
      expect(page.isText).toBe(true);
      const { edges, pageInfo } = page.data.partners;
      shownNames.push(...edges.map(({ node }: { node: { name: string } }) => node.name));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : '';
    } while (after);
    expect(shownNames).toEqual(names);
    const last = await runWithSpy(
      `{ partners(last: 2, ${MINE}) { nodes { name } pageInfo { hasPreviousPage } } }`,
    );
    expect(last).toMatchObject({ isText: true });
    expect(last.data.partners).toEqual({
      nodes: [{ name: 'Däg' }, { name: 'Eve' }],
      pageInfo: { hasPreviousPage: true },
    });
  });
});

const buildAliasQuery = (name: string): string => `{
  plain: partners(first: 2, ${MINE}) { ${name}: nodes { ${name}: name } }
  edges: partners(first: 2, ${MINE}) { edges { ${name}: node { ${name}: name createdBy { ${name}: id } } } }
  cut: partners(last: 2, ${MINE}) {
    nodes { ${name}: children(last: 1) { ${name}: nodes { ${name}: id } pageInfo { ${name}: endCursor } } }
    edges { ${name}: node { ${name}: name } }
    links: edges { ${name}: cursor }
    pageInfo { ${name}: startCursor }
  }
  one: partner(id: "1") { ${name}: name }
}`;

test('returns the same response as resolvers for aliases that are names in its statements', async () => {
  const spy = vi.spyOn(app.runtime.db, 'rows');
  await postGraphql(app, buildAliasQuery('alias'), { key: app.main.user.key });
  const statements = spy.mock.calls.map(([sql]) => renderText(sql)).join('\n');
  spy.mockRestore();
  const identifiers = new Set(statements.replaceAll(/'[^']*'/g, '').match(/\b[a-z_][a-z_0-9]*\b/g));
  expect(identifiers.size).toBeGreaterThan(40);
  for (const name of identifiers) {
    const query = buildAliasQuery(name);
    const response = await runWithSpy(query);
    expect([name, response.isText]).toEqual([name, true]);
    expect(JSON.parse(response.text)).toEqual(JSON.parse(await runResolved(query)));
  }
});

describe('an operation executed by resolvers', () => {
  test.each([
    ['has another root field', `{ viewer { login } partners(${MINE}) { nodes { name } } }`, {}],
    ['has invalid arguments', `{ partners(first: 501) { nodes { name } } }`, {}],
    ['has an invalid cursor', `{ partners(after: "cjk5OTk5OTk") { nodes { name } } }`, {}],
    ['reads an inaccessible model', `{ irRules { nodes { name } } partners { nodes { name } } }`, {}],
    [
      'reads nested lists that may be long',
      `{ partners(first: 80) { nodes { children(first: 80) { nodes { children(first: 80) { nodes { id } } } } } } }`,
      {},
    ],
  ])('%s', async (_name, query, variables) => {
    const response = await runWithSpy(query, variables);
    expect(response.isText).toBe(false);
    const request = /"requestId":"[^"]*"/g;
    expect(response.text.replace(request, '')).toBe(
      (await runResolved(query, variables)).replace(request, ''),
    );
  });

  test('rejects a key without the scope', async () => {
    const { errors, isText } = await runWithSpy('{ partners { nodes { name } } }', {}, app.main.teamKey);
    expect(isText).toBe(false);
    expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
  });
});

test('does not repeat a statement that timed out', async () => {
  const { rows } = app.runtime.db;
  const slow = vi.spyOn(app.runtime.db, 'rows').mockImplementation(async (statement) => {
    if (!renderText(statement).includes('"res_partner"')) return rows(statement);
    throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  });
  try {
    const { errors, text } = await postGraphql(app, '{ partners { nodes { name } } }', {
      key: app.main.user.key,
    });
    const calls = slow.mock.calls.filter(([sql]) => renderText(sql).includes('"res_partner"'));
    expect(calls.length).toBe(1);
    expect(errors[0]).toMatchObject({ path: ['partners'] });
    expect(JSON.parse(text).data).toBeNull();
  } finally {
    slow.mockRestore();
  }
});
