import { describe, expect, it } from 'vitest';
import { hasPrisma } from '../../src/db/prisma.ts';
import { getPrismaModels, isTenantModel } from '../../src/db/tripwire.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam({ WEBHOOK_ALLOW_PRIVATE: '1' });

const queryFirst = async (query: string, variables: object = {}, key?: string) =>
  Object.values(await queryData(team, query, { key, variables }))[0];

it('loads the Prisma client only with the first query for settings', async () => {
  const { key } = team.main.admin;
  const book = await team.book();
  await team.ask('GET', `/api/v1/contactBooks/${book}`);
  await team.ask('GET', '/api/v1/contactBooks');
  await team.ask('GET', '/api/v1/domains');
  await team.ask('GET', '/api/v1/campaigns');
  await team.ask('POST', '/json/2/svc.template/search_read', { key, body: { domain: [] } });
  await queryFirst('{ viewer { login kind } }');
  await queryFirst(
    '{ partners(where: { name: { contains: "a" } }) { totalCount nodes { id user { login } } } }',
  );
  await queryFirst('{ emails { nodes { id } } }');
  expect(hasPrisma(team.runtime.db)).toBe(false);
  await queryFirst('{ contactBooks { nodes { name } } }');
  expect(hasPrisma(team.runtime.db)).toBe(true);
});

it('includes the workspace id in every relation between tenant tables', () => {
  const tenants = Object.entries(getPrismaModels()).filter(([model]) => isTenantModel(model));
  const relations = tenants.flatMap(([model, { fields }]) =>
    fields
      .filter(({ relationFromFields }) => relationFromFields && relationFromFields.length > 0)
      .map(({ name, relationFromFields }) => ({ at: `${model}.${name}`, by: relationFromFields! })),
  );
  expect(relations.length).toBeGreaterThan(50);
  expect(relations.filter(({ by }) => !by.includes('workspace_id')).map(({ at }) => at)).toEqual([]);
});

