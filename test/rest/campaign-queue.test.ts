import { beforeEach, expect, test, vi } from 'vitest';
import { releaseCampaignMail } from '../../schema/email/campaigns/hold-mail.ts';
import { renew } from '../../schema/email/queue/claim.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { claimDue, runDueCampaigns } from '../harness/due.ts';
import { buildExpectedEnvelope, setUpTeam } from '../harness/facades/rest.ts';
import { renderText } from '../harness/sql.ts';
import { pause, until } from '../harness/wait.ts';

const team = setUpTeam();
let book: string;
beforeEach(async () => {
  await queryRows(`delete from svc_email where workspace_id = $1`);
  await queryRows(`delete from svc_campaign where workspace_id = $1`);
  book = await team.book();
  for (const email of ['ann@example.net', 'bob@example.net', 'carl@example.net']) await join(email);
});

const queryRows = <R = Record<string, unknown>>(text: string, params: unknown[] = []) =>
  team.runtime.db.rows<R>(sql.given(text, [team.main.ctx.workspace.id, ...params]));

const join = (email: string) =>
  team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: { email } });

const callCampaigns = (method: string, path = '', body?: unknown) =>
  team.ask(method, `/api/v1/campaigns${path}`, body === undefined ? {} : { body });

async function startCampaign(): Promise<string> {
  const { json, text } = await callCampaigns('POST', '', {
    name: 'Spring',
    from: 'News <news@main.test>',
    subject: 'Hello',
    contactBookId: book,
    html: '<a href="{{usesend_unsubscribe_url}}">leave</a>',
    sendNow: true,
  });
  expect(json.status, text).toBe('SCHEDULED');
  return json.id;
}

const getStatus = async (id: string): Promise<string> => (await callCampaigns('GET', `/${id}`)).json.status;

interface EmailRow {
  id: number;
  state: string;
  /** Physical position of the row, which changes with each update. */
  place: string;
  campaign_id: number | null;
}

const loadEmails = () =>
  queryRows<EmailRow>(
    `select id, state, ctid::text as place, campaign_id from svc_email where workspace_id = $1 order by id`,
  );

const want = { worker: 'w', limit: 10, leaseTime: 60_000 };

test('waits for a campaign whose row is locked briefly, and processes it in the same run', async () => {
  await startCampaign();
  let run: Promise<void> | undefined;
  await team.runtime.db.transaction(async (tx) => {
    await tx.rows(sql`update svc_campaign set sent = sent where workspace_id > 0`);
    run = runDueCampaigns(team.runtime);
    await pause(300);
  });
  await run;
  expect(await loadEmails()).toHaveLength(3);
});

test('creates no emails for a campaign that is paused while the run waits for its row', async () => {
  await startCampaign();
  let run: Promise<void> | undefined;
  await team.runtime.db.transaction(async (tx) => {
    await tx.rows(sql`update svc_campaign set status = 'PAUSED' where workspace_id > 0`);
    run = runDueCampaigns(team.runtime);
    await pause(300);
  });
  await run;
  expect(await loadEmails()).toEqual([]);
});

