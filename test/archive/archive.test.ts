import { copyFileSync, createWriteStream, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createArchiveStream } from '../../schema/base/archive/export-archive.ts';
import { importArchive } from '../../schema/base/archive/import-archive.ts';
import { CHAINED_LOGS } from '../../schema/base/workspace/audit-block.ts';
import { verifyLogs } from '../../schema/base/workspace/audit-verify.ts';
import { checkBlobs } from '../../src/db/blobs/check.ts';
import { CALL_IDS_PER_NUMBER } from '../../src/db/id-allocator.ts';
import { sql } from '../../src/db/sql.ts';
import { decryptIfPrefixed } from '../../src/encryption.ts';
import { allocateId } from '../../src/engine/ctx/allocate-ids.ts';
import { loadSystemCtx } from '../../src/engine/ctx/system-ctx.ts';
import { recordEventRow, startDispatch } from '../../src/engine/work/events.ts';
import { create } from '../../src/engine/write/write.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { fillWorkspace, loadVisibleRecords, readArchive, startOtherInstallation } from './scene.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const PASSPHRASE = 'open sesame, thrice';
const OTHER_KEY = 'another secret key for the tests, 40 long';

const app = setUpApp();
let otherApp: App;
let before: Record<string, object[]>;
let dir: string;
let plain: string;
let encryptedArchive: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atrium archive '));
  otherApp = await startOtherInstallation(OTHER_KEY);
  await fillWorkspace(app);
  before = await loadVisibleRecords(app, 'main');
  [plain, encryptedArchive] = [join(dir, 'plain.tar.gz'), join(dir, 'sealed.tar.gz')];
  for (const [file, passphrase] of [
    [plain, null],
    [encryptedArchive, PASSPHRASE],
  ] as const)
    await pipeline(
      createArchiveStream(app.runtime, app.main.ctx.workspace.id, { passphrase }),
      createWriteStream(file),
    );
});
afterAll(async () => {
  await otherApp?.close();
  rmSync(dir, { recursive: true, force: true });
});

const options = { passphrase: null, keepKeys: false };

/** Models and fields that differ in the copy by design. */
const OTHERS: Record<string, string[] | 'all'> = {
  'svc.api.key': ['revoked_at'],
  'res.users.apikeys': 'all',
  'svc.email': ['state', 'latest_status'],
  'svc.webhook.call': ['status'],
  'svc.domain': ['status'],
  'svc.audit.event': ['request_id'],
  'svc.mcp.log': ['request_id'],
  'svc.workspace.export': 'all',
  'svc.outbox': 'all',
};

