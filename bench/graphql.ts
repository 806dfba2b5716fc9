import { findFreePort } from '../test/harness/process.ts';
import { ABSENT_NAMES, createCallers } from './lib/callers.ts';
import { compare, type Side } from './lib/compare.ts';
import { fillLeads } from './lib/leads.ts';
import { run, waitUntilReady } from './lib/process.ts';
import { openStage } from './lib/stage.ts';

// `node bench/graphql.ts [partners|leads|total|where|pageInfo|edges]…` compares lists of GraphQL records with
// PostGraphile 5 on the same tables, which checks neither access rights nor record rules. 16 users send varied
// conditions. PostGraphile comes with `npm ci` in bench/. The bare statement of baseline/graphql.ts shows the limit.

interface Case {
  ours: string;
  theirs: string;
  lists: [ours: string, theirs: string];
  target: number;
}

const OURS = 'where: { name: { ne: $absent } }';
const THEIRS = 'name: { distinctFrom: $absent }';
const PARTNERS = `first: 80, condition: { workspaceId: 1 }, filter: { ${THEIRS} }, orderBy: [COMPLETE_NAME_ASC]`;
const LEADS = 'first: 80, orderBy: [PRIORITY_DESC, ROW_ID_DESC]';
const ACTIVE = 'condition: { workspaceId: 1, active: true }';
const LEAD = 'name type emailFrom expectedRevenue priority';
const OUR_LEAD = `id ${LEAD} createdAt stage { id name } user { id login }`;
const THEIR_LEAD = `rowId ${LEAD} createDate
  crmStageByWorkspaceIdAndStageId { rowId name } resUserByWorkspaceIdAndUserId { rowId login }`;
const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH', 'VERY_HIGH'];
const STAGE = 'Qualified';
const lead = { lists: ['crmLeads', 'allCrmLeads'], target: 2 } satisfies Partial<Case>;

const cases: Record<string, Case> = {
  partners: {
    ours: `query ($absent: String = "") { partners(first: 80, ${OURS}) { nodes { id name email phone city isCompany parent { id name } } } }`,
    theirs: `query ($absent: String = "") { allResPartners(${PARTNERS}) { nodes { rowId name email phone city isCompany
      resPartnerByWorkspaceIdAndParentId { rowId name } } } }`,
    lists: ['partners', 'allResPartners'],
    target: 2,
  },
  leads: {
    ...lead,
    ours: `query ($absent: String = "") { crmLeads(first: 80, ${OURS}) { nodes { ${OUR_LEAD} } } }`,
    theirs: `query ($absent: String = "") { allCrmLeads(${LEADS}, ${ACTIVE}, filter: { ${THEIRS} }) { nodes { ${THEIR_LEAD} } } }`,
  },
  total: {
    ...lead,
    target: 2,
    ours: `query ($absent: String = "") { crmLeads(first: 80, ${OURS}) { nodes { ${OUR_LEAD} } totalCount } }`,
    theirs: `query ($absent: String = "") { allCrmLeads(${LEADS}, ${ACTIVE}, filter: { ${THEIRS} }) { nodes { ${THEIR_LEAD} } totalCount } }`,
  },
  where: {
    ...lead,
    target: 2,
    ours: `query ($absent: String = "") { crmLeads(first: 80, where: { name: { ne: $absent }, stage: { name: { eq: "${STAGE}" } } }) { nodes { ${OUR_LEAD} } } }`,
    theirs: `query ($absent: String = "") { allCrmLeads(${LEADS}, ${ACTIVE},
      filter: { ${THEIRS}, crmStageByWorkspaceIdAndStageId: { name: { equalTo: "${STAGE}" } } }) { nodes { ${THEIR_LEAD} } } }`,
  },
  pageInfo: {
    ...lead,
    ours: `query ($absent: String = "") { crmLeads(first: 80, ${OURS}) { nodes { ${OUR_LEAD} } ${PAGE_INFO} } }`,
    theirs: `query ($absent: String = "") { allCrmLeads(${LEADS}, ${ACTIVE}, filter: { ${THEIRS} }) { nodes { ${THEIR_LEAD} } ${PAGE_INFO} } }`,
  },
  edges: {
    ...lead,
    ours: `query ($absent: String = "") { crmLeads(first: 80, ${OURS}) { edges { cursor node { ${OUR_LEAD} } } ${PAGE_INFO} } }`,
    theirs: `query ($absent: String = "") { allCrmLeads(${LEADS}, ${ACTIVE}, filter: { ${THEIRS} }) { edges { cursor node { ${THEIR_LEAD} } } ${PAGE_INFO} } }`,
  },
};

