import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { queryData } from '../harness/facades/graphql.ts';
import type { Team } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';
import { getEmailNumbers, startTwoDomains } from '../harness/two-domains.ts';

let team: Team;
let otherTenant: Tenant;
/** A key restricted to second.test, and a read-only key. */
let bound: string;
let reading: string;
/** Ids of one email per domain, and the database id of the first email. */
let main: string;
let second: string;
let number: number;
let contact: string;

beforeAll(async () => {
  const stage = await startTwoDomains();
  ({ team, other: otherTenant, bound } = stage);
  reading = await stage.keyFor('read');
  main = await stage.sent({ subject: 'Secret of main', to: 'm@example.net' });
  second = await stage.sent({ from: 'a@second.test', subject: 'Second' });
  number = (await getEmailNumbers(team, main)).emailId;
  for (const id of [main, second]) {
    const { workspaceId, emailId } = await getEmailNumbers(team, id);
    await team.runtime.db.rows(
      sql`insert into svc_outbox (id, workspace_id, email_id, recipients, raw)
       values (nextval('svc_outbox_id_seq'), ${workspaceId}, ${emailId}, '{a@example.net}', ${Buffer.from(`Subject: ${id}`)})`,
    );
  }
  const book = await team.book();
  const body = { email: 'ann@example.net' };
  contact = (await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body })).json.contactId;
});
afterAll(() => team?.close());

const queryGraphql = (query: string, key: string) => queryData(team, query, { key });

