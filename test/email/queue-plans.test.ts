import { beforeAll, expect, test, vi } from 'vitest';
import { recordBlockedReason } from '../../schema/email/queue/record-blocked.ts';
import { expire } from '../../schema/email/state/expire.ts';
import type { Db } from '../../src/db/db.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { prefixStatement, renderText } from '../harness/sql.ts';
import { measureTableUse } from '../harness/table-counters.ts';

const SENT = 30_000;

const team = setUpTeam();
let domain: number;
let tries = 0;
beforeAll(async () => {
  await team.send(buildMail({ scheduledAt: '2099-01-01T00:00:00Z' }));
  domain = (await team.ask('GET', '/api/v1/domains')).json[0].id;
  const { db } = team.runtime;
  await db.rows(
    sql`insert into svc_email (id, workspace_id, public_id, domain_id, "from", subject, state, latest_status, campaign_id, contact_id)
     select nextval('svc_email_id_seq'), e.workspace_id, 'p' || g, e.domain_id, 'a@main.test', 's', 'sent', 'DELIVERED', case when g % 2 = 0 then 7 end, g
     from svc_email e cross join generate_series(1, ${SENT}::int) g where e.workspace_id > 0`,
  );
  await db.rows(sql`analyze svc_email /* workspace_id */`);
  await db.rows(
    sql`insert into svc_due (workspace_id, kind, next_at) values (${team.main.ctx.workspace.id}, 'mail', now())
     on conflict (workspace_id, kind) do update set next_at = excluded.next_at`,
  );
});

test.each<[string, () => Promise<unknown>]>([
  ['that has waited too long', () => expire(team.runtime.db, team.main.ctx.workspace.id)],
  ['that the provider holds back', () => recordBlockedReason(team.runtime.db, 'quota')],
  ['that is counted for metrics', () => team.runtime.metrics.registry.metrics()],
  ['of a deleted domain', () => team.ask('DELETE', `/api/v1/domains/${domain}`)],
])('finds mail by an index: mail %s', async (_, check) => {
  const { db } = team.runtime;
  const statements: Sql[] = [];
  const record = <Connection extends Pick<Db, 'rows'>>(connection: Connection): Connection => ({
    ...connection,
    rows: (statement: Sql) => {
      statements.push(statement);
      return connection.rows(statement);
    },
  });
  const { rows, transaction } = db;
  const spies = [
    vi.spyOn(db, 'rows').mockImplementation((statement, stoppable) => {
      statements.push(statement);
      return rows(statement, stoppable);
    }),
    vi
      .spyOn(db, 'transaction')
      .mockImplementation((fn, stoppable) => transaction((tx) => fn(record(tx)), stoppable)),
  ];
  await check();
  for (const spy of spies) spy.mockRestore();
  const looks = statements.filter((query) => /\bsvc_email\b.*state = 'queued'/s.test(renderText(query)));
  expect(looks).not.toHaveLength(0);
  for (const query of looks) {
    const plan = await db.rows<{ 'QUERY PLAN': string }>(prefixStatement('explain', query));
    const planText = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(planText).toContain('svc_email_queued');
    expect(planText).not.toMatch(/Seq Scan on svc_email\b/);
  }
});

test('cancels all waiting emails of a deleted domain', async () => {
  const { json } = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'many.test', region: 'local' },
  });
  await team.runtime.db.rows(
    sql.given(
      `insert into svc_email (id, workspace_id, public_id, domain_id, "from", subject, run_at, campaign_id, contact_id)
     select nextval('svc_email_id_seq'), $1::int, 'm' || g, $2::int, 'a@many.test', 's', 'infinity', case when g % 2 = 0 then 7 end, g + ${SENT}
     from generate_series(1, 12000) g`,
      [team.main.ctx.workspace.id, json.id],
    ),
  );
  expect((await team.ask('DELETE', `/api/v1/domains/${json.id}`)).status).toBe(200);
  const states = await team.runtime.db.rows(
    sql`select state, count(*)::int as n from svc_email where workspace_id > 0 and domain_id = ${json.id} group by state`,
  );
  expect(states).toEqual([{ state: 'cancelled', n: 12_000 }]);
});

test('queries mail once instead of once per email, even without statistics for the workspace', async () => {
  const newTenant = await team.tenant(`fresh${++tries}`);
  await team.runtime.db.rows(sql`analyze svc_email /* workspace_id */`);
  const count = 600;
  const later = buildMail({ from: `a@${newTenant.domain}`, scheduledAt: '2099-01-01T00:00:00Z' });
  for (let sent = 0; sent < count; sent += 100) {
    const response = await team.ask('POST', '/api/v1/emails/batch', {
      body: Array(100).fill(later),
      key: newTenant.teamKey,
    });
    expect(response.status, response.text).toBe(200);
  }
  const list = await team.ask('GET', '/api/v1/domains', { key: newTenant.teamKey });
  const { read, changed } = await measureTableUse(team.runtime.db, 'svc_email', async () => {
    const response = await team.ask('DELETE', `/api/v1/domains/${list.json[0].id}`, {
      key: newTenant.teamKey,
    });
    expect(response.status).toBe(200);
  });
  expect(changed).toBeGreaterThanOrEqual(count);
  expect(read).toBeLessThan(20 * count);
});
