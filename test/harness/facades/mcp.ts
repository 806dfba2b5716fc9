import { expect } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { createCtx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { getCallLog } from '../../../src/engine/operation/call-log.ts';
import { type App, post } from '../app.ts';
import type { Tenant } from '../tenant.ts';
import { queryData } from './graphql.ts';

export const MODERN = '2026-07-28';

export async function switchMcp(app: App, tenant: Tenant, isOn: boolean): Promise<void> {
  const caller = await app.runtime.identity.byKey(tenant.admin.key);
  await call(createCtx(app.runtime, { ...caller!, channel: 'web', requestId: 'test' }), 'featureSet', {
    feature: 'mcp',
    on: isOn,
  });
  app.runtime.identity.invalidate();
}

/** Creates an agent's key of the user whose key is `owner`. `bounds` are arguments of the mutation. */
export const createAgentKey = async (
  app: App,
  bounds = '',
  owner = app.main.admin.key,
): Promise<{ key: string; id: string }> => {
  const create = `mutation { keyCreate(name: "agent"${bounds && `, ${bounds}`}) { key id } }`;
  return (await queryData(app, create, { key: owner })).keyCreate;
};

export const postMcp = (app: App, body: unknown, key?: string, headers: Record<string, string> = {}) =>
  post(`${app.url}/mcp`, body, key, headers);

export const buildRequest = (method: string, params?: object, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});

/** Calls a tool like a legacy client. @returns the result, or the protocol error */
export async function runTool(
  app: App,
  key: string,
  name: string,
  args: object = {},
): Promise<ToolResult & { code?: number; message?: string }> {
  return removeFence(await RAW_ERAS.legacy(app, key, name, args));
}

/**
 * Removes the notice and the markers of untrusted content. Checks that both forms of the result are equal.
 * test/mcp/untrusted.test.ts tests the markers.
 */
function removeFence<Result extends ToolResult>(result: Result): Result {
  if (!result.structuredContent?._notice) return result;
  const entries = Object.entries(result.structuredContent);
  expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
  expect([entries[1]![0], entries.at(-1)![0]]).toEqual([
    expect.stringMatching(/^untrusted_\w+_begins$/),
    expect.stringMatching(/^untrusted_\w+_ends$/),
  ]);
  const structuredContent = Object.fromEntries(entries.slice(2, -1));
  return {
    ...result,
    structuredContent,
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  };
}

export interface ToolResult {
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the tool
  structuredContent: any;
  isError: boolean;
}

export function buildModernRequest(
  method: string,
  params: Record<string, unknown> = {},
  id: string | number = 1,
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params.name ?? params.uri;
  return {
    body: buildRequest(method, { ...params, _meta: meta }, id),
    headers: { 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) } as Record<
      string,
      string
    >,
  };
}

export async function readLogLines({ ctx }: Tenant, limit = 50) {
  // During a burst, calls that only read do not wait for their lines.
  await getCallLog(ctx.runtime).waitUntilWritten();
  return ctx.db.rows<Record<string, unknown>>(
    sql`select * from svc_mcp_log where workspace_id = ${ctx.workspace.id} order by id desc limit ${limit}`,
  );
}

/** Adds `count` contacts named `name 0001` and so on. */
export const addContacts = (tenant: Tenant, name: string, count: number) =>
  tenant.ctx.db.rows<{ id: number }>(
    sql`insert into res_partner (id, workspace_id, name, complete_name, email)
     select nextval('res_partner_id_seq'), ${tenant.ctx.workspace.id}, ${name} || ' ' || lpad(n::text, 4, '0'), ${name} || ' ' || lpad(n::text, 4, '0'), 'c' || n || '@example.org'
     from generate_series(1, ${count}::int) n returning id`,
  );

/** Calls a tool like clients of either era. @returns the result, or the protocol error */
export const RAW_ERAS = {
  legacy: async (app: App, key: string, name: string, args: object = {}): ReturnType<typeof runTool> => {
    const { result, error } = (
      await postMcp(app, buildRequest('tools/call', { name, arguments: args }), key)
    ).json();
    return result ?? error;
  },
  modern: async (app: App, key: string, name: string, args: object = {}): ReturnType<typeof runTool> => {
    const { body, headers } = buildModernRequest('tools/call', { name, arguments: args });
    const { result, error } = (await postMcp(app, body, key, headers)).json();
    return result ?? error;
  },
};

/** Like `RAW_ERAS`, without the markers of untrusted content. */
export const ERAS = {
  legacy: runTool,
  modern: async (...call: Parameters<typeof runTool>): ReturnType<typeof runTool> =>
    removeFence(await RAW_ERAS.modern(...call)),
};