describe('a workspace archive', () => {
  test('recreates the workspace in another installation with identical API responses and new internal ids', async () => {
    const imported = await importArchive(otherApp.runtime, encryptedArchive, {
      ...options,
      slug: 'moved',
      passphrase: PASSPHRASE,
    });
    const after = await loadVisibleRecords(otherApp, 'moved');
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    const getLines = (rows: object[], { url }: App, others: string[]) =>
      rows.map((row) =>
        JSON.stringify(
          Object.fromEntries(Object.entries(row).filter(([name]) => !others.includes(name))),
        ).replaceAll(url, 'here'),
      );
    const differing = Object.entries(before).flatMap(([model, rows]) => {
      const others = OTHERS[model] ?? [];
      if (others === 'all') return [];
      const [was, is] = [getLines(rows, app, others), getLines(after[model]!, otherApp, others)];
      const index = was.findIndex((line, no) => line !== is[no]);
      return index < 0 && was.length === is.length
        ? []
        : [[model, was.length, is.length, was[index], is[index]]];
    });
    expect(differing).toEqual([]);
    const filledCount = Object.values(before).filter((rows) => rows.length > 0).length;
    expect(filledCount).toBeGreaterThan(50);
    const ws = imported.id;
    const secret = await otherApp.runtime.db.value<string>(
      sql`select secret from svc_webhook where workspace_id = ${ws}`,
    );
    const old = await app.runtime.db.value<string>(
      sql`select secret from svc_webhook where workspace_id = ${app.main.ctx.workspace.id}`,
    );
    expect(decryptIfPrefixed(OTHER_KEY, secret)).toBe(decryptIfPrefixed(app.runtime.config.secretKey, old));
    const readFiles = (targetApp: App, workspace: number) =>
      targetApp.runtime.db.rows<{ content: Buffer }>(
        sql`select record_id, content from ir_field_file where workspace_id = ${workspace}`,
      );
    expect(await readFiles(otherApp, ws)).toEqual(await readFiles(app, app.main.ctx.workspace.id));
    expect((await readFiles(otherApp, ws)).map(({ content }) => content.toString())).toEqual(['scan']);
    const ctx = (await loadSystemCtx(otherApp.runtime, 'moved')).system();
    const [next] = await create(ctx, 'res.partner', [{ name: 'new' }]);
    expect(next).toBe(Math.max(...before['res.partner']!.map((row) => (row as { id: number }).id)) + 1);
    const [call] = before['svc.webhook.call'] as { id: number }[];
    expect((await allocateId(ctx, 'svc_email')) * CALL_IDS_PER_NUMBER).toBeGreaterThan(call!.id);
    const { value } = await createRpcClients(otherApp).common(
      'authenticate',
      'moved',
      'user',
      app.main.user.password,
      {},
    );
    expect(value).toBe(app.main.user.id);
    expect((await json2(otherApp, 'res.users/context_get', {}, app.main.user.key)).status).toBe(401);
    expect(
      await checkBlobs({ db: otherApp.runtime.db, workspace: { id: ws }, runtime: otherApp.runtime }),
    ).toMatchObject({ missing: 0, wrong: 0 });
  });

  test('announces the first event of an imported workspace, although its webhook has older calls', async () => {
    const { db, identity, log } = otherApp.runtime;
    const { id: workspaceId } = (await identity.workspace('moved'))!;
    await recordEventRow(db, workspaceId, 'contact.created', { id: 'c1' });
    const [event] = await db.rows<{ id: number }>(
      sql`select id from svc_event where workspace_id = ${workspaceId}`,
    );
    expect(event).toEqual({ id: 1 });
    const dispatch = await startDispatch(db, log);
    await expect
      .poll(() =>
        db.rows(
          sql`select event_id from svc_webhook_call
           where workspace_id = ${workspaceId} and type = 'contact.created'`,
        ),
      )
      .toEqual([{ event_id: 1 }]);
    await dispatch.stop();
  });

  test('includes the verifiable audit trail and marks its entries as imported', async () => {
    const { db } = otherApp.runtime;
    // This installation has newer hash chain entries than the archive.
    await db.rows(
      sql`insert into installation (name, value)
        select 'sealed ' || log, now()::timestamp(3)::text from unnest(${Object.keys(CHAINED_LOGS)}::text[]) log
        on conflict (name) do update set value = excluded.value`,
    );
    const imported = await importArchive(otherApp.runtime, plain, { ...options, slug: 'audited' });
    const [trail] = await verifyLogs(otherApp.runtime, imported);
    expect(trail).toMatchObject({ blocks: 1, purged: 0, changed: null });
    expect(trail!.lines).toBeGreaterThan(0);
    const lines = await db.rows<{ n: number; marked: number }>(
      sql`select count(*)::int as n, (count(*) filter (where request_id like 'imported %'))::int as marked
        from svc_audit_event where workspace_id = ${imported.id}`,
    );
    expect(lines[0]).toEqual({ n: trail!.lines, marked: trail!.lines });
    await db.rows(
      sql`delete from svc_audit_event where workspace_id = ${imported.id} and id = (
        select min(id) from svc_audit_event where workspace_id = ${imported.id})`,
    );
    expect((await verifyLogs(otherApp.runtime, imported))[0]!.changed).toMatch(/block 1,/);
  });

  test('contains no unencrypted secret', async () => {
    const { db } = app.runtime;
    const id = app.main.ctx.workspace.id;
    const secrets = await db.rows<{ text: string }>(
      sql`select password as text from res_users where workspace_id = ${id} and password is not null
        union all select hash from svc_api_key where workspace_id = ${id}
        union all select secret from svc_webhook where workspace_id = ${id}
        union all select access_token from ir_attachment where workspace_id = ${id} and access_token is not null
        union all select sealed from svc_blob_key where workspace_id = ${id}`,
    );
    expect(secrets.length).toBeGreaterThan(4);
    for (const file of [plain, encryptedArchive]) {
      const inside = readArchive(file);
      for (const { text } of secrets) expect(inside.includes(text)).toBe(false);
      for (const key of [
        app.main.admin.key,
        app.main.teamKey,
        app.main.user.password,
        app.runtime.config.secretKey,
      ])
        expect(inside.includes(key)).toBe(false);
    }
    const without = await importArchive(otherApp.runtime, plain, { ...options, slug: 'bare' });
    const rows = await otherApp.runtime.db.rows(
      sql`select 1 from res_users where workspace_id = ${without.id} and password is not null`,
    );
    expect(rows).toEqual([]);
  });

  test('is rejected and stores nothing if it is truncated or changed', async () => {
    for (const [name, spoil] of [
      ['short', (file: string) => truncateSync(file, Math.floor(statSync(file).size * 0.7))],
      ['empty', (file: string) => truncateSync(file, 0)],
    ] as const) {
      const file = join(dir, name);
      copyFileSync(plain, file);
      spoil(file);
      await expect(importArchive(otherApp.runtime, file, { ...options, slug: name })).rejects.toThrow(
        /not a complete archive/,
      );
      expect(await otherApp.runtime.identity.workspace(name)).toBeNull();
      expect(await otherApp.runtime.db.rows(sql`select 1 from workspace where slug like 'import-%'`)).toEqual(
        [],
      );
    }
  });

  test('is rejected for a wrong passphrase, a taken slug or keys of another installation', async () => {
    const attempt = (overrides: object) =>
      importArchive(otherApp.runtime, encryptedArchive, { ...options, slug: 'nothing', ...overrides });
    await expect(attempt({ passphrase: 'not the passphrase' })).rejects.toThrow(/EXPORT_PASSPHRASE/);
    await expect(attempt({ slug: 'main' })).rejects.toThrow(/already exists/);
    await expect(attempt({ passphrase: PASSPHRASE, keepKeys: true })).rejects.toThrow(
      /with the same SECRET_KEY/,
    );
    const copied = { passphrase: PASSPHRASE, keepKeys: true, slug: 'copy' };
    await expect(importArchive(app.runtime, encryptedArchive, copied)).rejects.toThrow(/without --keys/);
    expect(await app.runtime.identity.workspace('copy')).toBeNull();
  });
});
