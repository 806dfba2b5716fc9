import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { runCli } from '../harness/cli.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';

const app = setUpApp();

const queryAsAdmin = (query: string, variables: object = {}) =>
  postGraphql(app, query, { key: app.main.admin.key, variables });
const INVITE = `mutation ($email: String!, $groups: [ID!], $boxes: [ID!]) {
  userInvite(email: $email, name: "Ada", groupIds: $groups, mailboxIds: $boxes) { id state email expiresAt }
}`;
const invite = async (email: string, groups: string[] = [], boxes: string[] = []) => {
  const response = await queryAsAdmin(INVITE, { email, groups, boxes });
  expect(response.errors).toEqual([]);
  return response.data.userInvite;
};
const loadMails = (email: string) =>
  app.runtime.db.rows<{ html: string; text: string }>(
    sql`select html, text from svc_email where workspace_id = ${app.main.ctx.workspace.id} and ${email} = any("to")
     order by id`,
  );
const findInvitationLink = async (email: string): Promise<string> =>
  (await loadMails(email)).at(-1)!.text.match(/http:\S+/)![0];
/** Submits the form and opens the page that shows the result. */
async function join(link: string, fields: object): Promise<Response> {
  const response = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams({ ...fields }),
    redirect: 'manual',
  });
  if (response.status !== 303) return response;
  const [cookie] = response.headers.get('set-cookie')!.split(';');
  const page = new URL(response.headers.get('location')!, app.url);
  return fetch(page, { headers: { accept: 'text/html', cookie: cookie! } });
}
const CHOSEN = { name: 'Ada Byron', password: 'engine no. 1', again: 'engine no. 1' };
const getInvitationState = async (id: string) =>
  (
    await queryAsAdmin(
      'query ($id: ID!) { userInvitation(id: $id) { state user { login } groups { nodes { name } } } }',
      { id },
    )
  ).data.userInvitation;
/** Backdates the last email by a few minutes. */
const moveBack = (id: string) =>
  app.runtime.db.rows(
    sql`update svc_user_invitation set sent_at = sent_at - interval '5 minutes'
     where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(id)}`,
  );

test('lets an invited user set a password with a single-use link and join groups and mailboxes', async () => {
  const group = (await queryAsAdmin('mutation { groupCreate(input: { name: "Testers" }) { id } }')).data
    .groupCreate;
  const { id: domain } = (await queryAsAdmin('{ sendingDomains(first: 1) { nodes { id } } }')).data
    .sendingDomains.nodes[0];
  const sharedResponse = await queryAsAdmin(
    `mutation ($domain: ID!) {
      mailboxCreateShared(local: "sales", name: "Sales", domainId: $domain, memberUserIds: []) { accountId error }
    }`,
    { domain },
  );
  const box = sharedResponse.data.mailboxCreateShared.accountId;
  const invitation = await invite('Ada@example.org', [group.id], [box]);
  expect(invitation).toMatchObject({ state: 'WAITING', email: 'ada@example.org' });
  const link = await findInvitationLink('ada@example.org');
  const page = await fetch(link, { headers: { accept: 'text/html' } });
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toMatch(/ada@example\.org[\s\S]*value="Ada"/);
  expect((await getInvitationState(invitation.id)).state).toBe('WAITING');

  for (const [fields, message] of [
    [{ ...CHOSEN, again: 'another one' }, 'The passwords don&#39;t match.'],
    [{ ...CHOSEN, password: 'short', again: 'short' }, 'at least 8 characters'],
    [{ ...CHOSEN, name: ' ' }, 'A name must have'],
  ] as const) {
    const response = await join(link, fields);
    expect([response.status >= 400, await response.text()]).toEqual([true, expect.stringContaining(message)]);
  }
  const joinedResponse = await join(link, CHOSEN);
  expect([joinedResponse.status, await joinedResponse.text()]).toEqual([
    200,
    expect.stringContaining('Welcome'),
  ]);
  expect(await signInWeb(app, { login: 'ada@example.org', password: CHOSEN.password })).toMatch(/session_id/);
  expect(await getInvitationState(invitation.id)).toMatchObject({
    state: 'ACCEPTED',
    user: { login: 'ada@example.org' },
  });
  const [user] = await app.main.ctx.db.rows<{ name: string; groups: string[]; boxes: number }>(
    sql`select p.name, array(select g.name from res_groups_users_rel r
           join res_groups g on g.workspace_id = ${app.main.ctx.workspace.id} and g.id = r.gid
           where r.workspace_id = ${app.main.ctx.workspace.id} and r.uid = u.id) as groups,
         (select count(*)::int from svc_mail_member m where m.workspace_id = ${app.main.ctx.workspace.id}
           and m.user_id = u.id and m.account_id = ${Number(box)}) as boxes
       from res_users u join res_partner p on p.workspace_id = ${app.main.ctx.workspace.id} and p.id = u.partner_id
       where u.workspace_id = ${app.main.ctx.workspace.id} and u.login = 'ada@example.org'`,
  );
  expect(user).toMatchObject({ name: 'Ada Byron', boxes: 1 });
  expect(user!.groups).toHaveLength(2);

  for (const repeatedResponse of [await fetch(link), await join(link, CHOSEN)])
    expect(repeatedResponse.status).toBe(410);
  expect((await queryAsAdmin(INVITE, { email: 'ada@example.org' })).errors[0]).toMatchObject({
    message: expect.stringContaining('is already a user'),
  });
});

