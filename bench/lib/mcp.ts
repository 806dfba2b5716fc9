import type { Stage } from './stage.ts';

export async function enableMcp(stage: Stage): Promise<void> {
  // The rate limit is unreachable, so that agent limits do not affect the measurement.
  const unbounded = 'agentPolicySave(callsPerMinute: 1000000000) { callsPerMinute }';
  const query = `mutation { featureSet(feature: MCP, on: true) { features } ${unbounded} }`;
  await fetch(`http://127.0.0.1:${stage.app.port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.userKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
}

export const buildToolCall = (stage: Stage, name: string, args: object) => ({
  port: stage.app.port,
  path: '/mcp',
  headers: {
    authorization: `Bearer ${stage.userKey}`,
    accept: 'application/json, text/event-stream',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
});
