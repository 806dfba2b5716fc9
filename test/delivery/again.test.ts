import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createSmtpTransport } from '../../src/delivery/smtp.ts';
import type { Team } from '../harness/doors/rest.ts';
import { type SmtpStandin, startSmtp } from '../standins/smtp.ts';
import { change, events, row, type Stage, send, startSending, takeThrough, until } from './sending.ts';

let stage: Stage;
let app: Team;
let relay: SmtpStandin;

beforeAll(async () => {
  stage = await startSending();
  app = stage.app;
  relay = await startSmtp();
});
beforeEach(async () => {
  relay.refuse.clear();
  relay.received.length = 0;
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});
afterAll(async () => {
  await stage?.end();
  await relay?.close();
});

const again = (id: string) =>
  app.graphql(`mutation { emailSendAgain(id: "${id}") { id state latestStatus } }`);
const all = (args = '') =>
  app.graphql(`mutation { emailsSendAgain(startDate: "2020-01-01T00:00:00Z" ${args}) { queued hasMore } }`);
const viaRelay = () => app.deliver({ transport: createSmtpTransport({ url: relay.url }) });

async function failed(reason = 'because'): Promise<string> {
  const [id] = await send(app, app.main);
  await takeThrough(app, id!, 'sending', 'failed');
  await change(app, id!, `latest_status = 'FAILED', reason = '${reason}'`);
  return id!;
}

test('an email that has failed is sent again on demand, once', async () => {
  const id = await failed();
  const { data } = await again(id);
  expect(data.emailSendAgain).toEqual({ id, state: 'QUEUED', latestStatus: 'QUEUED' });
  expect((await again(id)).errors[0]!.message).toContain('it is queued');
  const worker = await viaRelay();
  expect(await until(app, id, ({ state }) => state === 'sent')).toMatchObject({ latest_status: 'SENT' });
  await worker.stop();
  expect(relay.received).toHaveLength(1);
  expect((await events(app, id)).map(({ status }) => status)).toEqual(['QUEUED', 'SENT']);
});

test('of an email that reached some of its recipients the others get it, and nobody gets it twice', async () => {
  relay.refuse.set('no@example.net', { code: 550, text: '5.7.1 blocked' });
  const worker = await viaRelay();
  const [id] = await send(app, app.main, { to: ['ann@example.net', 'no@example.net'] });
  await until(app, id!, ({ state }) => state === 'sent');
  relay.refuse.clear();
  // The worker may be quicker than the answer.
  expect(['QUEUED', 'SENDING', 'SENT']).toContain((await again(id!)).data.emailSendAgain.state);
  await until(app, id!, ({ state }) => state === 'sent');
  expect((await again(id!)).errors[0]!.message).toContain('it is sent');
  await worker.stop();
  expect(relay.received.map(({ recipients }) => recipients)).toEqual([
    ['ann@example.net'],
    ['no@example.net'],
  ]);
});

test('an email whose content has been purged is not sent empty', async () => {
  const id = await failed();
  await change(app, id, 'html = null, text = null');
  expect((await again(id)).errors[0]!.message).toContain('purged');
  expect((await all()).data.emailsSendAgain).toEqual({ queued: 0, hasMore: false });
});

test('failed emails are sent again by time, reason and domain, and the trail says so', async () => {
  const paused = await failed('SendingPausedException: paused');
  const other = await failed('other');
  expect((await all('endDate: "2020-01-02T00:00:00Z"')).data.emailsSendAgain.queued).toBe(0);
  expect((await all('domainIds: ["999999"]')).data.emailsSendAgain.queued).toBe(0);
  expect((await all('reasonContains: "sendingpaused"')).data.emailsSendAgain).toEqual({
    queued: 1,
    hasMore: false,
  });
  expect([(await row(app, paused)).state, (await row(app, other)).state]).toEqual(['queued', 'failed']);
  expect((await all()).data.emailsSendAgain.queued).toBe(1);
  expect((await all(`reasonContains: "${'x'.repeat(201)}"`)).errors[0]!.message).toContain('200');
  const trail = await app.runtime.db.rows(
    sql`select 1 from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id} and event = 'email.send_again'`,
  );
  expect(trail.length).toBeGreaterThan(0);
});

test('an email that may have gone out is left to a person', async () => {
  const id = await failed();
  await app.runtime.db.rows(
    sql`insert into svc_email_event (workspace_id, email_id, status, data)
     select workspace_id, id, 'DELIVERY_DELAYED', '{"reason":"reset"}' from svc_email
     where workspace_id > 0 and public_id = ${id}`,
  );
  expect((await all()).data.emailsSendAgain.queued).toBe(0);
  expect((await again(id)).data.emailSendAgain).toMatchObject({ state: 'QUEUED' });
});

const unsuppress = (email: string) =>
  app.runtime.db.rows(
    sql`delete from svc_suppression where workspace_id = ${app.main.ctx.workspace.id} and email = ${email}`,
  );

test('suppressed mail is sent again once its recipient is off the list, singly and in bulk', async () => {
  await app.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, email, reason)
     select ${app.main.ctx.workspace.id}, email, 'MANUAL' from unnest(${['ann@example.net', 'bob@example.net']}::text[]) email`,
  );
  const [ann] = await send(app, app.main, { to: ['Ann <Ann@example.net>'], cc: ['bob@example.net'] });
  const [bob] = await send(app, app.main, { to: ['bob@example.net'] });
  expect((await again(ann!)).errors[0]!.message).toContain('still on the suppression list');
  expect((await all('suppressed: true')).data.emailsSendAgain).toEqual({ queued: 0, hasMore: false });
  await unsuppress('ann@example.net');
  expect((await again(ann!)).data.emailSendAgain).toMatchObject({ state: 'QUEUED', latestStatus: 'QUEUED' });
  await app.runtime.db.rows(
    sql`update svc_suppression set expires_at = now() - interval '1 second'
     where workspace_id = ${app.main.ctx.workspace.id} and email = 'bob@example.net'`,
  );
  expect((await all()).data.emailsSendAgain.queued).toBe(0);
  expect((await all('suppressed: true')).data.emailsSendAgain.queued).toBe(1);
  const worker = await viaRelay();
  for (const id of [ann!, bob!])
    expect(await until(app, id, ({ state }) => state === 'sent')).toMatchObject({ latest_status: 'SENT' });
  await worker.stop();
  expect(relay.received.map(({ recipients }) => recipients).sort()).toEqual([
    ['Ann@example.net', 'bob@example.net'],
    ['bob@example.net'],
  ]);
});

test.each([
  ['failed', ['sending', 'failed'], true, 1],
  ['unknown', ['sending', 'unknown'], true, 0],
  ['sent', ['sending', 'sent'], false, 0],
  ['cancelled', ['cancelled'], false, 0],
  ['suppressed', ['sending', 'suppressed'], true, 1],
] as const)('an email that is %s: whether it is sent again', async (state, way, isSent, queued) => {
  const ids = await send(app, app.main, {}, 2);
  for (const id of ids) await takeThrough(app, id, ...way);
  const { data, errors } = await again(ids[0]!);
  if (isSent) expect(data.emailSendAgain.state).toBe('QUEUED');
  else expect(errors[0]!.message).toContain(`it is ${state}`);
  expect((await all('suppressed: true')).data.emailsSendAgain.queued).toBe(queued);
});
