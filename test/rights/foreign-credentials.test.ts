import { beforeAll, describe, expect, it } from 'vitest';
import { createIdentitySource } from '../../schema/base/users/identity-load.ts';
import type { Database } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import {
  computeKeyedHash,
  generateKey,
  generateToken,
  parseKeyPrefix,
  parsePrefixWorkspace,
  parseTokenWorkspace,
} from '../../src/engine/value/keys.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { parseJson, postWeb, signInWeb } from '../harness/facades/web.ts';
import { SECRET_KEY, type Tenant } from '../harness/tenant.ts';

// Keys and sessions name their workspace, so that lookups are limited to it.

const app = setUpApp();
let otherTenant: Tenant;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
});

const requestStatus = async (key: string) => (await json2(app, 'res.users/context_get', {}, key)).status;
const getSessionInfo = async (token: string) =>
  parseJson(await postWeb(app, '/web/session/get_session_info', {}, { cookie: `session_id=${token}` }));
const getSessionUser = async (token: string) => (await getSessionInfo(token)).result?.uid;
const createToken = async () => (await signInWeb(app)).slice('session_id='.length);

function moveKey(workspaceId: number, key: string): string {
  const { prefix } = generateKey('uk', workspaceId);
  const digits = workspaceId.toString(36).length + 1;
  return `${prefix.slice(0, 3 + digits)}${key.slice(3 + digits)}`;
}
function moveToken(workspaceId: number, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes.writeUInt32BE(workspaceId);
  return bytes.toString('base64url');
}

async function recordLookups(find: (source: ReturnType<typeof createIdentitySource>) => Promise<unknown>) {
  const sent: { text: string; params: unknown[] }[] = [];
  const { db, catalogs } = app.runtime;
  const readRows: Database['rows'] = (statement, running) => {
    sent.push(statement.render());
    return db.rows(statement, running);
  };
  expect(await find(createIdentitySource({ ...db, rows: readRows }, catalogs))).not.toBeNull();
  return sent;
}

describe('an API key', () => {
  it.each([1, 35, 36, 46_655, 60_466_176, 2_147_483_647])('contains workspace %i in its prefix', (id) => {
    const { key, prefix } = generateKey('us', id);
    expect(key).toMatch(/^us_[0-9a-z]{10}_[0-9a-f]{32}$/);
    expect(parseKeyPrefix(key)).toBe(prefix);
    expect(parsePrefixWorkspace(prefix)).toBe(id);
  });

  it.each(['uk_abcdefghij', 'uk_0000000000', 'uk_u0aaaaaaaa', 'uk_zzzzzzzaaa', 'uk_9123456789'])(
    'does not contain a workspace in %s',
    (prefix) => {
      expect(parsePrefixWorkspace(prefix)).toBeNull();
    },
  );

  it('is looked up only in its own workspace', async () => {
    const { key } = app.main.admin;
    const prefix = parseKeyPrefix(key)!;
    const sent = await recordLookups((source) => source.key(prefix, computeKeyedHash(SECRET_KEY, key)));
    expect(parsePrefixWorkspace(prefix)).toBe(app.main.ctx.workspace.id);
    expect(sent).toHaveLength(2);
    for (const { text, params } of sent) {
      expect(text).toMatch(/\bworkspace_id = \$1\b/);
      expect(text).not.toMatch(/workspace_id = [a-z]/);
      expect(params[0]).toBe(app.main.ctx.workspace.id);
    }
  });

  it('is rejected if its workspace is replaced', async () => {
    const { key } = app.main.admin;
    const altered = moveKey(otherTenant.ctx.workspace.id, key);
    expect(parsePrefixWorkspace(parseKeyPrefix(altered)!)).toBe(otherTenant.ctx.workspace.id);
    expect(altered.slice(-32)).toBe(key.slice(-32));
    expect([await requestStatus(key), await requestStatus(altered), await requestStatus(key)]).toEqual([
      200, 401, 200,
    ]);
  });

  it('is rejected if its workspace is replaced, even if a key there has the same prefix', async () => {
    const { key } = app.main.user;
    const altered = moveKey(otherTenant.ctx.workspace.id, key);
    await app.runtime.db.rows(
      sql`update svc_api_key set prefix = ${parseKeyPrefix(altered)}
       where workspace_id = ${otherTenant.ctx.workspace.id} and prefix = ${parseKeyPrefix(otherTenant.admin.key)}`,
    );
    expect(await requestStatus(altered)).toBe(401);
  });

  it.each(['uk_qqqqqqqqqq', 'uk_u2aaaaaaaa'])(
    'is accepted from another installation, as %s',
    async (prefix) => {
      const key = `${prefix}_${'5'.repeat(32)}`;
      await app.runtime.db.rows(
        sql`update svc_api_key set prefix = ${prefix}, hash = ${computeKeyedHash(SECRET_KEY, key)}
       where workspace_id = ${app.main.ctx.workspace.id} and prefix = ${parseKeyPrefix(app.main.readOnlyKey)}`,
      );
      expect(await requestStatus(key)).toBe(200);
      await app.runtime.db.rows(
        sql`update svc_api_key set prefix = ${parseKeyPrefix(app.main.readOnlyKey)}
       where workspace_id = ${app.main.ctx.workspace.id} and prefix = ${prefix}`,
      );
      await expect.poll(() => requestStatus(key)).toBe(401);
    },
  );
});

describe('a session token', () => {
  it('contains its workspace, and is looked up only there', async () => {
    const token = await createToken();
    expect(parseTokenWorkspace(token)).toBe(app.main.ctx.workspace.id);
    const [sent, ...rest] = await recordLookups((source) =>
      source.session(computeKeyedHash(SECRET_KEY, token), parseTokenWorkspace(token)),
    );
    expect(sent!.text).toContain('s.workspace_id = $1');
    expect(rest).toHaveLength(1);
  });

  it('is rejected if its workspace is replaced', async () => {
    const token = await createToken();
    expect(await getSessionUser(token)).toBe(app.main.admin.id);
    expect(await getSessionUser(moveToken(otherTenant.ctx.workspace.id, token))).toBeUndefined();
    expect(await getSessionUser(token)).toBe(app.main.admin.id);
  });

  it('is found only in the workspace that it contains', async () => {
    const nowhere = Buffer.alloc(32, 0xee).toString('base64url');
    expect(parseTokenWorkspace(nowhere)).toBeNull();
    const elsewhere = moveToken(otherTenant.ctx.workspace.id, nowhere);
    for (const token of [nowhere, elsewhere]) {
      const caller = await app.runtime.identity.byKey(app.main.user.key);
      await app.runtime.identity.openSession(app.runtime.db, caller!, {
        hash: computeKeyedHash(SECRET_KEY, token),
        address: '192.0.2.1',
        userAgent: null,
      });
      expect(await getSessionUser(token)).toBeUndefined();
    }
  });

  it('has the same length for any workspace', () => {
    expect(generateToken(2_147_483_647)).toMatch(/^[\w-]{43}$/);
  });
});
