import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) await team.book({ name });
});

const LIST = 'query ($where: ContactBookWhere) { contactBooks(where: $where) { totalCount nodes { name } } }';

const queryList = (where: object, key?: string) => team.graphql(LIST, { where }, key);

async function queryErrorCode(where: object, key?: string): Promise<string | undefined> {
  return (await queryList(where, key)).errors[0]?.extensions.code;
}

const buildLikes = (count: number, end = '') => ({
  or: Array.from({ length: count }, (_, n) => ({ displayName: { like: `%a%b%${n}${end}` } })),
});

describe('filter conditions on settings', () => {
  it.each([
    ['limits the cost of conditions that the record engine reads', { name: { like: '%a%' } }, 480],
    [
      'limits conditions that Prisma reads like those of a domain',
      { name: { eq: 'a' } },
      limits.domain.conditions,
    ],
  ])('%s', async (_, item, max) => {
    expect(await queryErrorCode({ or: Array(limits.domain.conditions + 1).fill(item) })).toBe('BAD_VALUE');
    expect(await queryErrorCode({ or: Array(max).fill(item) })).toBeUndefined();
  });

  it('have the same depth limit as a domain', async () => {
    let where: object = { name: { eq: 'a' } };
    for (let n = 0; n < limits.domain.depth; n++) where = { not: where };
    expect(await queryErrorCode({ not: where })).toBe('BAD_VALUE');
  });

  it('run once for identical conditions in a request', async () => {
    const rowsSpy = vi.spyOn(team.runtime.db, 'rows');
    const fields = Array.from(
      { length: 10 },
      (_, n) => `a${n}: apiKeys(where: $w) { totalCount nodes { id } }`,
    );
    const { errors } = await team.graphql(
      `query ($w: ApiKeyWhere) { ${fields.join(' ')} }`,
      { w: buildLikes(50) },
      team.main.user.key,
    );
    const searches = rowsSpy.mock.calls.filter(([statement]) => / like /.test(statement.render().text));
    rowsSpy.mockRestore();
    expect(errors).toEqual([]);
    expect(searches).toHaveLength(1);
  });

  it('run sequentially within a request', async () => {
    const { pool } = team.runtime.db;
    let peak = 0;
    const count = () => {
      peak = Math.max(peak, pool.totalCount - pool.idleCount + pool.waitingCount);
    };
    pool.on('acquire', count);
    const names = Array.from({ length: 20 }, (_, n) => `w${n}`);
    const { errors } = await team.graphql(
      `query (${names.map((name) => `$${name}: ApiKeyWhere`).join(' ')}) {
        ${names.map((name) => `${name}: apiKeys(where: $${name}) { totalCount nodes { id } }`).join(' ')} }`,
      Object.fromEntries(names.map((name) => [name, buildLikes(20, name)])),
      team.main.user.key,
    );
    pool.off('acquire', count);
    expect(errors).toEqual([]);
    expect(peak).toBeLessThanOrEqual(3);
  });
});

describe('invalid values', () => {
  it.each([
    { name: { eq: 'a\0' } },
    { name: { contains: '\0' } },
    { name: { in: ['a', '\0'] } },
    { id: { eq: '\0' } },
    { createdAt: { gt: '0000-01-01T00:00:00Z' } },
    { createdAt: { in: ['0000-01-01T00:00:00Z'] } },
    { name: { in: Array(limits.domain.values + 1).fill('x') } },
  ])('are rejected: case %#', async (where) => {
    expect(await queryErrorCode(where)).toMatch(/^BAD_(VALUE|REQUEST)$/);
  });

  it('are rejected in an id', async () => {
    const { errors } = await team.graphql('query ($id: ID!) { contactBook(id: $id) { id } }', { id: 'a\0' });
    expect(errors[0]?.extensions.code).toBe('BAD_VALUE');
  });

  it.each(['in', 'notIn'])('passes a long list for %s to the record engine', async (operator) => {
    const values = ['a', ...Array.from({ length: 40_000 }, (_, n) => `x${n}`)];
    const { data, errors } = await queryList({ name: { [operator]: values } });
    expect(errors).toEqual([]);
    expect(data.contactBooks.totalCount).toBe(operator === 'in' ? 1 : 2);
    expect(await queryErrorCode({ name: { [operator]: values } }, team.main.teamKey)).toMatch(
      /^(BAD_REQUEST|FORBIDDEN)$/,
    );
  });
});

it('conditions on settings compare timestamps to the second', async () => {
  await team.runtime.db.rows(
    sql`update svc_contact_book set create_date = ${'2030-01-02T03:04:05.678'}::timestamp
        where workspace_id > 0 and name = 'b'`,
  );
  const isMet = async (condition: object) =>
    (await queryList({ createdAt: condition, name: { eq: 'b' } })).data.contactBooks.totalCount === 1;
  const [before, sameTime, after] = [4, 5, 6].map((n) => `2030-01-02T03:04:0${n}Z`) as [
    string,
    string,
    string,
  ];
  const cases: [object, boolean][] = [
    [{ eq: sameTime }, true],
    [{ eq: after }, false],
    [{ ne: sameTime }, false],
    [{ ne: before }, true],
    [{ in: [before, sameTime] }, true],
    [{ in: [before, after] }, false],
    [{ notIn: [sameTime] }, false],
    [{ notIn: [] }, true],
    [{ lt: sameTime }, false],
    [{ lt: after }, true],
    [{ lte: sameTime }, true],
    [{ lte: before }, false],
    [{ gt: sameTime }, false],
    [{ gt: before }, true],
    [{ gte: sameTime }, true],
    [{ gte: after }, false],
    [{ between: [before, sameTime] }, true],
    [{ between: [after, after] }, false],
    [{ eq: '2030-01-02T03:04:05.900Z' }, true],
  ];
  for (const [condition, expected] of cases)
    expect([condition, await isMet(condition)]).toEqual([condition, expected]);
});

describe('settings pages', () => {
  it.each([
    { first: 2, last: 2 },
    { offset: -5 },
    { first: -1 },
    { last: -1 },
    { first: 501 },
    { last: 501 },
    { last: 2, offset: 1 },
    { first: 1, before: 'x' },
    { last: 1, after: 'x' },
    { after: 'x', before: 'x' },
    { after: 'x', offset: 1 },
    { after: 'x' },
  ])('reject %j with the same message as record pages', async (variables) => {
    const readIds = async (list: string, selection: string) => {
      const { errors } = await team.graphql(
        `query ($first: Int, $last: Int, $after: String, $before: String, $offset: Int) {
          ${list}(first: $first, last: $last, after: $after, before: $before, offset: $offset) { ${selection} } }`,
        variables,
      );
      return [errors[0]?.extensions.code, errors[0]?.message];
    };
    const records = await readIds('contacts', 'nodes { id }');
    expect(records[0]).toBe('BAD_REQUEST');
    expect(await readIds('contactBooks', 'nodes { id }')).toEqual(records);
    expect(await readIds('contactBooks', 'totalCount')).toEqual(records);
  });

  it('report whether there are more pages before and after an offset', async () => {
    const data = await queryData(
      team,
      `{ one: contactBooks(first: 1, offset: 1) { pageInfo { hasNextPage hasPreviousPage } }
         all: contactBooks(offset: 0) { pageInfo { hasNextPage hasPreviousPage } } }`,
    );
    expect(data.one.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: true });
    expect(data.all.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: false });
  });
});