describe('a workspace key', () => {
  it.each([
    ['a team key', () => team.main.teamKey],
    ['a read-only key', () => reading],
    ["an administrator's key", () => team.main.admin.key],
  ])('%s reads emails, their events and contacts', async (_name, key) => {
    const {
      emails,
      emailEvents,
      contacts,
      contact: one,
      outboxMessages,
    } = await queryGraphql(
      `{ emails(orderBy: [{ field: CREATED_AT, direction: ASC }]) {
           totalCount nodes { id subject latestStatus domain { name } events { nodes { status data } } } }
         emailEvents { totalCount nodes { email { id domain { name } } } }
         contacts { totalCount nodes { id email subscribed book { name } } }
         contact(id: "${contact}") { id email unsubscribeReason properties }
         outboxMessages { totalCount nodes { source } } }`,
      key(),
    );
    expect(emails).toEqual({
      totalCount: 2,
      nodes: [
        [main, 'Secret of main', 'main.test'],
        [second, 'Second', 'second.test'],
      ].map(([id, subject, name]) => ({
        id,
        subject,
        latestStatus: 'SENT',
        domain: { name },
        events: { nodes: [{ status: 'SENT', data: { of: id } }] },
      })),
    });
    expect(emailEvents.totalCount).toBe(2);
    expect(contacts.nodes).toEqual([
      { id: contact, email: 'ann@example.net', subscribed: true, book: { name: 'Readers' } },
    ]);
    expect(one).toMatchObject({ id: contact, unsubscribeReason: null, properties: {} });
    expect(outboxMessages.totalCount).toBe(2);
  });

  it.each([
    '{ partners { totalCount } }',
    '{ users { totalCount } }',
    '{ suppressions { totalCount } }',
    '{ irModelAccesses { totalCount } }',
  ])('rejects %s', async (query) => {
    const { errors } = await team.graphql(query, {}, team.main.teamKey);
    expect(errors[0]!.extensions.code).toMatch(/^(FORBIDDEN|GRAPHQL_VALIDATION_FAILED)$/);
  });

  it.each([
    ['a relation', '{ contacts { nodes { id createdBy { login } } } }'],
    ['a condition', '{ contacts(where: { createdBy: { login: { contains: "a" } } }) { totalCount } }'],
    [
      'a negated condition',
      '{ contacts(where: { not: { createdBy: { login: { contains: "a" } } } }) { totalCount } }',
    ],
    ['a domain', '{ contacts(domain: [["create_uid.login", "ilike", "a"]]) { totalCount } }'],
    [
      'a domain with any',
      '{ contacts(domain: [["create_uid", "any", [["login", "ilike", "a"]]]]) { totalCount } }',
    ],
    ['a name in a domain condition', '{ contacts(domain: [["create_uid", "ilike", "a"]]) { totalCount } }'],
  ])('reveals nothing about users through %s', async (_name, query) => {
    await team.runtime.db.rows(
      sql`update svc_contact set create_uid = ${team.main.admin.id} where workspace_id = ${team.main.ctx.workspace.id}`,
    );
    const { data, errors, text } = await team.graphql(query, {}, team.main.teamKey);
    expect(errors.length, text).toBeGreaterThan(0);
    expect(errors[0]!.extensions.code, text).toMatch(/ACCESS|FORBIDDEN/);
    expect(JSON.stringify(data ?? {})).not.toContain(team.main.admin.login);
    expect(data?.contacts?.totalCount).toBeUndefined();
  });

  it('finds emails by the id of the sending key', async () => {
    const { emails } = await queryGraphql(`{ emails { nodes { id keyId } } }`, team.main.teamKey);
    const { keyId } = emails.nodes.find(({ id }: { id: string }) => id === main);
    const query = `{ emails(where: { keyId: { in: ["${keyId}"] } }) { nodes { keyId } } }`;
    const { nodes } = (await queryGraphql(query, team.main.teamKey)).emails;
    expect(nodes).toContainEqual({ keyId });
    expect(new Set(nodes.map((node: { keyId: string }) => node.keyId))).toEqual(new Set([keyId]));
  });

  it("cannot read an email's template, sending key or webhook calls", async () => {
    const { data } = await team.graphql(
      'mutation { templateCreate(template: { name: "T", subject: "Hidden", text: "x" }) { id } }',
      {},
      team.main.admin.key,
    );
    await team.graphql(
      'mutation { webhookCreate(url: "https://hook.example") { id } }',
      {},
      team.main.admin.key,
    );
    const body = { from: 'a@main.test', to: 'ann@example.net', templateId: data.templateCreate.id };
    const id = (await team.ask('POST', '/api/v1/emails', { body, key: team.main.teamKey })).json.emailId;
    const document = `{ email(id: "${id}") { template { subject } key { name } webhookCalls { type } } }`;
    expect((await queryGraphql(document, team.main.admin.key)).email).toEqual({
      template: { subject: 'Hidden' },
      key: { name: expect.any(String) },
      webhookCalls: [{ type: 'EMAIL_QUEUED' }],
    });
    const response = await team.graphql(document, {}, team.main.teamKey);
    expect(response.data.email).toEqual({ template: null, key: null, webhookCalls: null });
    expect(response.errors.map(({ extensions }) => extensions.code)).toEqual(Array(3).fill('FORBIDDEN'));
    await team.runtime.db.rows(sql`delete from svc_email where workspace_id > 0 and public_id = ${id}`);
  });

  it('cannot use the record API and changes nothing', async () => {
    const search = await team.ask('POST', '/json/2/svc.email/search_read', { body: { domain: [] } });
    expect(search.status).toBe(403);
    const fields = team.runtime.schema.getMutationType()!.getFields();
    for (const name of ['emailUpdate', 'emailCreate', 'emailsDelete', 'contactCreate', 'emailEventCreate'])
      expect(fields[name], name).toBeUndefined();
  });

  it('reveals nothing about another workspace', async () => {
    const {
      emails,
      email,
      emailEvents,
      contacts,
      contact: one,
    } = await queryGraphql(
      `{ emails(where: { id: { in: ["${main}", "${second}"] } }) { totalCount }
         email(id: "${main}") { id }
         emailEvents { totalCount }
         contacts { totalCount }
         contact(id: "${contact}") { id } }`,
      otherTenant.teamKey,
    );
    expect([emails, email, emailEvents, contacts, one]).toEqual([
      { totalCount: 0 },
      null,
      { totalCount: 0 },
      { totalCount: 0 },
      null,
    ]);
  });

  it('is subject to global record rules', async () => {
    const { ctx } = team.main;
    const createdResponse = await fetch(`${team.url}/json/2/ir.rule/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${team.main.admin.key}` },
      body: JSON.stringify({
        vals_list: [
          {
            name: 'no secrets',
            model_id: await findModelId('svc.email'),
            domain_force: "[('subject', 'not like', 'Secret')]",
          },
        ],
      }),
    });
    expect(createdResponse.status, await createdResponse.clone().text()).toBe(200);
    const { emails } = await queryGraphql('{ emails { nodes { id } } }', team.main.teamKey);
    expect(emails.nodes).toEqual([{ id: second }]);
    const [rule] = (await createdResponse.json()) as number[];
    await team.ask('POST', '/json/2/ir.rule/unlink', { body: { ids: [rule] }, key: team.main.admin.key });
    expect(ctx.workspace.id).toBeGreaterThan(0);
  });
});

async function findModelId(model: string): Promise<number> {
  const { json } = await team.ask('POST', '/json/2/ir.model/search', {
    body: { domain: [['model', '=', model]] },
    key: team.main.admin.key,
  });
  return json[0];
}

