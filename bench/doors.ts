import { compare, type Side } from './lib/compare.ts';
import { email } from './lib/email.ts';
import { openStage, type Stage } from './lib/stage.ts';
import { xmlSearch } from './lib/xml-search.ts';

// node bench/doors.ts [rest|json2|xmlrpc|mcp]…   Each door beside the raw handler, alternating, medians.

interface Door {
  target: number;
  ours(stage: Stage): Side;
  raw(stage: Stage): Side;
}

const FIELDS = ['name', 'email', 'phone', 'city', 'is_company', 'parent_id', 'write_date'];
const DOMAIN = [['is_company', '=', false]];
const rawSearch = (stage: Stage): Side => ({
  port: stage.baseline.port,
  path: '/search_read',
  headers: {},
  body: JSON.stringify({ domain: DOMAIN }),
});
const user = (stage: Stage) => ({ authorization: `Bearer ${stage.userKey}` });

const doors: Record<string, Door> = {
  rest: {
    target: 0.6,
    ours: (s) => ({
      port: s.app.port,
      path: '/api/v1/emails',
      headers: { authorization: `Bearer ${s.teamKey}` },
      body: JSON.stringify(email),
      fresh: 'Idempotency-Key',
    }),
    raw: (s) => ({
      port: s.baseline.port,
      path: '/emails',
      headers: {},
      body: JSON.stringify(email),
      fresh: 'Idempotency-Key',
    }),
  },
  json2: {
    target: 0.8,
    ours: (s) => ({
      port: s.app.port,
      path: '/json/2/res.partner/search_read',
      headers: user(s),
      body: JSON.stringify({ domain: DOMAIN, fields: FIELDS, limit: 80 }),
    }),
    raw: rawSearch,
  },
  xmlrpc: {
    target: 0.4,
    ours: (s) => xmlSearch(s, 'res.partner', DOMAIN, FIELDS),
    raw: rawSearch,
  },
  mcp: {
    target: 0.6,
    ours: (s) => ({
      port: s.app.port,
      path: '/mcp',
      headers: { ...user(s), accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'search',
          arguments: { model: 'res.partner', domain: DOMAIN, fields: FIELDS, limit: 80 },
        },
      }),
    }),
    raw: rawSearch,
  },
};

const names = process.argv.slice(2);
const stage = await openStage();
try {
  await enableMcp(stage);
  for (const name of names.length ? names : Object.keys(doors))
    await compare(name, doors[name]!.ours(stage), doors[name]!.raw(stage), doors[name]!.target);
} finally {
  await stage.close();
}

async function enableMcp(s: Stage): Promise<void> {
  const query = 'mutation { featureSet(feature: MCP, on: true) { features } }';
  await fetch(`http://127.0.0.1:${s.app.port}/graphql`, {
    method: 'POST',
    headers: { ...user(s), 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
}
