import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import {
  buildModernRequest,
  buildRequest,
  createAgentKey,
  readLogLines,
  switchMcp,
} from '../harness/facades/mcp.ts';
import { pause, until } from '../harness/wait.ts';

const CALL_COUNT = 120;
const CONCURRENT_CALLS = 6;
const MAX_DELAY_MS = 300;

const app = setUpApp();
let key: string;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  ({ key } = await createAgentKey(app, 'callsPerDay: 100000, changesPerDay: 100000'));
});

/** Sends a call like a client of either era, and disconnects after a random time. */
async function callAndDisconnect(n: number): Promise<void> {
  const children = [1, 2, 3].map((child) => [0, 0, { name: `Child ${child} of ${n}` }]);
  const values = { name: `Parent ${n}`, is_company: true, child_ids: children };
  const params = { name: 'create', arguments: { model: 'res.partner', values } };
  const legacyRequest = { body: buildRequest('tools/call', params), headers: {} };
  const { body, headers } = n % 2 === 0 ? legacyRequest : buildModernRequest('tools/call', params);
  await fetch(`${app.url}/mcp`, {
    method: 'POST',
    signal: AbortSignal.timeout(Math.ceil(Math.random() * MAX_DELAY_MS)),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  })
    .then((response) => response.text())
    .catch(() => null);
}

interface StoredState {
  parents: number;
  distinct_names: number;
  children: number;
  calls: number;
  changes: number;
}

async function loadStored(): Promise<StoredState> {
  const workspace = sql.param(app.main.ctx.workspace.id);
  const [stored] = await app.runtime.db.rows<StoredState>(
    sql`select p.*, a.calls_of_day as calls, a.changes_of_day as changes
     from (select count(*) filter (where name like 'Parent %')::int as parents,
         count(distinct name) filter (where name like 'Parent %')::int as distinct_names,
         count(*) filter (where name like 'Child %' and parent_id is not null)::int as children
       from res_partner where workspace_id = ${workspace}) p, svc_agent a
     where a.workspace_id = ${workspace}`,
  );
  return stored!;
}

test('writes all or nothing, and counts what it has written, if clients disconnect at random', async () => {
  const calls = Array.from({ length: CALL_COUNT }, (_, n) => n).values();
  const runClient = async () => {
    for (const n of calls) await callAndDisconnect(n);
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, runClient));
  let previous = '';
  await until(async () => {
    await pause(500);
    const current = JSON.stringify([await loadStored(), await readLogLines(app.main, CALL_COUNT)]);
    const isSettled = current === previous;
    previous = current;
    const { pool, waiting } = app.runtime.db;
    return isSettled && waiting() === 0 && pool.idleCount === pool.totalCount;
  }, 'all calls end');
  const { parents, distinct_names, children, calls: countedCalls, changes } = await loadStored();
  const lines = await readLogLines(app.main, CALL_COUNT);
  const successCount = lines.filter(({ success }) => success).length;
  expect({ distinct_names, children, changes }).toEqual({
    distinct_names: parents,
    children: 3 * parents,
    changes: 4 * parents,
  });
  expect([successCount, countedCalls]).toEqual([parents, lines.length]);
});
