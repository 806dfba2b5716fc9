import { execFile } from 'node:child_process';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuditBlock, BLOCK_COLUMNS, computeBlockHash } from '../../schema/base/workspace/audit-block.ts';
import { chainLog } from '../../schema/base/workspace/audit-chain.ts';
import { verifyLogs } from '../../schema/base/workspace/audit-verify.ts';
import { sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { SECRET_KEY, type Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let acme: Tenant;
beforeAll(async () => {
  acme = await app.tenant('acme');
});

const run = async (text: string, ...values: unknown[]) =>
  (await app.runtime.db.pool.query(text, values)).rows as Record<string, never>[];

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

const verify = (...args: string[]) =>
  new Promise<Result>((resolve) => {
    const env = { ...process.env, DATABASE_URL: app.databaseUrl, SECRET_KEY };
    execFile(
      process.execPath,
      ['boot/cli.mjs', 'audit', 'verify', ...args],
      { env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

async function writeLines(tenant: Tenant, count: number, age: string): Promise<void> {
  const { id } = tenant.ctx.workspace;
  const max = (
    await run('select coalesce(max(id), 0) as id from svc_audit_event where workspace_id = $1', id)
  )[0]!.id;
  for (let n = 0; n < count; n++)
    expect(
      (await json2(app, 'res.company/write', { ids: [1], vals: {} }, tenant.admin.key)).status,
    ).toBeLessThan(500);
  await run(
    'update svc_audit_event set create_date = now() - $2::interval where workspace_id = $3 and id > $1',
    max,
    age,
    id,
  );
}

const verifyChanged = async ({ ctx }: Tenant) => (await verifyLogs(app.runtime, ctx.workspace))[0]!.changed;

const sealAll = async () => {
  await chainLog(app.runtime.db, app.runtime.config, 'svc_audit_event');
  await chainLog(app.runtime.db, app.runtime.config, 'svc_mcp_log');
};

const loadBlocks = () =>
  run(
    `select number, lines, workspace_id from svc_audit_block where log = 'svc_audit_event' order by workspace_id, number`,
  );

beforeEach(async () => {
  await run('delete from svc_audit_event');
  await run('delete from svc_audit_block');
  await run(`delete from installation where name like 'sealed %'`);
  for (const age of ['30 minutes', '20 minutes', '10 minutes']) {
    await writeLines(app.main, 2, age);
    if (age === '20 minutes') await writeLines(acme, 1, age);
    await sealAll();
  }
});

const getWorkspaceId = () => app.main.ctx.workspace.id;

test('builds a separate chain for each workspace, and adds blocks only for new entries', async () => {
  expect(await loadBlocks()).toEqual([
    { number: 1, lines: 2, workspace_id: getWorkspaceId() },
    { number: 2, lines: 2, workspace_id: getWorkspaceId() },
    { number: 3, lines: 2, workspace_id: getWorkspaceId() },
    { number: 1, lines: 1, workspace_id: acme.ctx.workspace.id },
  ]);
  await sealAll();
  expect(await loadBlocks()).toHaveLength(4);
});

test('succeeds for an unchanged trail', async () => {
  const { code, stdout, stderr } = await verify('--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      workspace: 'main',
      log: 'svc_audit_event',
      blocks: 3,
      purged: 0,
      lines: 6,
      last: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
    { workspace: 'main', log: 'svc_mcp_log', blocks: 0, lines: 0, last: null },
    { workspace: 'acme', log: 'svc_audit_event', blocks: 1 },
    { workspace: 'acme', log: 'svc_mcp_log', blocks: 0 },
  ]);
});

const secondLine = `select id from svc_audit_event where workspace_id = $1 order by create_date, id offset 2 limit 1`;

describe.each<[string, string, RegExp]>([
  [
    'a changed line',
    `update svc_audit_event set event = 'forged' where workspace_id = $1 and id = (${secondLine})`,
    /block 2,/,
  ],
  [
    'a line of another user',
    `update svc_audit_event set user_id = null where workspace_id = $1 and id = (${secondLine})`,
    /block 2,/,
  ],
  [
    'a deleted line',
    `delete from svc_audit_event where workspace_id = $1 and id = (${secondLine})`,
    /block 2,/,
  ],
  [
    'a line from another workspace',
    `update svc_audit_event set workspace_id = workspace_id + 1, user_id = null where workspace_id = $1 and id = (${secondLine})`,
    /block 2,/,
  ],
  [
    'a line inserted into the past',
    `insert into svc_audit_event (id, workspace_id, channel, event, success, create_date) values (nextval('svc_audit_event_id_seq'), $1, 'json', 'x', true, now() - interval '25 minutes')`,
    /block 2,/,
  ],
  [
    'a backdated line',
    `update svc_audit_event set create_date = create_date - interval '1 second' where workspace_id = $1 and id = (${secondLine})`,
    /block 2,/,
  ],
  [
    'a block rebuilt for the changed line without the key',
    `with gone as (delete from svc_audit_event where workspace_id = $1 and id = (${secondLine}))
    update svc_audit_block set lines = 1, digest = 'abc' where workspace_id = $1 and number = 2`,
    /block 2,/,
  ],
  ['a deleted block', 'delete from svc_audit_block where workspace_id = $1 and number = 2', /block 3,/],
  ['a deleted first block', 'delete from svc_audit_block where workspace_id = $1 and number = 1', /block 2,/],
  [
    'a deleted last block',
    'delete from svc_audit_block where workspace_id = $1 and number = 3',
    /the end: 2 entries/,
  ],
])('audit trail with %s', (_what, change, expected) => {
  test('is reported with the number of its block', async () => {
    await run(change, getWorkspaceId());
    expect(await verifyChanged(app.main)).toMatch(expected);
  });
});

test('detects blocks rebuilt with another key', async () => {
  const { db } = app.runtime;
  const [block] = await db.rows<AuditBlock>(
    sql`select ${BLOCK_COLUMNS} from svc_audit_block
     where workspace_id = ${getWorkspaceId()} and log = 'svc_audit_event' and number = 3`,
  );
  const hash = (secretKey: string) =>
    computeBlockHash(secretKey, getWorkspaceId(), 'svc_audit_event', block!);
  expect(hash(SECRET_KEY)).toBe(block!.hash);
  await run(
    'update svc_audit_block set hash = $2 where workspace_id = $1 and number = 3',
    getWorkspaceId(),
    hash('another secret key, as long as it'),
  );
  expect(await verifyChanged(app.main)).toMatch(/block 3,/);
});

test('exits with code 1 if any checked workspace was changed, and reports the changed block', async () => {
  await run(`update svc_audit_event set event = 'forged' where workspace_id = $1`, acme.ctx.workspace.id);
  expect((await verify('main')).code).toBe(0);
  const { code, stdout, stderr } = await verify();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^acme: svc_audit_event was changed outside of Atrium at block 1, 2/);
});

test('waits for open transactions, which may still add older entries, before it extends the chain', async () => {
  const { sealAfter } = limits.call;
  const lateClient = await app.runtime.db.pool.connect();
  try {
    Object.assign(limits.call, { sealAfter: 0 });
    await lateClient.query('begin');
    await lateClient.query('select 1');
    await writeLines(app.main, 1, '0 seconds');
    await sealAll();
    expect(await loadBlocks()).toHaveLength(4);
    await lateClient.query('rollback');
    await sealAll();
    expect(await loadBlocks()).toHaveLength(5);
  } finally {
    Object.assign(limits.call, { sealAfter });
    lateClient.release();
  }
});

/** Hash-chains blocks of two entries each, shifted so that entries older than 25 minutes may be purged. */
async function sealAtAges(...ages: string[]): Promise<void> {
  const shift = `interval '89 days 23 hours 35 minutes'`;
  await run(`delete from svc_audit_block`);
  await run(`delete from installation where name like 'sealed %'`);
  await run('delete from svc_audit_event');
  for (const age of ages) {
    await writeLines(app.main, 2, age);
    await run(
      `update svc_audit_event set create_date = create_date - ${shift} where create_date > now() - interval '1 day'`,
    );
    await sealAll();
  }
}

const findJob = (name: string) =>
  listScheduledJobs()
    .find((scheduledJob) => scheduledJob.name === name)!
    .run({ ...app.runtime }, {});

test('can verify the chain after entries are purged', async () => {
  await sealAtAges('30 minutes', '20 minutes', '10 minutes');
  await findJob('audit-prune');
  const [findingVerdict] = await verifyLogs(app.runtime, app.main.ctx.workspace);
  expect(findingVerdict).toMatchObject({ blocks: 3, purged: 1, lines: 4, changed: null });
  await run('delete from svc_audit_event where id = (select max(id) from svc_audit_event)');
  expect(await verifyChanged(app.main)).toMatch(/block 3,/);
});

test('purges a block once all entries of a later block have been purged', async () => {
  await sealAtAges('50 minutes', '40 minutes', '30 minutes', '20 minutes', '10 minutes');
  await findJob('audit-prune');
  await findJob('audit-seal');
  expect((await loadBlocks()).map(({ number }) => number)).toEqual([3, 4, 5]);
  const [findingVerdict] = await verifyLogs(app.runtime, app.main.ctx.workspace);
  expect(findingVerdict).toMatchObject({
    log: 'svc_audit_event',
    blocks: 3,
    purged: 1,
    lines: 4,
    changed: null,
  });
  await run('delete from svc_audit_block where number = 4');
  expect(await verifyChanged(app.main)).toMatch(/block 5,/);
});

test('purges blocks with only purged entries, except for the last block', async () => {
  await run(
    `update svc_audit_block set after = after - interval '91 days', since = since - interval '91 days', until = until - interval '91 days'`,
  );
  await findJob('audit-seal');
  expect((await loadBlocks()).map(({ number }) => number)).toEqual([3, 1]);
});

test('adds each entry to the chain once, even if several processes run concurrently', async () => {
  await writeLines(app.main, 3, '5 minutes');
  await Promise.all([sealAll(), sealAll(), sealAll()]);
  const counts = await run(
    `select sum(lines)::int as n from svc_audit_block where log = 'svc_audit_event' and workspace_id = $1`,
    getWorkspaceId(),
  );
  expect(counts[0]!.n).toBe(9);
  expect(await verifyChanged(app.main)).toBeNull();
});

test('chains entries that are written before a concurrent run commits', async () => {
  const { db, config } = app.runtime;
  await writeLines(app.main, 2, '5 minutes');
  let second: Promise<void> | undefined;
  await db.transaction(async (first) => {
    await chainLog(first, config, 'svc_audit_event');
    await writeLines(app.main, 2, '3 minutes');
    second = chainLog(db, config, 'svc_audit_event');
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await run(waiting)).length, { timeout: 30_000 }).toBe(1);
  });
  await second;
  expect(await verifyLogs(app.runtime, app.main.ctx.workspace)).toMatchObject([
    { blocks: 5, lines: 10, changed: null },
    { blocks: 0 },
  ]);
});
