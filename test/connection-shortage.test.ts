import { expect, it } from 'vitest';
import { json2 } from './harness/facades/json2.ts';
import { setUpTeam } from './harness/facades/rest.ts';

const team = setUpTeam();

it('asks the client to retry, in every protocol, if a request gets no connection in time', async () => {
  const { pool } = team.runtime.db;
  const facades = {
    graphql: async (query: string) => {
      const { errors } = await team.graphql(query);
      return errors.map(({ extensions: { code, status } }) => `${code} ${status}`);
    },
    rest: async () => (await team.ask('GET', '/api/v1/contactBooks')).status,
    json2: async () => (await json2(team, 'res.partner/search', { domain: [] }, team.main.admin.key)).status,
  };
  const readAll = async () => [
    await facades.graphql('{ contactBooks { totalCount } }'),
    await facades.graphql('{ contactBooks { nodes { id } } }'),
    await facades.graphql('{ partners { totalCount } }'),
    await facades.rest(),
    await facades.json2(),
  ];
  expect(await readAll()).toEqual([[], [], [], 200, 200]);
  const before = pool.options.connectionTimeoutMillis;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  pool.options.connectionTimeoutMillis = 100;
  try {
    expect(await readAll()).toEqual([['BUSY 503'], ['BUSY 503'], ['BUSY 503'], 503, 503]);
  } finally {
    pool.options.connectionTimeoutMillis = before;
    for (const client of clients) client.release();
  }
});
