import { beforeAll, expect, test } from 'vitest';
import { mcpProduct } from '../../facades/mcp/tools/index.ts';
import { post, setUpApp } from '../harness/app.ts';
import { buildRequest, switchMcp } from '../harness/facades/mcp.ts';
import { connectClient, PROXIED } from '../oauth/sign-in.ts';

const app = setUpApp(PROXIED);
beforeAll(() => switchMcp(app, app.main, true));

const grant = (user: 'admin' | 'user', granted: string[]) => async () =>
  (await connectClient(app, app.main[user], { granted })).access_token;

const SCOPE_ERROR = -31_003;
const REFUSAL = /requires the scope write|does not allow the tool|This call requires /;

interface CallAnswer {
  error?: { code: number };
  result?: { isError: boolean; content: { text: string }[] };
}

const isRefused = ({ error, result }: CallAnswer): boolean =>
  error?.code === SCOPE_ERROR || (result?.isError === true && REFUSAL.test(result.content[0]!.text));

const CALLERS: [name: string, getToken: () => Promise<string> | string][] = [
  ['mcp:read', grant('admin', ['mcp:read'])],
  ['mcp:write', grant('admin', ['mcp:write'])],
  ['mcp:read and mcp:write', grant('admin', ['mcp:read', 'mcp:write'])],
  ['mcp:read and mcp:write and ?readonly=1', grant('admin', ['mcp:read', 'mcp:write'])],
  ['mcp:read of a plain user', grant('user', ['mcp:read'])],
  ['mcp:read and mcp:write of a plain user', grant('user', ['mcp:read', 'mcp:write'])],
  ['an API key', () => app.main.admin.key],
  ['a read-only API key', () => app.main.readOnlyKey],
];

test.for(CALLERS)('lets a caller with %s call exactly the listed tools', async ([name, getToken]) => {
  const token = await getToken();
  const query = name.endsWith('?readonly=1') ? '?readonly=1' : '';
  const send = async (body: unknown) => (await post(`${app.url}/mcp${query}`, body, token)).json();
  const listed = new Map<string, { annotations: { readOnlyHint: boolean } }>(
    (await send(buildRequest('tools/list'))).result.tools.map((tool: { name: string }) => [tool.name, tool]),
  );
  expect(listed.size).toBeGreaterThan(10);
  const isReading = (name: string) => listed.get(name)?.annotations.readOnlyHint === true;
  const callAll = async (toArguments: (name: string, readsWith: string | undefined) => object) => {
    const calls = mcpProduct.tools.map(({ name, readsWith }, index) =>
      buildRequest('tools/call', { name, arguments: toArguments(name, readsWith?.argument) }, index + 1),
    );
    const answers: CallAnswer[] = await send(calls);
    return new Map(mcpProduct.tools.map(({ name }, index) => [name, answers[index]!]));
  };
  const answers = await callAll((name, readsWith) =>
    readsWith && isReading(name) ? { [readsWith]: true } : {},
  );
  const callable = [...answers].flatMap(([name, answer]) => (isRefused(answer) ? [] : name));
  expect(callable).toEqual(mcpProduct.tools.flatMap(({ name }) => (listed.has(name) ? name : [])));
  const answersToWrites = await callAll(() => ({}));
  for (const { name, readsWith } of mcpProduct.tools)
    if (readsWith && isReading(name))
      expect([name, isRefused(answersToWrites.get(name)!)]).toEqual([name, true]);
});
