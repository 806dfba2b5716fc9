import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { importArchive } from '../../schema/base/archive/import-archive.ts';
import { sql } from '../../src/db/sql.ts';
import { createJobs } from '../../src/engine/work/jobs.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createAgentKey } from '../harness/facades/mcp.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { until } from '../harness/wait.ts';

vi.setConfig({ testTimeout: 120_000 });

const app = setUpApp();
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atrium exports '));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const START = 'mutation { workspaceExportStart { id state done total user { login } } }';
const LINK = 'mutation ($id: ID!) { workspaceExportLink(id: $id) }';
const SHOW = 'query ($id: ID!) { workspaceExport(id: $id) { state done total size finishedAt expiresAt } }';
const getErrorCode = ({ errors }: { errors: { extensions: { code: string } }[] }) =>
  errors[0]?.extensions.code;
const createLink = (key: string, id: string) => postGraphql(app, LINK, { key, variables: { id } });
const fetchPath = (path: string, headers: Record<string, string>) => fetch(`${app.url}${path}`, { headers });

test('exports a workspace in the background, reports progress and offers the archive for download', async () => {
  const { admin } = app.main;
  const { workspaceExportStart: workspaceExport } = (await postGraphql(app, START, { key: admin.key })).data;
  expect(workspaceExport).toMatchObject({ state: 'WAITING', done: 0, total: 0, user: { login: 'admin' } });
  expect((await postGraphql(app, START, { key: admin.key })).errors[0]!.message).toMatch(/already/);
  expect(getErrorCode(await createLink(admin.key, workspaceExport.id))).toBe('NOT_FOUND');
  const worker = createJobs(app.runtime);
  await worker.start(true);
  const loadExport = async () =>
    (await postGraphql(app, SHOW, { key: admin.key, variables: { id: workspaceExport.id } })).data
      .workspaceExport;
  await until(async () => (await loadExport()).state === 'DONE', 'the export is done');
  await worker.stop();
  const exportState = await loadExport();
  expect(exportState.done).toBe(exportState.total);
  expect(exportState.total).toBeGreaterThan(100);

  const { workspaceExportLink: path } = (await createLink(admin.key, workspaceExport.id)).data;
  const cookie = await signInWeb(app, admin);
  const file = await fetchPath(path, { cookie });
  expect(file.headers.get('content-disposition')).toMatch(/main-\d{4}-\d\d-\d\d\.tar\.gz/);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.length).toBe(Number(exportState.size));
  const others: Record<string, string>[] = [
    { authorization: `Bearer ${admin.key}` },
    { cookie: await signInWeb(app, app.main.user) },
  ];
  for (const headers of others) expect((await fetchPath(path, headers)).status).toBe(404);
  expect((await fetchPath(path.replace(/hash=./, 'hash=~'), { cookie })).status).toBe(400);

  writeFileSync(join(dir, 'it'), bytes);
  const copy = await importArchive(app.runtime, join(dir, 'it'), {
    slug: 'copy',
    passphrase: null,
    keepKeys: false,
  });
  const count = await app.runtime.db.value<number>(
    sql`select count(*)::int from res_users where workspace_id = ${copy.id}`,
  );
  expect(count).toBe(2);
});

test('keeps the three latest archives and starts at most five exports a day', {
  tags: 'slow',
}, async () => {
  const { ctx, admin } = await app.tenant('often');
  const workspaceId = ctx.workspace.id;
  const worker = createJobs(app.runtime);
  await worker.start(true);
  for (let count = 0; count < 5; count++) {
    const { workspaceExportStart: workspaceExport } = (await postGraphql(app, START, { key: admin.key }))
      .data;
    const requestExport = () =>
      postGraphql(app, SHOW, { key: admin.key, variables: { id: workspaceExport.id } });
    await until(
      async () => (await requestExport()).data.workspaceExport.state === 'DONE',
      'the export is done',
    );
  }
  await worker.stop();
  const { errors } = await postGraphql(app, START, { key: admin.key });
  expect(errors[0]!.extensions.code).toBe('BUSY');
  expect(errors[0]!.message).toMatch(/5 exports per day/);
  const states = await app.runtime.db.rows<{ state: string; kept: boolean }>(
    sql`select e.state, b.hash is not null as kept from svc_workspace_export e
     left join svc_blob b on b.workspace_id = ${workspaceId} and b.hash = e.content_hash
     where e.workspace_id = ${workspaceId} order by e.id`,
  );
  const [expired, available] = [
    { state: 'expired', kept: false },
    { state: 'done', kept: true },
  ];
  expect(states).toEqual([expired, expired, available, available, available]);
  const storedBlobs = await app.runtime.db.rows(
    sql`select 1 from svc_blob where workspace_id = ${workspaceId} and starts_with(hash, '-')`,
  );
  expect(storedBlobs).toEqual([]);
});

test('rejects exports by users who are not administrators, and hides existing exports from them', async () => {
  const otherTenant = await app.tenant('curious');
  const [{ id }] = (await app.runtime.db.rows<{ id: number }>(
    sql`select id from svc_workspace_export where workspace_id = ${app.main.ctx.workspace.id}`,
  )) as [{ id: number }];
  expect(getErrorCode(await postGraphql(app, START, { key: app.main.user.key }))).toBe('FORBIDDEN');
  expect(getErrorCode(await postGraphql(app, START, { key: app.main.readOnlyKey }))).toBe('FORBIDDEN');
  expect(getErrorCode(await postGraphql(app, START, { key: app.main.teamKey }))).toBe('FORBIDDEN');
  expect(getErrorCode(await createLink(app.main.user.key, String(id)))).toBe('FORBIDDEN');
  expect(getErrorCode(await createLink(otherTenant.admin.key, String(id)))).toBe('NOT_FOUND');
  const response = await postGraphql(app, '{ workspaceExports { nodes { id } } }', {
    key: app.main.user.key,
  });
  expect(response.data.workspaceExports?.nodes ?? []).toEqual([]);
});

test("rejects exports by an agent, even with an administrator's unrestricted key", async () => {
  const { admin } = app.main;
  const { id, key } = await createAgentKey(app);
  await app.runtime.db.rows(
    sql`insert into svc_agent (workspace_id, id, user_id, kind, ref)
     values (${app.main.ctx.workspace.id}, 999, ${admin.id}, 'key', ${String(id)})`,
  );
  expect(getErrorCode(await postGraphql(app, START, { key }))).toBe('FORBIDDEN');
});