const stage = await openStage({ ROLE: 'web' }, 'bench/graphql/postgraphile.mjs');
const barePort = await findFreePort();
const bare = run('bench/baseline/graphql.ts', [], {
  DATABASE_URL: stage.databaseUrl,
  PORT: String(barePort),
  NODE_ENV: 'production',
});
let keys: string[] = [];
try {
  await waitUntilReady(`http://127.0.0.1:${barePort}/`, bare);
  await fillLeads(stage.databaseUrl, 100_000);
  keys = (await createCallers(stage)).map(({ key }) => key);
  const names = process.argv.slice(2);
  for (const name of names.length ? names : Object.keys(cases)) await runCase(name, cases[name]!);
} finally {
  await bare.stop();
  await stage.close();
}

async function runCase(name: string, { ours, theirs, lists, target }: Case): Promise<void> {
  const buildSide = (port: number, query: string, headers: Record<string, string>): Side => ({
    port,
    path: '/graphql',
    headers,
    body: JSON.stringify({ query }),
    bodies: ABSENT_NAMES.map((absent) => JSON.stringify({ query, variables: { absent } })),
  });
  const bareSide = { ...buildSide(barePort, ours, {}), path: `/${name}` };
  const sides = [
    buildSide(stage.app.port, ours, { authorization: `Bearer ${stage.userKey}` }),
    buildSide(stage.baseline.port, theirs, { accept: 'application/json' }),
  ] as const;
  const [first, second, third] = await Promise.all([
    fetchRows(sides[0], lists[0]),
    fetchRows(sides[1], lists[1]),
    fetchRows(bareSide, lists[0]),
  ]);
  for (const other of [second, third]) {
    if (first.length !== 80 || JSON.stringify(first) !== JSON.stringify(other))
      throw new Error(`${name}: not the same 80 rows: ${JSON.stringify([first[0], other[0]])}`);
  }
  await compare(name, { ...sides[0], headers: {}, keys }, sides[1], target);
  await compare(`${name}, the bare statement`, bareSide, sides[1], target);
}

/**
 * Returns the values of the rows in order. Throws on an error response, which would otherwise count as fast. Timestamps
 * and ids are normalized, because their formats differ.
 */
async function fetchRows(side: Side, list: string): Promise<unknown[]> {
  const response = await fetch(`http://127.0.0.1:${side.port}${side.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...side.headers },
    body: side.body,
  });
  const text = await response.text();
  const { data } = JSON.parse(text) as {
    data?: Record<string, { nodes?: object[]; edges?: { node: object }[] }>;
  };
  const page = data?.[list];
  if (!page) throw new Error(text.slice(0, 1000));
  return (page.nodes ?? page.edges!.map(({ node }) => node)).map(stripNames);
}

function stripNames(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return buildScalar(value);
  return Object.values(value).map(stripNames);
}

function buildScalar(value: unknown): unknown {
  // PostGraphile returns the stored value of a priority.
  if (PRIORITIES.includes(String(value))) return PRIORITIES.indexOf(String(value));
  const text = String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text.slice(0, 19);
  return Number.isFinite(Number(text)) && text !== '' ? Number(text) : text.toLowerCase();
}