test('keeps a send time that was set during a failed run', async () => {
  const id = await startCampaign();
  const { db } = team.runtime;
  const failing = {
    ...team.runtime,
    db: {
      ...db,
      async transaction<T>(fn: (tx: typeof db) => Promise<T>): Promise<T> {
        const readRows = (query: Sql) => {
          if (/set .*last_contact_id = \$/s.test(renderText(query))) throw new Error('the database was away');
          return db.rows(query);
        };
        try {
          return await db.transaction((tx) => fn({ ...tx, rows: readRows } as never));
        } catch (error) {
          await callCampaigns('POST', `/${id}/pause`, {});
          await callCampaigns('POST', `/${id}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' });
          throw error;
        }
      },
    },
  } as never;
  await runDueCampaigns(failing);
  const [row] = await queryRows<{ next_at: string }>(
    `select next_at from svc_campaign where workspace_id = $1`,
  );
  expect(row!.next_at).toBe('2099-01-01 00:00:00');
});

test('pauses a campaign while its mail is waiting, and resumes it without adding recipients', async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  expect(await getStatus(id)).toBe('SENT');
  expect((await callCampaigns('POST', `/${id}/pause`, {})).status).toBe(200);
  expect(await getStatus(id)).toBe('PAUSED');
  expect(await claimDue(team.runtime.db, want)).toEqual([]);
  await join('dora@example.net');
  await runDueCampaigns(team.runtime);
  expect((await callCampaigns('POST', `/${id}/resume`, {})).status).toBe(200);
  expect(await getStatus(id)).toBe('SENT');
  await runDueCampaigns(team.runtime);
  expect(await loadEmails()).toHaveLength(3);
  expect(await claimDue(team.runtime.db, want)).toHaveLength(3);
});

/** Runs `fn` with a trigger that rejects updates of more than `maxRows` emails. */
async function withBatchRows(maxRows: number, fn: () => Promise<void>): Promise<void> {
  const { db } = team.runtime;
  const batch = vi.spyOn(limits.sql, 'batchRows', 'get').mockReturnValue(maxRows as never);
  await db.rows(
    sql`create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > ${sql.literal(maxRows)} then raise 'too many emails in one statement'; end if;
      return null; end $$ /* workspace_id */`,
  );
  await db.rows(
    sql`create trigger refuse_many after update on svc_email referencing new table as changed
      for each statement execute function refuse_many() /* workspace_id */`,
  );
  try {
    await fn();
  } finally {
    batch.mockRestore();
    await db.rows(sql`drop function refuse_many cascade /* workspace_id */`);
  }
}

test("holds and releases a campaign's mail in batches", async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  await withBatchRows(2, async () => {
    expect((await callCampaigns('POST', `/${id}/pause`, {})).status).toBe(200);
    expect(await claimDue(team.runtime.db, want)).toEqual([]);
    expect((await callCampaigns('POST', `/${id}/resume`, {})).status).toBe(200);
  });
  expect(await claimDue(team.runtime.db, want)).toHaveLength(3);
});

test('also holds mail that another transaction has locked during the pause', async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  await team.runtime.db.transaction(async (tx) => {
    await tx.rows(sql`update svc_email set reason = 'daily quota' where workspace_id > 0`);
    expect((await callCampaigns('POST', `/${id}/pause`, {})).status).toBe(200);
  });
  const worker = await team.deliver();
  const loadHeldIds = () =>
    queryRows(`select id from svc_email where workspace_id = $1 and run_at = 'infinity'`);
  await until(async () => (await loadHeldIds()).length === 3, 'the worker has put it back');
  expect(new Set((await loadEmails()).map(({ state }) => state))).toEqual(new Set(['queued']));
  expect((await callCampaigns('POST', `/${id}/resume`, {})).status).toBe(200);
  await until(async () => (await loadEmails()).every(({ state }) => state === 'sent'), 'it is sent');
  await worker.stop();
});

/** Runs `fn`, and `meanwhile` after each statement that reschedules waiting emails. */
async function interleaveSteps(meanwhile: () => Promise<void>, fn: () => Promise<void>): Promise<void> {
  const { db } = team.runtime;
  const { rows: run } = db;
  const batch = vi.spyOn(limits.sql, 'batchRows', 'get').mockReturnValue(1 as never);
  let steps = 0;
  db.rows = async (statement, running) => {
    const response = await run(statement, running);
    if (renderText(statement).startsWith('with changed as') && steps++ === 0) await meanwhile();
    return response as never;
  };
  try {
    await fn();
  } finally {
    db.rows = run;
    batch.mockRestore();
  }
  expect(steps).toBeGreaterThan(0);
}

test("records the outcomes of other emails while it puts the campaign's mail on hold", async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  await interleaveSteps(
    async () => {
      await runWhileLocked(async () => undefined);
    },
    async () => {
      expect((await callCampaigns('POST', `/${id}/pause`, {})).status).toBe(200);
    },
  );
  expect(await getStatus(id)).toBe('PAUSED');
  expect(await claimDue(team.runtime.db, want)).toEqual([]);
});

test.each(['resume', 'pause'])(
  'applies a %s that is requested during the opposite operation',
  async (last) => {
    const id = await startCampaign();
    await runDueCampaigns(team.runtime);
    const first = last === 'resume' ? 'pause' : 'resume';
    if (first === 'resume') expect((await callCampaigns('POST', `/${id}/pause`, {})).status).toBe(200);
    await interleaveSteps(
      async () => {
        expect((await callCampaigns('POST', `/${id}/${last}`, {})).status).toBe(200);
      },
      async () => {
        expect((await callCampaigns('POST', `/${id}/${first}`, {})).status).toBe(200);
      },
    );
    expect(await claimDue(team.runtime.db, want)).toHaveLength(last === 'resume' ? 3 : 0);
  },
);

test('releases the mail of a campaign whose resume was interrupted', async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  expect((await callCampaigns('POST', `/${id}/pause`, {})).status).toBe(200);
  await queryRows(`update svc_campaign set status = 'SENT' where workspace_id = $1`);
  expect(await claimDue(team.runtime.db, want)).toEqual([]);
  const [campaign] = await queryRows<{ id: number }>(`select id from svc_campaign where workspace_id = $1`);
  await releaseCampaignMail(team.runtime.db, team.main.ctx.workspace.id, campaign!.id);
  expect(await claimDue(team.runtime.db, want)).toHaveLength(3);
});

test('rejects pausing a campaign that has no waiting mail', async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  await queryRows(`update svc_email set state = 'sent' where workspace_id = $1`);
  const response = await callCampaigns('POST', `/${id}/pause`, {});
  expect([response.status, response.json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(response.json.message).toContain('SENT');
  expect(await getStatus(id)).toBe('SENT');
});

test('does not update sent emails when a campaign is deleted', async () => {
  const id = await startCampaign();
  await runDueCampaigns(team.runtime);
  const [first] = await loadEmails();
  await queryRows(`update svc_email set state = 'sent' where workspace_id = $1 and id = $2`, [first!.id]);
  const [before] = await loadEmails();
  expect((await callCampaigns('DELETE', `/${id}`)).status).toBe(200);
  const [after, ...waitingRows] = await loadEmails();
  expect(after).toEqual(before);
  expect(waitingRows.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
  const emails = await team.ask('POST', '/json/2/svc.email/search_read', {
    body: { domain: [['id', '=', first!.id]], fields: ['campaign_id', 'state'] },
    key: team.main.admin.key,
  });
  expect(emails.json, emails.text).toEqual([
    { id: first!.id, campaign_id: expect.anything(), state: 'sent' },
  ]);
});

/**
 * Locks an email and then its campaign, in the order of recording a result. Starts `meanwhile` between the two locks.
 */
async function runWhileLocked<T>(meanwhile: () => Promise<T>): Promise<T> {
  const [first] = await loadEmails();
  let running: Promise<T> | undefined;
  await team.runtime.db.transaction(async (tx) => {
    const ids = [team.main.ctx.workspace.id, first!.id];
    await tx.rows(
      sql.given(`update svc_email set write_date = now() where workspace_id = $1 and id = $2`, ids),
    );
    let hasEnded = false;
    running = meanwhile().finally(() => {
      hasEnded = true;
    });
    const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => hasEnded || (await tx.rows(waits)).length > 0, 'it has ended or waits');
    await tx.rows(sql`set local lock_timeout = 500`);
    await tx.rows(
      sql.given(
        `update svc_campaign c set sent = sent + 1 from svc_email e
       where e.workspace_id = $1 and e.id = $2 and c.workspace_id = e.workspace_id and c.id = e.campaign_id`,
        ids,
      ),
    );
  });
  return running!;
}

test.each(['pause', 'delete'])(
  'can %s a campaign while an outcome is recorded, without a deadlock',
  async (action) => {
    const id = await startCampaign();
    await runDueCampaigns(team.runtime);
    const response = await runWhileLocked(() =>
      action === 'delete' ? callCampaigns('DELETE', `/${id}`) : callCampaigns('POST', `/${id}/pause`, {}),
    );
    expect(response.status, response.text).toBe(200);
  },
);

test('renews leases without waiting for locks', async () => {
  await startCampaign();
  await runDueCampaigns(team.runtime);
  const ids = (await claimDue(team.runtime.db, want)).map((email) => email.id);
  expect(ids).toHaveLength(3);
  let hasEnded = false;
  await runWhileLocked(async () => {
    await renew(team.runtime.db, team.main.ctx.workspace.id, want.worker, ids, 600_000);
    hasEnded = true;
  });
  expect(hasEnded).toBe(true);
  const long = await queryRows<{ n: number }>(
    `select count(*)::int as n from svc_email where workspace_id = $1 and lease_until > now() + interval '5 minutes'`,
  );
  expect(long).toEqual([{ n: 2 }]);
});