test('replaces the link when an invitation is resent, and disables it when it is revoked or expires', async () => {
  const { id } = await invite('bob@example.org');
  const resend = 'mutation ($id: ID!) { userInvitationResend(id: $id) { state } }';
  const revoke = 'mutation ($id: ID!) { userInvitationRevoke(id: $id) { state } }';
  expect((await queryAsAdmin(INVITE, { email: 'bob@example.org' })).errors[0]!.message).toMatch(
    /already been invited/,
  );
  expect((await queryAsAdmin(resend, { id })).errors[0]!.message).toMatch(/just sent/);
  const first = await findInvitationLink('bob@example.org');
  await moveBack(id);
  expect((await queryAsAdmin(resend, { id })).data.userInvitationResend.state).toBe('WAITING');
  const second = await findInvitationLink('bob@example.org');
  expect([(await fetch(first)).status, (await fetch(second)).status]).toEqual([410, 200]);
  await app.runtime.db.rows(
    sql`update svc_user_invitation set expires_at = sent_at
     where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(id)}`,
  );
  expect((await fetch(second)).status).toBe(410);
  await moveBack(id);
  expect((await queryAsAdmin(resend, { id })).data.userInvitationResend.state).toBe('WAITING');
  const third = await findInvitationLink('bob@example.org');
  expect((await queryAsAdmin(revoke, { id })).data.userInvitationRevoke.state).toBe('REVOKED');
  expect((await join(third, CHOSEN)).status).toBe(410);
  expect((await queryAsAdmin(revoke, { id })).errors[0]!.extensions.code).toBe('NOT_FOUND');
  const changed = third.replace(/id=(\d+)/, (_all, number) => `id=${Number(number) + 1}`);
  expect((await fetch(changed)).status).toBe(400);
});

test('hides invitation emails from email lists, because their links grant access', async () => {
  const { config } = app.runtime;
  const transport = config.mailTransport;
  config.mailTransport = 'smtp';
  try {
    await invite('gwen@example.org');
  } finally {
    config.mailTransport = transport;
  }
  expect(await loadMails('gwen@example.org')).toHaveLength(1);
  const listedResponse = await queryAsAdmin('{ emails(first: 50) { nodes { to } } }');
  expect(JSON.stringify(listedResponse.data.emails)).not.toContain('gwen@example.org');
  const rest = await fetch(`${app.url}/api/v1/emails`, {
    headers: { authorization: `Bearer ${app.main.teamKey}` },
  });
  const text = await rest.text();
  expect([rest.status, text.includes('bob@example.org'), text.includes('gwen@example.org')]).toEqual([
    200,
    true,
    false,
  ]);
});

test('counts a pending invitation as a seat and records each step in the audit trail', async () => {
  const readSeats = async () =>
    (await queryAsAdmin('{ workspaceSeats { used invited } }')).data.workspaceSeats;
  const { used, invited } = await readSeats();
  expect((await runCli(app.env, 'workspace', 'seats', 'main', String(used + invited + 1))).code).toBe(0);
  const { id } = await invite('cleo@example.org');
  expect((await readSeats()).invited).toBe(invited + 1);
  const rejectedInvitation = await queryAsAdmin(INVITE, { email: 'dan@example.org' });
  expect(rejectedInvitation.errors[0]!.message).toMatch(/seats/);
  expect(await loadMails('dan@example.org')).toEqual([]);
  const portal = (
    await queryAsAdmin('{ groups(where: { externalId: { eq: "base.group_portal" } }) { nodes { id } } }')
  ).data.groups.nodes[0].id;
  expect((await invite('dan@example.org', [portal])).state).toBe('WAITING');
  expect((await join(await findInvitationLink('cleo@example.org'), CHOSEN)).status).toBe(200);
  expect((await getInvitationState(id)).state).toBe('ACCEPTED');
  const { nodes } = (await queryAsAdmin('{ auditEvents(first: 50) { nodes { event summary } } }')).data
    .auditEvents;
  const lines = nodes.filter(({ event }: { event: string }) => event.startsWith('user.invite'));
  expect(lines.map(({ event }: { event: string }) => event)).toEqual(
    expect.arrayContaining(['user.invite', 'user.invite.accept', 'user.invite.resend', 'user.invite.revoke']),
  );
  expect(JSON.stringify(lines)).not.toContain(CHOSEN.password);
});

test('rejects invitations from ordinary users and from agents', async () => {
  const user = await postGraphql(app, INVITE, {
    key: app.main.user.key,
    variables: { email: 'eve@example.org' },
  });
  expect(user.errors[0]!.extensions.code).toBe('FORBIDDEN');
  const response = await postGraphql(app, '{ userInvitations(first: 5) { nodes { id } } }', {
    key: app.main.user.key,
  });
  expect(response.errors.length).toBeGreaterThan(0);
  expect((await queryAsAdmin(INVITE, { email: 'Two <a@b.org>, c@d.org' })).errors[0]!.message).toMatch(
    /email/,
  );
  expect(
    (await queryAsAdmin(INVITE, { email: 'f@example.org', groups: ['999999'] })).errors[0]!.extensions.code,
  ).toBe('NOT_FOUND');
});