describe('a domain key', () => {
  it('reads the emails and events of its domain only', async () => {
    const { emails, emailEvents, outboxMessages, outbox, emailPage, contacts } = await queryGraphql(
      `{ emails { totalCount nodes { id domain { name } events { totalCount } } }
         emailEvents { totalCount nodes { email { id } } }
         outboxMessages { totalCount nodes { source email { id } } }
         outbox { source }
         emailPage { count data { id } }
         contacts { totalCount } }`,
      bound,
    );
    expect(emails).toEqual({
      totalCount: 1,
      nodes: [{ id: second, domain: { name: 'second.test' }, events: { totalCount: 1 } }],
    });
    expect(emailEvents).toEqual({ totalCount: 1, nodes: [{ email: { id: second } }] });
    expect(outboxMessages).toEqual({
      totalCount: 1,
      nodes: [{ source: `Subject: ${second}`, email: { id: second } }],
    });
    expect(outbox).toEqual([{ source: `Subject: ${second}` }]);
    expect(emailPage).toEqual({ count: 1, data: [{ id: second }] });
    expect(contacts.totalCount).toBe(1);
  });

  it.each([
    ['by its id', () => `emails(where: { id: { eq: "${main}" } }) { totalCount }`],
    ['by its numeric id', () => `emails(domain: [["id", "=", ${number}]]) { totalCount }`],
    ['by its values', () => 'emails(where: { subject: { startsWith: "Secret" } }) { totalCount }'],
    [
      'by an OR condition',
      () => `emails(domain: ["|", ["id", "=", ${number}], ["id", "=", 0]]) { totalCount }`,
    ],
    ['by its domain', () => 'emails(where: { domain: { name: { eq: "main.test" } } }) { totalCount }'],
    ['by a path', () => 'emails(domain: [["domain_id.name", "=", "main.test"]]) { totalCount }'],
    [
      'by its events',
      () => `emails(where: { subject: { like: "%main%" }, events: { some: {} } }) { totalCount }`,
    ],
    [
      'by a condition on events',
      () => 'emailEvents(where: { email: { subject: { contains: "Secret" } } }) { totalCount }',
    ],
    [
      'by paths through events',
      () => 'emailEvents(domain: [["email_id.subject", "ilike", "secret"]]) { totalCount }',
    ],
    ['by the ids of events', () => `emailEvents(domain: [["email_id", "=", ${number}]]) { totalCount }`],
    [
      'by a negated condition on events',
      () => `emailEvents(where: { email: { not: { id: { eq: "${second}" } } } }) { totalCount }`,
    ],
    [
      'in the outbox',
      () => 'outboxMessages(where: { email: { subject: { contains: "Secret" } } }) { totalCount }',
    ],
    ['by its source', () => `outboxMessages(where: { source: { contains: "${main}" } }) { totalCount }`],
  ])("does not find another domain's email %s", async (_name, field) => {
    const { text, data, errors } = await team.graphql(`{ found: ${field()} }`, {}, bound);
    expect(errors, text).toEqual([]);
    expect(data.found.totalCount).toBe(0);
  });

  it('cannot access an email of another domain by id, by cursor or through an operation', async () => {
    expect((await queryGraphql(`{ email(id: "${main}") { id } }`, bound)).email).toBeNull();
    const cursor = Buffer.from(`r${number}`).toString('base64url');
    for (const args of [`after: "${cursor}"`, `before: "${cursor}", last: 10`]) {
      const { text } = await team.graphql(`{ emails(${args}) { nodes { id subject } } }`, {}, bound);
      expect(text).not.toContain('Secret');
    }
    for (const operation of ['emailCancel', 'emailSendAgain', 'emailGiveUp']) {
      const { errors } = await team.graphql(
        `mutation { ${operation}(id: "${main}") { id subject } }`,
        {},
        bound,
      );
      expect(errors[0]!.extensions.code, operation).toBe('NOT_FOUND');
    }
    const { errors } = await team.graphql(`{ emailRead(id: "${main}") { subject } }`, {}, bound);
    expect(errors[0]!.extensions.code).toBe('NOT_FOUND');
  });

  it("counts only its domain's emails, regardless of the requested domain", async () => {
    const domains = (await team.ask('GET', '/api/v1/domains')).json as { id: number; name: string }[];
    const first = domains.find(({ name }) => name === 'main.test')!.id;
    const { emailStatistics, usage } = await queryGraphql(
      `{ emailStatistics(days: 7, domainId: "${first}") { totals { sent } }
         usage(domainId: "${first}") { domainId sent } }`,
      bound,
    );
    expect(emailStatistics.totals.sent).toBe(1);
    expect(usage).toEqual([{ domainId: expect.not.stringMatching(`^${first}$`), sent: 1 }]);
  });
});
