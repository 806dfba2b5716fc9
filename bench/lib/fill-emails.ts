import pg from 'pg';

export async function fillEmails(url: string, count: number, events = 0): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('delete from svc_email where workspace_id = 1');
    await client.query(
      `insert into svc_email (workspace_id, domain_id, public_id, "from", "to", subject, html, text, state, latest_status, create_date, write_date, run_at)
       select 1, (select min(id) from svc_domain where workspace_id = 1), 'bench' || lpad(g::text, 20, '0'), 'Bench <bench@main.localhost>',
         array['someone' || g || '@example.org'], 'Message ' || g, repeat('<p>Hello there</p>', 20), repeat('Hello there ', 20), 'sent', 'DELIVERED', t, t, t
       from generate_series(1, $1::int) g, lateral (select (now() - make_interval(secs => ($1 - g) * 17.28))::timestamp as t) at`,
      [count],
    );
    await client.query(
      `insert into svc_email_event (workspace_id, id, email_id, status, data, create_date)
       select 1, m.id * 10 + g, m.id, (array['SENT', 'DELIVERED', 'OPENED'])[g], json_build_object('timestamp', m.create_date, 'n', g), m.create_date
       from svc_email m cross join generate_series(1, $1::int) g where m.workspace_id = 1 order by m.id, g`,
      [events],
    );
    await client.query('vacuum analyze svc_email, svc_email_event');
  } finally {
    await client.end();
  }
}
