import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { signLink } from '../../src/engine/identity/signed-link.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let book: string;
let campaign: string;
let contactId: string;
let link: string;
let oneClick: string;

beforeAll(async () => {
  book = await team.book();
  const at = `/api/v1/contactBooks/${book}/contacts`;
  contactId = (await team.ask('POST', at, { body: { email: 'reader@example.net' } })).json.contactId;
  const html = '<a href="{{usesend_unsubscribe_url}}">leave</a>';
  const body = { name: 'n', from: 'news@main.test', subject: 's', contactBookId: book, html, sendNow: true };
  campaign = (await team.ask('POST', '/api/v1/campaigns', { body })).json.id;
  await runDueCampaigns(team.runtime);
  const [row] = await team.runtime.db.rows<{ html: string; headers: Record<string, string> }>(
    sql`select html, headers from svc_email where workspace_id = ${team.main.ctx.workspace.id} and campaign_id is not null`,
  );
  link = /href="([^"]+)"/.exec(row!.html)![1]!.replaceAll('&amp;', '&');
  oneClick = row!.headers['List-Unsubscribe']!.slice(1, -1);
  expect(row!.headers['List-Id']).toMatch(/^<book-\d+\.main\.test>$/);
  const workspace = team.main.ctx.workspace.id;
  expect(row!.headers['Feedback-ID']).toBe(`${campaign}:${workspace}:campaign:atrium`);
});

const readContact = async () =>
  (await team.ask('GET', `/api/v1/contactBooks/${book}/contacts/${contactId}`)).json;
function buildConfirmation(): string {
  const { secretKey } = team.runtime.config;
  const deadline = Date.now() + 60_000;
  const { id, hash } = signLink(secretKey, 'subscribe', team.main.ctx.workspace.id, contactId, deadline);
  return `${team.url}/subscribe?contactId=${id}&expiresAt=${deadline}&hash=${hash}`;
}

const countUnsubscribed = async () =>
  (await team.ask('GET', `/api/v1/campaigns/${campaign}`)).json.unsubscribed;

/** Lists the campaign's recipients who unsubscribed through its link. */
async function listUnsubscribed(): Promise<{ to: string[]; unsubscribedAt: string }[]> {
  const query = `query ($id: ID!) {
    emails(where: { campaign: { id: { eq: $id } }, unsubscribedAt: { isNull: false } }) { nodes { to unsubscribedAt } }
  }`;
  const answer = await postGraphql(team, query, { key: team.main.admin.key, variables: { id: campaign } });
  return answer.data.emails.nodes;
}
/** Returns the time of the last change of the email's state. */
const readMoveTime = async () => {
  const rows = await team.runtime.db.rows<{ at: string }>(
    sql`select write_date::text as at from svc_email
     where workspace_id = ${team.main.ctx.workspace.id} and campaign_id is not null`,
  );
  return rows[0]!.at;
};
const readAction = async (response: Response): Promise<string> =>
  team.url + /action="([^"]+)"/.exec(await response.text())![1]!.replaceAll('&amp;', '&');

test('unsubscribes no contact when the page is viewed', async () => {
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(link, { method, headers: { accept: 'text/html' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  expect((await fetch(`${link}&action=unsubscribe`)).status).toBe(200);
  const openedResponse = await fetch(oneClick, { headers: { accept: 'text/html' } });
  expect(openedResponse.status).toBe(200);
  const page = await openedResponse.text();
  expect(page).toContain('<button>Unsubscribe</button>');
  expect(page).toContain(`of <strong>${team.main.ctx.workspace.name}</strong>`);
  expect(await readContact()).toMatchObject({ subscribed: true });
  expect(await countUnsubscribed()).toBe(0);
});

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de', '<button>Abbestellen</button>'],
  ['fr, en;q=0.4, de;q=0.5', 'de', '<button>Abbestellen</button>'],
  ['en-GB,de;q=0.9', 'en', '<button>Unsubscribe</button>'],
  ['de;q=0, fr', 'en', '<button>Unsubscribe</button>'],
])('selects the language of the page for %s: %s', async (accepted, lang, button) => {
  const page = await (await fetch(link, { headers: { 'accept-language': accepted } })).text();
  expect(page).toContain(`<html lang="${lang}">`);
  expect(page).toContain(button);
});

test('unsubscribes with a reason, lists the recipient in the campaign, and resubscribes from the same page', async () => {
  const moveTime = await readMoveTime();
  const leaving = await readAction(await fetch(link));
  const response = await fetch(leaving, { method: 'POST' });
  expect(response.status).toBe(200);
  expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
  expect(await countUnsubscribed()).toBe(1);
  expect(await listUnsubscribed()).toEqual([
    { to: ['reader@example.net'], unsubscribedAt: expect.stringMatching(/^20\d\d-.*Z$/) },
  ]);
  expect((await fetch(leaving, { method: 'POST' })).status).toBe(200);
  expect(await countUnsubscribed()).toBe(1);
  const back = await readAction(response);
  expect((await fetch(back, { method: 'POST' })).status).toBe(200);
  expect(await readContact()).toMatchObject({ subscribed: true, unsubscribeReason: null });
  expect(await countUnsubscribed()).toBe(0);
  expect(await listUnsubscribed()).toEqual([]);
  // The queue measures from this time how long an outcome has been unknown.
  expect(await readMoveTime()).toBe(moveTime);
});

test('unsubscribes with a single POST to the header URL (RFC 8058)', async () => {
  const response = await fetch(oneClick, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'error',
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ success: true, message: expect.any(String) });
  expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
  expect((await fetch(oneClick, { method: 'POST' })).status).toBe(200);
  const notices = await team.runtime.db.rows(
    sql`select 1 from svc_event where workspace_id = ${team.main.ctx.workspace.id} and topic = 'contact.updated' and payload->>'subscribed' = 'false'`,
  );
  expect(notices.length).toBe(2);
});

