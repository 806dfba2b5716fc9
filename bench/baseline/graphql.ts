import { createServer } from 'node:http';
import pg from 'pg';

// The least that a GraphQL server does for the pages of bench/graphql.ts: one prepared statement returns the response's
// JSON, and Node sends it. No GraphQL, no keys, no access rights, no record rules. Cursors are plain text.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });

const PARTNERS = `select json_build_object('partners', json_build_object('nodes', json_agg(s))) as data from (
  select t.id::text as id, t.name, t.email, t.phone, t.city, t.is_company as "isCompany",
    case when p.id is not null then json_build_object('id', p.id::text, 'name', p.name) end as parent
  from (select * from res_partner t where t.workspace_id = 1 and t.active and t.name is distinct from $1
    order by t.complete_name, t.id desc limit 80) t
  left join res_partner p on p.workspace_id = t.workspace_id and p.id = t.parent_id) s`;

const buildLeads = (
  limit: number,
  condition = '',
) => `select t.id::text as id, t.name, t.type, t.email_from as "emailFrom",
    t.expected_revenue as "expectedRevenue", t.priority, t.create_date as "createdAt",
    case when s.id is not null then json_build_object('id', s.id::text, 'name', s.name) end as stage,
    case when u.id is not null then json_build_object('id', u.id::text, 'login', u.login) end as "user"
  from (select * from crm_lead t where t.workspace_id = 1 and t.active and t.name is distinct from $1 ${condition}
    order by t.priority desc, t.id desc limit ${limit}) t
  left join crm_stage s on s.workspace_id = t.workspace_id and s.id = t.stage_id
  left join res_users u on u.workspace_id = t.workspace_id and u.id = t.user_id`;

const buildList = (fields: string, from: string) =>
  `select json_build_object('crmLeads', json_build_object(${fields})) as data from (${from}) a`;

const COUNT = `(select count(*) from crm_lead t
  where t.workspace_id = 1 and t.active and t.name is distinct from $1)`;
const PAGE_INFO = `'pageInfo', json_build_object('hasNextPage', cardinality(a.rows) > 80,
  'endCursor', a.cursors[least(80, cardinality(a.rows))])`;
const CURSOR = `s.priority || ',' || s.id`;
const QUALIFIED = `and t.stage_id in (select id from crm_stage where workspace_id = 1 and name = 'Qualified')`;

const STATEMENTS: Record<string, string> = {
  partners: PARTNERS,
  leads: buildList(`'nodes', a.rows`, `select json_agg(s) as rows from (${buildLeads(80)}) s`),
  where: buildList(`'nodes', a.rows`, `select json_agg(s) as rows from (${buildLeads(80, QUALIFIED)}) s`),
  total: buildList(
    `'nodes', a.rows, 'totalCount', ${COUNT}`,
    `select json_agg(s) as rows from (${buildLeads(80)}) s`,
  ),
  pageInfo: buildList(
    `'nodes', array_to_json(a.rows[1:80]), ${PAGE_INFO}`,
    `select array_agg(to_json(s)) as rows, array_agg(${CURSOR}) as cursors from (${buildLeads(81)}) s`,
  ),
  edges: buildList(
    `'edges', array_to_json(a.rows[1:80]), ${PAGE_INFO}`,
    `select array_agg(json_build_object('cursor', ${CURSOR}, 'node', s)) as rows,
      array_agg(${CURSOR}) as cursors from (${buildLeads(81)}) s`,
  ),
};

createServer(async (request, response) => {
  const name = request.url!.slice(1);
  if (!name) return response.end('ok');
  let body = '';
  for await (const chunk of request) body += chunk;
  const { variables } = JSON.parse(body);
  const { rows } = await pool.query({
    name,
    text: STATEMENTS[name]!,
    values: [variables?.absent ?? ''],
    types: { getTypeParser: () => (text: string) => text },
  });
  response.setHeader('content-type', 'application/json');
  response.end(`{"data":${rows[0].data}}`);
}).listen(Number(process.env.PORT), '127.0.0.1');