describe('settings mutations', () => {
  it('add, verify, track and delete a domain', async () => {
    const added = await queryFirst(
      `mutation { domainAdd(name: "verbs.test") { id name status dnsRecords { type name value ttl priority status recommended } createdAt } }`,
    );
    expect(added).toMatchObject({ name: 'verbs.test', status: 'SUCCESS', dnsRecords: [] });
    const { id } = added;
    expect(await queryFirst('mutation ($id: ID!) { domainVerify(id: $id) { id status } }', { id })).toEqual({
      id,
      status: 'SUCCESS',
    });
    const tracked =
      'mutation ($id: ID!) { domainTracking(id: $id, clickTracking: true) { id clickTracking openTracking } }';
    expect(await queryFirst(tracked, { id })).toEqual({ id, clickTracking: true, openTracking: false });
    expect(await queryFirst('mutation ($id: ID!) { domainDelete(id: $id) { id } }', { id })).toEqual({ id });
    expect(await queryFirst('query ($id: ID!) { sendingDomain(id: $id) { id } }', { id })).toBeNull();
  });

  it('create, update, duplicate and delete a template with its versions', async () => {
    const template = { name: 'Welcome', subject: 'Hi {{name}}', html: '<p>Hi</p>' };
    const createdTemplate = await queryFirst(
      'mutation ($template: TemplateInput!) { templateCreate(template: $template) { id name version createdBy { login } versions { totalCount } } }',
      { template },
    );
    expect(createdTemplate).toMatchObject({
      name: 'Welcome',
      version: 1,
      createdBy: { login: 'admin' },
      versions: { totalCount: 1 },
    });
    const changed = await queryFirst(
      `mutation ($id: ID!) { templateUpdate(id: $id, template: { subject: "Bye" }) { version
        versions(orderBy: [{ field: NUMBER }]) { nodes { number subject template { id } } } } }`,
      { id: createdTemplate.id },
    );
    expect(changed).toEqual({
      version: 2,
      versions: {
        nodes: [
          { number: 1, subject: 'Hi {{name}}', template: { id: createdTemplate.id } },
          { number: 2, subject: 'Bye', template: { id: createdTemplate.id } },
        ],
      },
    });
    const copy = await queryFirst('mutation ($id: ID!) { templateDuplicate(id: $id) { id name subject } }', {
      id: createdTemplate.id,
    });
    expect(copy).toMatchObject({ name: 'Welcome (copy)', subject: 'Bye' });
    expect(copy.id).not.toBe(createdTemplate.id);
    expect(
      await queryFirst('mutation ($id: ID!) { templateDelete(id: $id) { id } }', { id: copy.id }),
    ).toEqual({
      id: copy.id,
    });
  });

  it('manage contact books, and schedule, pause and resume their campaigns', async () => {
    const book = await queryFirst(
      'mutation { contactBookCreate(book: { name: "Readers" }) { id name contactCount campaigns { totalCount } } }',
      {},
      team.main.teamKey,
    );
    expect(book).toMatchObject({ name: 'Readers', contactCount: 0, campaigns: { totalCount: 0 } });
    const renamed =
      'mutation ($id: ID!) { contactBookUpdate(id: $id, book: { name: "People" }) { id name } }';
    expect(await queryFirst(renamed, { id: book.id })).toEqual({ id: book.id, name: 'People' });
    await team.ask('POST', `/api/v1/contactBooks/${book.id}/contacts`, { body: { email: 'a@example.net' } });
    const campaign = {
      name: 'News',
      from: `news@${team.main.domain}`,
      subject: 'News',
      html: '<a href="{{usesend_unsubscribe_url}}">x</a>',
      contactBookId: book.id,
    };
    const createdCampaign = await queryFirst(
      'mutation ($campaign: CampaignInput!) { campaignCreate(campaign: $campaign) { id status book { id subscribedCount } } }',
      { campaign },
    );
    expect(createdCampaign).toMatchObject({ status: 'DRAFT', book: { id: book.id, subscribedCount: 1 } });
    const { id } = createdCampaign;
    const scheduled = await queryFirst(
      'mutation ($id: ID!) { campaignSchedule(id: $id, scheduledAt: "2099-01-01T00:00:00Z") { status scheduledAt total } }',
      { id },
    );
    expect(scheduled).toEqual({ status: 'SCHEDULED', scheduledAt: '2099-01-01T00:00:00.000Z', total: 1 });
    expect(await queryFirst('mutation ($id: ID!) { campaignPause(id: $id) { status } }', { id })).toEqual({
      status: 'PAUSED',
    });
    expect(await queryFirst('mutation ($id: ID!) { campaignResume(id: $id) { status } }', { id })).toEqual({
      status: 'SCHEDULED',
    });
    expect(await queryFirst('mutation ($id: ID!) { campaignDelete(id: $id) { id } }', { id })).toEqual({
      id,
    });
    const deleted = 'mutation ($id: ID!) { contactBookDelete(id: $id) { id } }';
    expect(await queryFirst(deleted, { id: book.id })).toEqual({ id: book.id });
  });

  it('create, test, update and delete a webhook, and rotate its secret', async () => {
    const webhook = await queryFirst(
      `mutation { webhookCreate(url: "http://127.0.0.1:9/hook", eventTypes: [EMAIL_SENT, DOMAIN_VERIFIED]) {
        id secret webhook { id url status eventTypes createdBy { login } } } }`,
    );
    expect(webhook).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
      webhook: {
        id: webhook.id,
        url: 'http://127.0.0.1:9/hook',
        status: 'ACTIVE',
        eventTypes: ['EMAIL_SENT', 'DOMAIN_VERIFIED'],
        createdBy: { login: 'admin' },
      },
    });
    const { id } = webhook;
    const called = await queryFirst(
      'mutation ($id: ID!) { webhookTest(id: $id) { id type status webhook { id } } }',
      {
        id,
      },
    );
    expect(called).toMatchObject({ type: 'WEBHOOK_TEST', status: 'PENDING', webhook: { id } });
    const listed = await queryFirst(
      'query ($id: ID!) { webhook(id: $id) { calls(where: { status: { eq: PENDING } }) { totalCount nodes { id } } } }',
      { id },
    );
    expect(listed.calls).toEqual({ totalCount: 1, nodes: [{ id: called.id }] });
    const rotated = await queryFirst('mutation ($id: ID!) { webhookRotate(id: $id) { id secret } }', { id });
    expect(rotated.secret).not.toBe(webhook.secret);
    expect(await queryFirst('query ($id: ID!) { webhookSecret(id: $id) }', { id })).toBe(rotated.secret);
    const paused = 'mutation ($id: ID!) { webhookUpdate(id: $id, status: PAUSED) { id status } }';
    expect(await queryFirst(paused, { id })).toEqual({ id, status: 'PAUSED' });
    expect(await queryFirst('mutation ($id: ID!) { webhookDelete(id: $id) { id } }', { id })).toEqual({ id });
  });

  it('create a key, return its value and revoke it', async () => {
    const key = await queryFirst(
      'mutation { keyCreate(name: "laptop", permission: READ) { id key prefix apiKey { id name permission scopes user { login } } } }',
    );
    expect(key.apiKey).toEqual({
      id: key.id,
      name: 'laptop',
      permission: 'READ',
      scopes: ['READ'],
      user: { login: 'admin' },
    });
    expect(key.key.startsWith('uk_')).toBe(true);
    const revoked = await queryFirst('mutation ($id: ID!) { keyRevoke(id: $id) { id revokedAt } }', {
      id: key.id,
    });
    expect(revoked).toEqual({ id: key.id, revokedAt: expect.stringMatching(/^20/) });
  });

  it("let a key's owner rename and restrict it, but only administrators extend it", async () => {
    const UPDATE = `mutation ($id: ID!, $name: String, $permission: KeyPermission) {
      keyUpdate(id: $id, name: $name, permission: $permission) { id name permission }
    }`;
    const readCode = async (variables: object, key: string) =>
      (await team.graphql(UPDATE, variables, key)).errors[0]?.extensions.code;
    const { admin, user } = team.main;
    const createdKey = await queryFirst('mutation { keyCreate(name: "shop") { id key } }', {}, user.key);
    expect(await queryFirst(UPDATE, { id: createdKey.id, name: 'office' }, createdKey.key)).toEqual({
      id: createdKey.id,
      name: 'office',
      permission: 'FULL',
    });
    expect(await queryFirst(UPDATE, { id: createdKey.id, permission: 'READ' }, admin.key)).toEqual({
      id: createdKey.id,
      name: 'office',
      permission: 'READ',
    });
    expect(await readCode({ id: createdKey.id, permission: 'FULL' }, createdKey.key)).toBe('FORBIDDEN');
    for (const permission of ['FULL', 'SENDING'])
      expect(await readCode({ id: createdKey.id, permission }, user.key)).toBe('FORBIDDEN');
    expect(await queryFirst(UPDATE, { id: createdKey.id, permission: 'FULL' }, admin.key)).toMatchObject({
      permission: 'FULL',
    });
    expect(await queryFirst(UPDATE, { id: createdKey.id, permission: 'SENDING' }, user.key)).toMatchObject({
      permission: 'SENDING',
    });
    const scoped = await queryFirst('mutation { keyCreate(name: "team", team: true) { id } }', {}, admin.key);
    expect(await readCode({ id: scoped.id, name: 'mine' }, user.key)).toBe('NOT_FOUND');
    expect(await readCode({ id: createdKey.id, name: ' ' }, user.key)).toBe('BAD_REQUEST');
    await queryFirst('mutation ($id: ID!) { keyRevoke(id: $id) { id } }', { id: createdKey.id });
    expect(await readCode({ id: createdKey.id, name: 'gone' }, admin.key)).toBe('NOT_FOUND');
  });

  it('record operations in the audit trail', async () => {
    await queryFirst('mutation { featureSet(feature: MCP, on: true) { features } }');
    const { json } = await team.ask('POST', '/json/2/svc.audit.event/search_read', {
      key: team.main.admin.key,
      body: { domain: [['event', '=', 'feature.set']], fields: ['success'] },
    });
    expect(json).toEqual([expect.objectContaining({ success: true })]);
  });
});
