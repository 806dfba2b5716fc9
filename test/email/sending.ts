import { expect } from 'vitest';
import { releaseExpiredLeases } from '../../schema/email/queue/expired-leases.ts';
import { recordEvents } from '../../schema/email/state/email-events.ts';
import type { EmailState } from '../../schema/email/state/email-state.ts';
import type { EmailStatus } from '../../schema/email/state/email-status.ts';
import { sql } from '../../src/db/sql.ts';
import { type Ctx, createCtx } from '../../src/engine/ctx/ctx.ts';
import { call } from '../../src/engine/operation/call.ts';
import type { App } from '../harness/app.ts';
import type { ManualClock } from '../harness/clock.ts';
import { recordAllDue } from '../harness/due.ts';
import { startTeam, type Team } from '../harness/facades/rest.ts';
import { setUp } from '../harness/set-up.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until as eventually } from '../harness/wait.ts';
import { type SesOptions, type SesStandin, startSes } from '../standins/ses.ts';

export const SES_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'standin', AWS_SECRET_ACCESS_KEY: 'standin-secret' };

export const buildSesEnv = (ses: SesStandin) => ({
  MAIL_TRANSPORT: 'ses',
  AWS_REGION: 'eu-west-1',
  AWS_SES_ENDPOINT: ses.url,
  // No DNS server listens on this port. Tests that need DNS records set another address.
  DNS_SERVERS: '127.0.0.1:9',
});

/**
 * Starts an SES stub that allows `main.test` to send, for the tests of the calling file, and signs this process in to
 * it.
 */
export const setUpSes = (options?: SesOptions): SesStandin =>
  setUp(async () => {
    Object.assign(process.env, SES_CREDENTIALS);
    const ses = await startSes(options);
    ses.verify('main.test');
    return ses;
  });

/** Starts the application for the tests of the calling file, with an SES stub. */
export function setUpSending(env: Record<string, string> = {}): { ses: SesStandin; app: Team } {
  const ses = setUpSes();
  const app = setUp(() => startTeam({ ...buildSesEnv(ses), ...env }));
  return { ses, app };
}

async function createTeamCtx(targetApp: App, tenant: Tenant): Promise<Ctx> {
  return createCtx(targetApp.runtime, {
    ...(await targetApp.runtime.identity.byKey(tenant.teamKey))!,
    channel: 'rest',
    requestId: 'test',
  });
}

export async function sendEmails(
  targetApp: App,
  tenant: Tenant,
  email: object = {},
  count = 1,
): Promise<string[]> {
  const one = {
    to: ['someone@example.org'],
    from: `Sender <me@${tenant.domain}>`,
    subject: 'Subject',
    text: 'Body',
    ...email,
  };
  const ids: string[] = [];
  for (let remainingCount = count; remainingCount > 0; remainingCount -= 100) {
    const inputs = Array.from({ length: Math.min(remainingCount, 100) }, () => one);
    ids.push(...(await call(await createTeamCtx(targetApp, tenant), 'emailsSend', { inputs })));
  }
  return ids;
}

export interface EmailRow {
  state: string;
  latest_status: string;
  reason: string | null;
  provider_id: string | null;
  attempts: number;
  pending: string[];
}

export async function loadEmailRow(targetApp: App, id: string): Promise<EmailRow> {
  const [row] = await targetApp.runtime.db.rows<EmailRow>(
    sql`select state, latest_status, reason, provider_id, attempts, pending from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  return row!;
}

/** Returns the row once it matches. Advances the given clock while waiting. */
export async function untilEmail(
  targetApp: App,
  id: string,
  matches: (row: EmailRow) => boolean,
  clock?: ManualClock,
): Promise<EmailRow> {
  let now: EmailRow | undefined;
  const check = async () => {
    now = await loadEmailRow(targetApp, id);
    return matches(now);
  };
  await (clock ?? realClock).until(check, `email ${id} is as wanted`).catch((error) => {
    throw new Error(`it is ${JSON.stringify(now)}`, { cause: error });
  });
  return now!;
}

const realClock = { until: eventually };

export const waitUntilPosted = (ses: SesStandin): Promise<void> =>
  eventually(() => ses.posts() > 0, 'the provider is asked to send');

export const loadEvents = (targetApp: App, id: string) =>
  targetApp.runtime.db.rows<{ status: string; data: { error?: string; reason?: string } | null }>(
    sql`select v.status, v.data from svc_email_event v join svc_email e on e.workspace_id = v.workspace_id and e.id = v.email_id where e.public_id = ${id} order by v.id`,
  );

/** Simulates a provider event about an email. */
export async function reportStatus(
  targetApp: App,
  id: string,
  status: EmailStatus,
  data: object | null = null,
): Promise<void> {
  const [key] = await targetApp.runtime.db.rows<{ workspaceId: number; emailId: number }>(
    sql`select workspace_id as "workspaceId", id as "emailId" from svc_email
     where workspace_id > 0 and public_id = ${id}`,
  );
  await recordEvents(targetApp.runtime.db, targetApp.runtime.config, [
    { ...key!, status, data: data as never },
  ]);
}

/** Updates an email's columns. `changes` is SQL. */
export async function updateEmail(targetApp: App, id: string, changes: string): Promise<void> {
  await targetApp.runtime.db.rows(
    sql.given(`update svc_email set ${changes} where workspace_id > 0 and public_id = $1`, [id]),
  );
  await recordAllDue(targetApp.runtime.db);
}

/** Makes the outcome of an accepted email unknown, as if the worker that sent it had died. */
export async function loseEmail(targetApp: App, id: string): Promise<void> {
  await updateEmail(
    targetApp,
    id,
    `state = 'sending', attempts = attempts + 1, lease_by = 'dead', lease_until = now() - interval '1 second'`,
  );
  await releaseExpiredLeases(targetApp.runtime.db, false, []);
  expect((await loadEmailRow(targetApp, id)).state).toBe('unknown');
}

/** Moves an email through states by valid transitions that workers cannot observe. */
export const moveThroughStates = (targetApp: App, id: string, ...states: EmailState[]) =>
  targetApp.runtime.db.transaction(async (tx) => {
    for (const state of states)
      await tx.rows(sql`update svc_email set state = ${state} where workspace_id > 0 and public_id = ${id}`);
  });
