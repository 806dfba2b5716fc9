import type pg from 'pg';
import { emailBody } from './email-body.ts';

/** Creates `count` emails in the first workspace that become due at the same time. */
export async function makeDue(client: pg.Client, count: number): Promise<void> {
  await client.query(
    `insert into domain_claim (name, workspace_id) values ('main.localhost', 1) on conflict (name) do nothing`,
  );
  // The check is recent, so the worker does not query the provider.
  await client.query(
    `insert into svc_domain (workspace_id, name, region, status, checked_at) values (1, 'main.localhost', 'eu-west-1', 'SUCCESS', now())
     on conflict (workspace_id, name) do nothing`,
  );
  await client.query(
    `insert into svc_email (workspace_id, domain_id, public_id, "from", "to", subject, html, text, run_at)
     select 1, (select id from svc_domain where workspace_id = 1), 'bench' || gen_random_uuid(), 'Bench <bench@main.localhost>', '{someone@example.org}', 'A message', $2, $3, 'infinity' from generate_series(1, $1::int)`,
    [count, emailBody.html, emailBody.text],
  );
  await client.query('vacuum analyze svc_email');
  await client.query(`update svc_email set run_at = now() at time zone 'UTC' where state = 'queued'`);
  await client.query(
    `insert into svc_due (workspace_id, kind, next_at) values (1, 'mail', now() at time zone 'UTC')
     on conflict (workspace_id, kind) do update set next_at = excluded.next_at, version = svc_due.version + 1`,
  );
}

export async function waitUntilSent(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select 1 from svc_email where state in ('queued', 'sending') limit 1`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function assertAllSent(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select state, count(*)::int as n, max(reason) as reason from svc_email group by state`,
  );
  if (rows.some((row) => row.state !== 'sent')) throw new Error(`not all were sent: ${JSON.stringify(rows)}`);
  await client.query('truncate svc_email cascade');
}
