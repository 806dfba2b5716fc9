import { compare, type Side } from './lib/compare.ts';
import { enableMcp } from './lib/mcp.ts';
import { openStage } from './lib/stage.ts';

// `node bench/mcp.ts [current_time|list]…` compares /mcp with the official server SDK, version 2, in alternating rounds
// (medians). bench/facades.ts compares `search` with a raw handler.

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const request = (method: string, params: object, name?: string): Pick<Side, 'headers' | 'body'> => ({
  headers: {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(name && { 'mcp-name': name }),
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
});

const CASES = {
  current_time: {
    target: 3,
    path: '/one',
    ...request('tools/call', { name: 'current_time', arguments: {} }, 'current_time'),
  },
  list: { target: 5, path: '/all', ...request('tools/list', {}) },
};

const names = process.argv.slice(2) as (keyof typeof CASES)[];
const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/mcp-sdk.mjs');
try {
  await enableMcp(stage);
  for (const name of names.length ? names : (Object.keys(CASES) as (keyof typeof CASES)[])) {
    const { target, path, headers, body } = CASES[name];
    const key = { authorization: `Bearer ${stage.userKey}` };
    const ours = { port: stage.app.port, path: '/mcp', headers: { ...headers, ...key }, body };
    await compare(name, ours, { port: stage.baseline.port, path, headers, body }, target);
  }
} finally {
  await stage.close();
}
