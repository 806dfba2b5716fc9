import { connectClient } from '../test/oauth/sign-in.ts';
import { ABSENT_NAMES, type Caller, createCallers, createKey } from './lib/callers.ts';
import { compare, type Side } from './lib/compare.ts';
import { email } from './lib/email.ts';
import { enableMcp } from './lib/mcp.ts';
import { openStage, type Stage } from './lib/stage.ts';
import { buildXmlSearch } from './lib/xml-search.ts';

// `node bench/facades.ts [rest|json2|xmlrpc|mcp|agent]…` compares each facade with the raw handler, in alternating
// rounds (medians). 16 callers have different keys. `agent` compares an agent that signed in with OAuth to
// an agent that uses an API key.

interface FacadeCase {
  target: number;
  ours(stage: Stage): Side;
  raw(stage: Stage): Side;
}

const FIELDS = ['name', 'email', 'phone', 'city', 'is_company', 'parent_id', 'write_date'];
const DOMAIN = [['is_company', '=', false]];
const varyBodies = (build: (name: string) => object): Pick<Side, 'body' | 'bodies'> => {
  const bodies = ABSENT_NAMES.map((name) => JSON.stringify(build(name)));
  return { body: bodies[0]!, bodies };
};
const buildQuery = (name: string) => ({
  domain: [...DOMAIN, ['name', '!=', name]],
  fields: FIELDS,
  limit: 80,
});
const SEARCH_CALLS = varyBodies((name) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { model: 'res.partner', ...buildQuery(name) } },
}));
const EMAILS = varyBodies((name) => ({ ...email, subject: `${email.subject} to ${name}` }));
const buildRawSearch = (stage: Stage): Side => ({
  port: stage.baseline.port,
  path: '/search_read',
  headers: {},
  ...varyBodies((name) => ({ name })),
});
const buildUserHeaders = (stage: Stage) => ({ authorization: `Bearer ${stage.userKey}` });
const getKeys = () => callers.map(({ key }) => key);

const facadeCases: Record<string, FacadeCase> = {
  rest: {
    target: 0.6,
    ours: (s) => ({
      port: s.app.port,
      path: '/api/v1/emails',
      headers: {},
      keys: senderKeys,
      ...EMAILS,
      uniqueHeader: 'Idempotency-Key',
    }),
    raw: (s) => ({
      port: s.baseline.port,
      path: '/emails',
      headers: {},
      ...EMAILS,
      uniqueHeader: 'Idempotency-Key',
    }),
  },
  json2: {
    target: 0.8,
    ours: (s) => ({
      port: s.app.port,
      path: '/json/2/res.partner/search_read',
      headers: {},
      keys: getKeys(),
      ...varyBodies(buildQuery),
    }),
    raw: buildRawSearch,
  },
  xmlrpc: {
    target: 0.65,
    ours: (s) => buildXmlSearch(s, callers, 'res.partner', DOMAIN, FIELDS),
    raw: buildRawSearch,
  },
  mcp: {
    target: 0.8,
    ours: (s) => ({
      port: s.app.port,
      path: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      keys: getKeys(),
      ...SEARCH_CALLS,
    }),
    raw: (s) => ({ port: s.baseline.port, path: '/mcp', headers: {}, ...SEARCH_CALLS }),
  },
  agent: {
    target: 0.9,
    ours: (s) => listTools(s, token),
    raw: (s) => listTools(s, s.userKey),
  },
};

const listTools = (s: Stage, bearer: string): Side => ({
  port: s.app.port,
  path: '/mcp',
  headers: { authorization: `Bearer ${bearer}`, accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
});

let token = '';
let callers: Caller[] = [];
let senderKeys: string[] = [];

const names = process.argv.slice(2);
const stage = await openStage();
try {
  await enableMcp(stage);
  token = await signIn(stage);
  callers = await createCallers(stage);
  senderKeys = await Promise.all(callers.map(() => createKey(stage)));
  for (const name of names.length ? names : Object.keys(facadeCases))
    await compare(
      name,
      facadeCases[name]!.ours(stage),
      facadeCases[name]!.raw(stage),
      facadeCases[name]!.target,
    );
} finally {
  await stage.close();
}

/** Creates a user, signs in an agent on the user's behalf, and returns the agent's access token. */
async function signIn(s: Stage): Promise<string> {
  const url = `http://127.0.0.1:${s.app.port}`;
  const person = { login: 'agent', password: 'the password of the agent' };
  const createdResponse = await fetch(`${url}/json/2/res.users/create`, {
    method: 'POST',
    headers: { ...buildUserHeaders(s), 'content-type': 'application/json' },
    body: JSON.stringify({ vals_list: [{ name: 'Agent', ...person }] }),
  });
  if (createdResponse.status !== 200) throw new Error(await createdResponse.text());
  return (await connectClient({ url }, person)).access_token;
}
