import pg from 'pg';
import { createCallers } from './lib/callers.ts';
import { compare, type Side } from './lib/compare.ts';
import { openStage } from './lib/stage.ts';

// `node bench/graphql-writes.ts [create|update|lead]…` compares mutations that return the record with PostGraphile 5 on
// the same table and columns. PostGraphile comes with `npm ci` in bench/. It checks no access rights and does not
// complete a new lead with its team, stage, probability and normalized contact.

const OURS = 'id name summary delayCount delayUnit icon category createdAt updatedAt';
const THEIRS = 'id: rowId name summary delayCount delayUnit icon category createDate writeDate';
const LEAD = 'name type priority expectedRevenue emailFrom phone city';
const CONTACT =
  'partnerName: "Northwind", emailFrom: "buyer@northwind.example", phone: "+47 1", city: "Bergen"';
const LOG = 'createDate: $at, createUid: 1, writeDate: $at, writeUid: 1';

const parts = {
  create: {
    ours: `mutation ($name: String!) { mailActivityTypeCreate(input: { name: $name, summary: "Call", delayCount: 3,
      delayUnit: WEEKS, icon: "fa-phone" }) { ${OURS} } }`,
    theirs: `mutation ($name: String!, $at: Datetime!) { createMailActivityType(input: { mailActivityType: { workspaceId: 1,
      name: $name, summary: "Call", delayCount: 3, delayUnit: "weeks", icon: "fa-phone", ${LOG} } })
      { mailActivityType { ${THEIRS} } } }`,
  },
  update: {
    ours: `mutation ($id: ID!, $name: String!) {
      mailActivityTypeUpdate(id: $id, input: { name: $name, delayCount: 5, summary: "Mail" }) { ${OURS} } }`,
    theirs: `mutation ($id: Int!, $name: String!, $at: Datetime!) {
      updateMailActivityTypeByWorkspaceIdAndRowId(input: { workspaceId: 1, rowId: $id, mailActivityTypePatch: {
        name: $name, delayCount: 5, summary: "Mail", writeDate: $at, writeUid: 1 } })
      { mailActivityType { ${THEIRS} } } }`,
  },
  lead: {
    ours: `mutation ($name: String!) { crmLeadCreate(input: { name: $name, type: OPPORTUNITY, priority: MEDIUM,
      expectedRevenue: 1200, ${CONTACT} }) { id ${LEAD} createdAt updatedAt } }`,
    theirs: `mutation ($name: String!, $at: Datetime!) { createCrmLead(input: { crmLead: { workspaceId: 1, name: $name,
      type: "opportunity", priority: "1", expectedRevenue: "1200", ${CONTACT}, ${LOG} } })
      { crmLead { id: rowId ${LEAD} createDate writeDate } } }`,
  },
};

const TYPES = 5_000;
const stage = await openStage({ ROLE: 'web' }, 'bench/graphql/postgraphile.mjs');
try {
  const ids = await fill(stage.databaseUrl);
  const keys = (await createCallers(stage, { role: 'group_system' })).map(({ key }) => key);
  const buildSide = (port: number, query: string, headers: Record<string, string>, first: number): Side => {
    const bodies = Array.from({ length: 500 }, (_, index) => {
      const now = new Date().toISOString();
      const variables = { name: `Type ${first + index}`, id: ids[first + index], at: now };
      return JSON.stringify({ query, variables: pickDeclared(query, variables) });
    });
    return { port, path: '/graphql', headers, body: bodies[0]!, bodies };
  };
  const selectedNames = process.argv.slice(2);
  for (const [name, { ours, theirs }] of Object.entries(parts)) {
    if (selectedNames.length > 0 && !selectedNames.includes(name)) continue;
    const ownSide = buildSide(stage.app.port, ours, { authorization: `Bearer ${stage.userKey}` }, 0);
    const other = buildSide(stage.baseline.port, theirs, { accept: 'application/json' }, 1_000);
    for (const item of [ownSide, other]) await checkSide(item);
    await compare(`graphql ${name}`, { ...ownSide, headers: {}, keys }, other, 1.3);
  }
} finally {
  await stage.close();
}

/** Keeps the variables that the document declares. */
function pickDeclared(query: string, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => query.includes(`$${name}:`)));
}

async function fill(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Neither side waits for the disk, which other processes on the machine share.
  await client.query('alter system set synchronous_commit = off');
  await client.query('select pg_reload_conf()');
  await client.query(
    `insert into mail_activity_type (workspace_id, name) select 1, 'Filled ' || g
     from generate_series(1, ${TYPES}) g`,
  );
  const { rows } = await client.query(
    "select id from mail_activity_type where name like 'Filled %' order by id",
  );
  await client.query('vacuum analyze mail_activity_type');
  // PostGraphile numbers rows with the sequence, and Atrium with a counter of the workspace.
  await client.query("select setval(pg_get_serial_sequence('crm_lead', 'id'), 1000000000)");
  await client.end();
  return rows.map((row: { id: number }) => row.id);
}

/** @throws Error if the response has errors, which would otherwise count as fast */
async function checkSide(side: Side): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${side.port}${side.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...side.headers },
    body: side.body,
  });
  const text = await response.text();
  const result = JSON.parse(text) as { data?: Record<string, object | null>; errors?: unknown };
  if (result.errors || !result.data || !text.includes('"name":')) throw new Error(text.slice(0, 1000));
  process.stdout.write(`${text}\n`);
}
