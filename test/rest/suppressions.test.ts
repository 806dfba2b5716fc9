import { beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { loadEmailRow } from '../email/sending.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();

beforeEach(() => team.runtime.db.rows(sql`delete from svc_suppression where workspace_id > 0`));

async function queryGraphql(field: string, variables: object = {}, key = team.main.admin.key) {
  const declared = Object.entries(variables).map(
    ([name, value]) =>
      `$${name}: ${Array.isArray(value) ? '[String!]!' : name === 'email' ? 'String!' : 'SuppressionReason'}`,
  );
  const kind = /Add|Remove/.test(field) ? 'mutation' : 'query';
  const query = `${kind} ${declared.length ? `(${declared})` : ''} { ${field} }`;
  const { data, errors } = await team.graphql(query, variables, key);
  if (errors[0]) throw new Error(errors[0].message);
  return Object.values(data)[0];
}

const add = async (...emails: string[]): Promise<number> =>
  (await queryGraphql('suppressionsAdd(emails: $emails) { added }', { emails })).added;

interface List {
  nodes: { email: string; reason: string }[];
  totalCount: number;
}

const list = async (args = '', key?: string): Promise<List> =>
  queryGraphql(
    `suppressions${args && `(${args})`} { totalCount nodes { email reason source createdAt } }`,
    {},
    key,
  );

test('stores addresses in lower case without display names or duplicates', async () => {
  expect(await add('Ann <Ann@Example.net>', 'ANN@example.net', ' carl@exämple.de ')).toBe(2);
  expect(await add('ann@EXAMPLE.net')).toBe(0);
  expect((await list()).nodes.map((node) => node.email).sort()).toEqual([
    'ann@example.net',
    'carl@xn--exmple-cua.de',
  ]);
});

test('omits suppressed addresses from to, cc and bcc, regardless of display name and letter case', async () => {
  await add('blocked@example.net');
  const open = 'Open <open@example.net>';
  for (const field of ['to', 'cc', 'bcc']) {
    const { json } = await team.send(
      buildMail({
        to: 'you@example.net',
        [field]: ['Blocked <Blocked@EXAMPLE.net>', '<BLOCKED@example.net>', open],
      }),
    );
    const email = await team.email(json.emailId);
    expect([email.latestStatus, email[field]], field).toEqual(['QUEUED', [open]]);
  }
});

test('does not send an email if every recipient in to is suppressed', async () => {
  await add('blocked@example.net');
  const { json } = await team.send(
    buildMail({ to: ['"B, C" <blocked@example.net>'], cc: 'open@example.net' }),
  );
  expect(await team.email(json.emailId)).toMatchObject({
    latestStatus: 'SUPPRESSED',
    emailEvents: [{ status: 'SUPPRESSED' }],
  });
  expect((await loadEmailRow(team, json.emailId)).state).toBe('suppressed');
});

test('adds up to 1000 addresses in one call, and rejects invalid ones', async () => {
  const addresses = Array.from({ length: 1000 }, (_, index) => `a${index}@example.net`);
  expect(await add(...addresses)).toBe(1000);
  await expect(add(...addresses, 'more@example.net')).rejects.toThrow('1000');
  await expect(add('fine@example.net', 'not an address')).rejects.toThrow('not an address');
  for (const query of [
    'suppressionsAdd(emails: ["nobody"]) { added }',
    'suppressionRemove(email: "nobody")',
  ]) {
    const { errors } = await team.graphql(`mutation { ${query} }`);
    expect([errors[0]!.extensions.code, errors[0]!.message]).toEqual([
      'BAD_REQUEST',
      expect.stringMatching(/^emails?: "nobody" is not a valid address\.$/),
    ]);
  }
  await expect(add()).rejects.toThrow('1000');
  expect((await list()).totalCount).toBe(1000);
});

test('searches, filters and pages the list, newest first', async () => {
  await add('ann@one.test', 'bob@two.test', 'a_b%c@two.test');
  expect(
    await queryGraphql(
      'suppressionsAdd(emails: $emails, reason: $reason) { added suppressions { email reason createdAt } }',
      { emails: ['late@two.test', 'ann@one.test'], reason: 'COMPLAINT' },
    ),
  ).toEqual({
    added: 1,
    suppressions: [
      { email: 'late@two.test', reason: 'COMPLAINT', createdAt: expect.any(String) },
      { email: 'ann@one.test', reason: 'MANUAL', createdAt: expect.any(String) },
    ],
  });
  expect((await list('where: { email: { contains: "TWO", ignoreCase: true } }')).totalCount).toBe(3);
  expect((await list('where: { email: { contains: "_b%" } }')).nodes.map((node) => node.email)).toEqual([
    'a_b%c@two.test',
  ]);
  expect(await list('where: { reason: { eq: COMPLAINT } }')).toMatchObject({
    totalCount: 1,
    nodes: [{ email: 'late@two.test', reason: 'COMPLAINT', source: null, createdAt: expect.any(String) }],
  });
  const pages = [await list('first: 3'), await list('first: 3, offset: 3')];
  expect(pages.map((page) => [page.nodes.length, page.totalCount])).toEqual([
    [3, 4],
    [1, 4],
  ]);
  expect(pages[0]!.nodes[0]!.email).toBe('late@two.test');
  for (const args of ['first: 100000', 'first: -1', 'offset: -1', 'where: { reason: { eq: BORED } }'])
    await expect(list(args)).rejects.toThrow();
  expect(await queryGraphql('suppressionStatistics { hardBounce complaint manual total }')).toEqual({
    hardBounce: 0,
    complaint: 1,
    manual: 3,
    total: 4,
  });
});

test('sends to an address again after it is removed from the list', async () => {
  await add('back@example.net');
  const blockedResponse = await team.send(buildMail({ to: 'back@example.net' }));
  expect((await team.email(blockedResponse.json.emailId)).latestStatus).toBe('SUPPRESSED');
  const entry = await queryGraphql('suppressionAdd(email: $email) { id reason }', {
    email: 'back@example.net',
  });
  expect(entry.reason).toBe('MANUAL');
  expect(await queryGraphql('suppressionRemove(email: $email)', { email: 'Back <BACK@example.net>' })).toBe(
    entry.id,
  );
  await expect(
    queryGraphql('suppressionRemove(email: $email)', { email: 'back@example.net' }),
  ).rejects.toThrow('not found');
  const repeatedResponse = await team.send(buildMail({ to: 'back@example.net' }));
  expect((await team.email(repeatedResponse.json.emailId)).latestStatus).toBe('QUEUED');
});

test('exports a CSV file without formulas', async () => {
  await add('ann@example.net', '=1+1@example.net', 'o,k@example.net'.replace(',', "'"));
  const lines = ((await queryGraphql('suppressionsExport')) as string).trim().split('\r\n');
  expect(lines[0]).toBe('email,reason,source,createdAt,expiresAt');
  expect(
    lines
      .slice(1)
      .map((line) => line.split(',')[0])
      .sort(),
  ).toEqual(["'=1+1@example.net", 'ann@example.net', "o'k@example.net"]);
});

test('the record API can read the list but not change it, and changes are audited', async () => {
  await add('dan@example.net');
  const call = (method: string, body: object) =>
    team.ask('POST', `/json/2/svc.suppression/${method}`, { key: team.main.admin.key, body });
  const [{ id, email }] = (await call('search_read', { domain: [], fields: ['email'] })).json;
  expect(email).toBe('dan@example.net');
  expect((await call('create', { vals_list: [{ email: 'nobody@example.net' }] })).status).toBe(403);
  expect((await call('write', { ids: [id], vals: { email: 'other@example.net' } })).status).toBe(403);
  expect((await call('unlink', { ids: [id] })).status).toBe(403);
});

test('hides the list from team keys and other workspaces', async () => {
  await add('mine@example.net');
  await expect(list('', team.main.teamKey)).rejects.toThrow('Administrator');
  await expect(list('', team.main.user.key)).rejects.toThrow('Administrator');
  const otherTenant = await team.tenant('other');
  expect(await list('', otherTenant.admin.key)).toEqual({ nodes: [], totalCount: 0 });
  await expect(
    queryGraphql('suppressionRemove(email: $email)', { email: 'mine@example.net' }, otherTenant.admin.key),
  ).rejects.toThrow('not found');
});
