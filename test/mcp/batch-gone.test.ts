import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { buildRequest, postMcp, readLogLines, switchMcp } from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';
import { until } from '../harness/wait.ts';
import { waitCounter, waitingTools } from './fixtures.ts';

const app = setUpApp();
let servedApp: App;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  servedApp = (await serveMcp(app, waitingTools)) as App;
});
afterAll(() => servedApp?.close());

const listPartners = async (begin: string): Promise<string[]> => {
  const rows = await app.runtime.db.rows<{ name: string }>(
    sql`select name from res_partner
     where workspace_id = ${app.main.ctx.workspace.id} and name like ${`${begin}%`} order by id`,
  );
  return rows.map(({ name }) => name);
};

test('completes the running call of a batch whose client has disconnected, and starts no further calls', async () => {
  const names = ['Batch 1', 'Batch 2', 'Waits', 'Batch 3', 'Batch 4'];
  const batch = names.map((name, id) =>
    buildRequest('tools/call', { name: 'waiting', arguments: { name } }, id),
  );
  const client = httpRequest(`${servedApp.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${app.main.admin.key}` },
  });
  client.on('error', () => {});
  client.end(JSON.stringify(batch));
  await until(() => waitCounter.count === 1, 'the third call waits');
  expect(await listPartners('Batch')).toEqual(['Batch 1', 'Batch 2']);
  client.destroy();
  // A call is logged after it ends.
  await until(async () => (await readLogLines(app.main)).length === 3, 'the running call ends');
  const [last] = await readLogLines(app.main, 1);
  const isAdded = last!.error === null;
  expect(await listPartners('Waits')).toEqual(isAdded ? ['Waits'] : []);

  const next = [buildRequest('tools/call', { name: 'waiting', arguments: { name: 'Batch 5' } })];
  const answer = await postMcp(servedApp, next, app.main.admin.key);
  expect(answer.json()).toMatchObject([{ result: { isError: false } }]);
  expect(await listPartners('Batch')).toEqual(['Batch 1', 'Batch 2', 'Batch 5']);
  expect(await readLogLines(app.main)).toHaveLength(4);
});
