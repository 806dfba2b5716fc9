import { type AgentKeyBounds, AgentToolGroup, validateBounds } from '../../../schema/base/agent-bounds.ts';
import { rotateKey } from '../../../schema/base/keys/key-rotate.ts';
import { createKey, getPermission, revokeKey, SCOPES_BY_PERMISSION } from '../../../schema/base/keys/keys.ts';
import { sql } from '../../../src/db/sql.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { errors } from '../../../src/errors.ts';
import { formatInstantFields } from '../instant.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { runInWorkspace } from './run-in-workspace.ts';
import { getUserIdByLogin } from './user-by-login.ts';
import { findWorkspaceId } from './workspace-id.ts';

export interface KeyOptions {
  workspace: string;
  user?: string;
  team?: boolean;
  name?: string;
  expires?: string;
  readOnly?: boolean;
  sending?: boolean;
  domain?: string;
  groups?: string;
  callsPerDay?: string;
  sendsPerDay?: string;
  changesPerDay?: string;
}

export const runKeyCreate = (options: KeyOptions) => {
  const { workspace, user = null, team = false, expires = null } = options;
  return runInWorkspace(workspace, 'key.create', { user, team, expires }, (ctx) =>
    createKeyFromOptions(ctx, options),
  );
};

async function createKeyFromOptions(ctx: Ctx, options: KeyOptions) {
  const may = options.readOnly ? 'READ' : options.sending ? 'SENDING' : 'FULL';
  return createKey(ctx, {
    name: options.name ?? 'Operator key',
    userId: options.user ? await getUserIdByLogin(ctx, options.user) : null,
    scopes: SCOPES_BY_PERMISSION[may],
    domainId: options.domain === undefined ? null : await getDomainId(ctx, options.domain),
    days: options.expires === undefined ? null : parseWholeNumber(options.expires, '--expires'),
    agent: parseBounds(options),
  });
}

function parseBounds({ groups, ...options }: KeyOptions): AgentKeyBounds {
  const parseOptionalCount = (name: 'callsPerDay' | 'sendsPerDay' | 'changesPerDay') =>
    options[name] === undefined ? null : parseWholeNumber(options[name], name);
  const toolGroups = groups?.split(',').map((name) => name.trim()) ?? null;
  const unknownGroup = toolGroups?.find((name) => !AgentToolGroup.values.includes(name));
  if (unknownGroup !== undefined)
    throw errors.badRequest(
      `--groups: unknown group '${unknownGroup}'. Use one of ${AgentToolGroup.values.join(', ')}.`,
    );
  return validateBounds({
    toolGroups,
    callsPerDay: parseOptionalCount('callsPerDay'),
    sendsPerDay: parseOptionalCount('sendsPerDay'),
    changesPerDay: parseOptionalCount('changesPerDay'),
  });
}

async function getDomainId(ctx: Ctx, name: string): Promise<number> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_domain where workspace_id = ${ctx.workspace.id} and name = ${name}`,
  );
  if (!row) throw errors.notFound(`Domain ${name}`);
  return row.id;
}

interface KeyRow extends Record<string, unknown> {
  permission: string[];
}

export const runKeyList = (slug?: string) =>
  runOnRuntime(async (runtime) => {
    const workspace = await findWorkspaceId(runtime, slug);
    const rows = await runtime.db.rows<KeyRow>(
      sql`select k.id, w.slug as workspace, u.login as user, k.name, k.prefix, k.scopes as permission,
         d.name as domain, k.create_date as created, seen.used_at as last_used, k.expires_at as expires,
         k.revoked_at as revoked
       from svc_api_key k join workspace w on w.id = k.workspace_id
       left join res_users u on u.workspace_id = k.workspace_id and u.id = k.user_id
       left join svc_api_key_use seen on seen.workspace_id = k.workspace_id and seen.key_id = k.id
       left join svc_domain d on d.workspace_id = k.workspace_id and d.id = k.domain_id
       where ${workspace}::int is null or w.id = ${workspace} order by w.id, k.id`,
    );
    return rows.map((key) => ({
      ...formatInstantFields(key, 'created', 'last_used', 'expires', 'revoked'),
      permission: getPermission(key.permission),
    }));
  });

export const runKeyRevoke = (keyId: string, slug?: string) =>
  runOnKey(keyId, slug, 'key.revoke', async (ctx, id) => {
    await revokeKey(ctx, id, null);
    return { id, revoked: true };
  });

export const runKeyRotate = (keyId: string, overlap: string, slug?: string) =>
  runOnKey(keyId, slug, 'key.rotate', (ctx, id) =>
    rotateKey(ctx, id, {
      overlapHours: parseWholeNumber(overlap, '--overlap'),
      owner: null,
      isRenewed: true,
    }),
  );

/** The workspace is required if several workspaces have a key with this id. */
const runOnKey = <T>(
  keyId: string,
  slug: string | undefined,
  event: string,
  run: (ctx: Ctx, id: number) => Promise<T>,
): Promise<T> =>
  runOnRuntime(async (runtime) => {
    const id = parseWholeNumber(keyId, 'id');
    const workspace = await findWorkspaceId(runtime, slug);
    // Key ids are unique only within a workspace.
    const [row, another] = await runtime.db.rows<{ slug: string }>(
      sql`select w.slug from svc_api_key k join workspace w on w.id = k.workspace_id
       where k.id = ${id} and (${workspace}::int is null or w.id = ${workspace}) limit 2`,
    );
    if (!row) throw errors.notFound(`Key ${id}`);
    if (another)
      throw errors.badRequest(
        `Several workspaces have a key with the id ${id}. Select one with --workspace.`,
      );
    return runAudited(await loadSystemCtx(runtime, row.slug), event, { id: keyId }, (ctx) => run(ctx, id));
  });

function parseWholeNumber(value: string, label: string): number {
  if (!/^\d{1,9}$/.test(value)) throw errors.badRequest(`${label} must be a whole number.`);
  return Number(value);
}