test('does not resubscribe a contact who bounced or complained', async () => {
  await team.runtime.db.rows(
    sql`update svc_contact set subscribed = false, unsubscribe_reason = 'COMPLAINED' where workspace_id = ${team.main.ctx.workspace.id}`,
  );
  expect((await fetch(`${link}&action=subscribe`, { method: 'POST' })).status).toBe(200);
  expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: 'COMPLAINED' });
});

test('rejects a link if its id or hash was changed', async () => {
  await team.ask('PATCH', `/api/v1/contactBooks/${book}/contacts/${contactId}`, {
    body: { subscribed: true },
  });
  const url = new URL(oneClick);
  const [id, hash] = [url.searchParams.get('id')!, url.searchParams.get('hash')!];
  const invalidLinks = [
    ['', ''],
    [id, ''],
    [id, hash.slice(1)],
    [id, hash.toUpperCase().replace(/^./, 'Z')],
    [`x${id.slice(1)}`, hash],
    [`${id}0`, hash],
    [id.replace(/\d+$/, '2'), hash],
    [id.split('-')[0]!, hash],
    [`${id}'--`, hash],
  ].filter(([a, b]) => a !== id || b !== hash);
  for (const [a, b] of invalidLinks) {
    for (const path of ['/api/unsubscribe-oneclick', '/unsubscribe', '/subscribe']) {
      const query = `id=${encodeURIComponent(a!)}&hash=${encodeURIComponent(b!)}`;
      const response = await fetch(`${team.url}${path}?${query}`, { method: 'POST' });
      expect(response.status, `${path} ${a} ${b}`).toBe(400);
    }
  }
  // A link is valid only for the action that it was created for.
  const confirm = `/subscribe?contactId=${id}&hash=${hash}&expiresAt=9999999999999`;
  expect((await fetch(team.url + confirm, { method: 'POST' })).status).toBe(400);
  expect((await fetch(`${link}&action=delete`, { method: 'POST' })).status).toBe(400);
  expect(await readContact()).toMatchObject({ subscribed: true });
});

test('redirects a browser from a form to its page, so that it can go back', async () => {
  const submit = (at: string) =>
    fetch(at, { method: 'POST', headers: { accept: 'text/html' }, redirect: 'manual' });
  const open = async (response: Response) => {
    expect(response.status).toBe(303);
    const answer = await fetch(new URL(response.headers.get('location')!, team.url));
    return answer.text();
  };
  await team.ask('PATCH', `/api/v1/contactBooks/${book}/contacts/${contactId}`, {
    body: { subscribed: true },
  });
  expect(await open(await submit(link))).toContain('Subscribe again');
  expect(await readContact()).toMatchObject({ subscribed: false });
  const again = await open(await submit(`${link}&action=subscribe`));
  expect(again).toContain('role="status"');
  expect(await readContact()).toMatchObject({ subscribed: true });
  const confirmed = await open(await submit(buildConfirmation()));
  expect(confirmed).toContain('<h1>');
  expect(confirmed).not.toContain('<form');
});

test("shows the contact book's name on each page", async () => {
  expect(await (await fetch(link)).text()).toContain('Readers');
  expect(await (await fetch(`${link}&action=unsubscribe`, { method: 'POST' })).text()).toContain('Readers');
  expect(await (await fetch(buildConfirmation())).text()).toContain('Readers');
});

test('accepts links with HTML-escaped ampersands', async () => {
  const escapeAmpersands = (url: string) => url.replaceAll('&', '&amp;');
  await fetch(`${link}&action=subscribe`, { method: 'POST' });
  for (const url of [link, oneClick, buildConfirmation()])
    expect((await fetch(escapeAmpersands(url), { headers: { accept: 'text/html' } })).status).toBe(200);
  const response = await fetch(escapeAmpersands(oneClick), {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
  });
  expect(response.status).toBe(200);
  expect(await readContact()).toMatchObject({ subscribed: false });
  await fetch(`${escapeAmpersands(link)}&amp;action=subscribe`, { method: 'POST' });
  expect(await readContact()).toMatchObject({ subscribed: true });
  expect((await fetch(link.replaceAll('&', '&amp;amp;'))).status).toBe(400);
});

test('accepts the links of a deleted campaign', async () => {
  await team.ask('DELETE', `/api/v1/campaigns/${campaign}`);
  expect((await fetch(oneClick, { method: 'POST' })).status).toBe(200);
  expect(await readContact()).toMatchObject({ subscribed: false });
});

test.each([
  ['contact', () => `/api/v1/contactBooks/${book}/contacts/${contactId}`],
  ['book', () => `/api/v1/contactBooks/${book}`],
])(
  'reports that no more mail is sent after the %s is deleted, but rejects a forged link',
  async (_, path) => {
    expect((await team.ask('DELETE', path())).status).toBe(200);
    for (const url of [link, `${link}&action=unsubscribe`, `${link}&action=subscribe`, buildConfirmation()]) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(url, { method });
        expect([response.status, await response.text()], `${method} ${url}`).toEqual([
          200,
          expect.stringMatching(/You are not subscribed/),
        ]);
      }
      expect((await fetch(url.replace(/hash=\w{8}/, 'hash=00000000'))).status).toBe(400);
    }
    const result = await fetch(oneClick, { method: 'POST' });
    expect([result.status, await result.json()]).toEqual([
      200,
      { success: true, message: expect.stringMatching(/not subscribed/) },
    ]);
    expect((await fetch(`${oneClick}0`, { method: 'POST' })).status).toBe(400);
  },
);
