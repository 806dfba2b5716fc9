import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { claimDue } from '../harness/due.ts';

const app = setUpApp();

test('gives campaigns their share while another workspace sends single emails continuously', async () => {
  const { db } = app.runtime;
  const ids: number[] = [];
  for (const slug of ['aa', 'bb', 'cc', 'dd']) ids.push((await app.tenant(slug)).ctx.workspace.id);
  ids.sort((a, b) => a - b);
  const last = ids.pop()!;
  for (const id of ids)
    await db.rows(
      sql`insert into svc_email (id, workspace_id, public_id, "from", subject, campaign_id, contact_id)
       select nextval('svc_email_id_seq'), ${id}::int, 'bulk' || g, 'a@b.test', 's', 1, g from generate_series(1, 500) g`,
    );
  const claimed = new Map(ids.map((id) => [id, 0]));
  const want = { worker: 'w', limit: 14, leaseTime: 60_000 };
  for (let i = 0; i < 12; i++) {
    await db.rows(
      sql`insert into svc_email (id, workspace_id, public_id, "from", subject) values (nextval('svc_email_id_seq'), ${last}, ${`own${i}`}, 'a@b.test', 's')`,
    );
    const emails = await claimDue(db, want);
    expect(emails.map((email) => email.workspace_id)).toContain(last);
    for (const { workspace_id: id } of emails) if (id !== last) claimed.set(id, claimed.get(id)! + 1);
  }
  // Each claim leaves thirteen emails for campaigns, and each campaign has received a third of them.
  const counts = [...claimed.values()];
  expect(counts.reduce((sum, count) => sum + count)).toBe(12 * 13);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(12 * 4);
});
