import pg from 'pg';
import { advanceSequences } from './stage.ts';

/** Adds leads to workspace 1 up to `count`, in four stages. Two of three are opportunities. */
export async function fillLeads(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await insertLeads(client, count);
  } finally {
    await client.query(advanceSequences(['crm_lead']));
    await client.end();
  }
}

async function insertLeads(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `insert into crm_lead (workspace_id, name, type, partner_name, email_from, phone, city, expected_revenue, probability, priority, stage_id, user_id, create_uid, write_uid, create_date)
     select 1, 'Lead ' || g, case when g % 3 = 0 then 'lead' else 'opportunity' end, 'Company ' || g % 20000, 'buyer' || g || '@company.example',
       '+47 ' || g, 'City ' || g % 100, g % 1000 * 10, g % 100, (g % 4)::text, s.ids[1 + g % cardinality(s.ids)], u.id, u.id, u.id,
       now() - make_interval(mins => (g % 500000)::int)
     from generate_series((select count(*) + 1 from crm_lead where workspace_id = 1), $1::int) g,
       (select array_agg(id order by sequence) as ids from crm_stage where workspace_id = 1) s,
       (select min(id) as id from res_users where workspace_id = 1 and login = 'admin') u`,
    [count],
  );
  await client.query('vacuum analyze crm_lead');
}
