import { beforeAll, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let key: string;
beforeAll(async () => {
  const { ctx } = team.main;
  const domainId = await addDomain(ctx, 'second.test');
  ({ key } = await createKey(ctx, { name: 'bound', userId: null, scopes: [], days: null, domainId }));
});

async function createBook(overrides: object): Promise<string> {
  const body = { name: 'Readers', doubleOptInEnabled: true, ...overrides };
  const { status, json, text } = await team.ask('POST', '/api/v1/contactBooks', { body });
  expect(status, text).toBe(200);
  return json.id;
}

async function getConfirmationSender(bookId: string, by: string | undefined): Promise<string> {
  const email = `${crypto.randomUUID()}@example.net`;
  const { status, text } = await team.ask('POST', `/api/v1/contactBooks/${bookId}/contacts`, {
    body: { email },
    ...(by && { key: by }),
  });
  expect(status, text).toBe(200);
  const sentRows = await team.runtime.db.rows<{ from: string }>(
    sql`select "from" from svc_email where workspace_id = ${team.main.ctx.workspace.id} and "to" = array[${email}]`,
  );
  expect(sentRows).toHaveLength(1);
  return sentRows[0]!.from;
}

test.each([
  ['no sender', {}, 'hello@main.test', 'hello@second.test'],
  [
    'a sender of another domain',
    { doubleOptInFrom: 'News <news@main.test>' },
    'News <news@main.test>',
    'hello@second.test',
  ],
  [
    'a sender of the same domain',
    { doubleOptInFrom: 'Us <us@second.test>' },
    'Us <us@second.test>',
    'Us <us@second.test>',
  ],
])(
  "sends the confirmation from the key's domain if the book has %s",
  async (_name, overrides, teamSender, domainSender) => {
    const id = await createBook(overrides);
    expect(await getConfirmationSender(id, undefined)).toBe(teamSender);
    expect(await getConfirmationSender(id, key)).toBe(domainSender);
  },
);

test('rejects a sender on an unverified domain', async () => {
  const body = { doubleOptInFrom: 'x@nowhere.test' };
  const id = await createBook({});
  const response = await team.ask('PATCH', `/api/v1/contactBooks/${id}`, { body, key });
  expect([response.status, response.json.message]).toEqual([400, expect.stringContaining('nowhere.test')]);
});
