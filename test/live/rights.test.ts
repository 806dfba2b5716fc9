import { beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { until } from '../harness/wait.ts';
import { subscribe, waitQuiet } from './listen.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let seller: { id: number; key: string };

beforeAll(async () => {
  seller = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
});

const LEADS = `subscription Leads($after: String) {
  crmLeadChanged(after: $after) { kind id cursor record { id name } }
}`;
const follow = (key: string) => subscribe(app.url, { key, query: LEADS });
const createLead = (values: object) => admin.create('crm.lead', { name: 'A lead', ...values });

describe('a record rule', () => {
  it('hides excluded records and their ids from a subscriber', async () => {
    const subscription = await follow(seller.key);
    const otherId = await createLead({ user_id: app.main.admin.id });
    await admin.value('crm.lead/write', { ids: [otherId], vals: { name: 'Still not yours' } });
    await admin.value('crm.lead/unlink', { ids: [otherId] });
    const ownLead = await createLead({ user_id: seller.id });
    await subscription.waitForEvents(1);
    await waitQuiet();
    expect(subscription.events.map(({ kind, id }) => [kind, id])).toEqual([['CREATED', String(ownLead)]]);
    expect(subscription.ended).toBe(null);
    subscription.close();
  });

  it('is evaluated for each event, so a record can leave the subscription and return', async () => {
    const id = await createLead({ user_id: seller.id });
    const subscription = await follow(seller.key);
    await admin.value('crm.lead/write', { ids: [id], vals: { user_id: app.main.admin.id } });
    expect(await subscription.waitForEvents(1)).toMatchObject([
      { kind: 'DELETED', id: String(id), record: null },
    ]);
    await admin.value('crm.lead/write', { ids: [id], vals: { name: 'Renamed meanwhile' } });
    await waitQuiet();
    expect(subscription.events).toHaveLength(1);
    await admin.value('crm.lead/write', { ids: [id], vals: { user_id: seller.id } });
    expect((await subscription.waitForEvents(2))[1]).toMatchObject({
      kind: 'ENTERED',
      record: { name: 'Renamed meanwhile' },
    });
    await admin.value('crm.lead/unlink', { ids: [id] });
    expect((await subscription.waitForEvents(3))[2]).toMatchObject({ kind: 'DELETED', id: String(id) });
    subscription.close();
  });

  it('takes effect with the next event after it is changed', async () => {
    const id = await createLead({ user_id: app.main.admin.id });
    const subscription = await follow(seller.key);
    const [rule] = await admin.value('ir.rule/search', {
      domain: [['name', '=', 'own and unassigned leads']],
    });
    const [{ domain_force }] = await admin.value('ir.rule/read', { ids: [rule], fields: ['domain_force'] });
    await admin.value('ir.rule/write', { ids: [rule], vals: { domain_force: "[(1, '=', 1)]" } });
    await admin.value('crm.lead/write', { ids: [id], vals: { name: 'Open now' } });
    expect(await subscription.waitForEvents(1)).toMatchObject([
      { kind: 'ENTERED', record: { name: 'Open now' } },
    ]);
    await admin.value('ir.rule/write', { ids: [rule], vals: { domain_force } });
    await admin.value('crm.lead/write', { ids: [id], vals: { name: 'Closed again' } });
    const [, last] = await subscription.waitForEvents(2);
    expect(last).toMatchObject({ kind: 'DELETED', record: null });
    subscription.close();
  });
});

describe('live subscription', () => {
  it('ends with a reason when the user loses access to the model', async () => {
    const otherClient = await addMember(app, app.main, 'leaver', ['sales_team.group_sale_salesman']);
    const subscription = await follow(otherClient.key);
    const groups = await admin.value('res.groups/search', { domain: [['user_ids', 'in', otherClient.id]] });
    await admin.value('res.users/write', {
      ids: [otherClient.id],
      vals: { group_ids: groups.map((id: number) => [3, id]) },
    });
    await createLead({});
    await subscription.waitForEvents(1);
    expect(subscription.events).toEqual([]);
    expect(subscription.errors[0]!.extensions.code).toBe('ACCESS_ERROR');
    expect(subscription.ended).toBe('complete');
  });

  it('fails without access to the model', async () => {
    const subscription = await follow(app.main.user.key);
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions.code).toBe('ACCESS_ERROR');
  });

  it.each([
    ['a condition', 'where: { newPassword: { isNull: true } }'],
    ['a domain', 'domain: [["new_password", "=", false]]'],
  ])('fails if %s refers to a hidden field', async (_how, condition) => {
    const query = `subscription { userChanged(${condition}) { kind record { login } } }`;
    const allowedSubscription = await subscribe(app.url, { key: app.main.admin.key, query });
    const subscription = await subscribe(app.url, { key: seller.key, query });
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions).toMatchObject({ code: 'ACCESS_ERROR', field: 'new_password' });
    expect(subscription.ended).toBe('complete');
    await admin.value('res.users/write', { ids: [seller.id], vals: { phone: '+47 1' } });
    expect(await allowedSubscription.waitForEvents(1)).toMatchObject([{ record: { login: 'seller' } }]);
    allowedSubscription.close();
  });

  it('returns null for a hidden field, and lists the field as hidden', async () => {
    const query = 'subscription { userChanged { kind record { login newPassword } } }';
    const allowedSubscription = await subscribe(app.url, { key: app.main.admin.key, query });
    const subscription = await subscribe(app.url, { key: seller.key, query });
    await admin.value('res.users/write', { ids: [seller.id], vals: { phone: '+47 2' } });
    const event = { kind: 'UPDATED', record: { login: 'seller', newPassword: null } };
    expect(await subscription.waitForEvents(1)).toEqual([event]);
    expect(subscription.errors).toEqual([]);
    expect(subscription.extensions).toEqual([{ hidden: ['User.newPassword'] }]);
    expect(await allowedSubscription.waitForEvents(1)).toEqual([event]);
    expect(allowedSubscription.extensions).toEqual([]);
    subscription.close();
    allowedSubscription.close();
  });

  it('receives no events from another workspace', async () => {
    const otherTenant = await app.tenant('other');
    const subscription = await follow(otherTenant.admin.key);
    const id = await createLead({});
    await admin.value('crm.lead/unlink', { ids: [id] });
    const otherId = await createJsonClient(app, otherTenant.admin.key).create('crm.lead', { name: 'Theirs' });
    expect(await subscription.waitForEvents(1)).toMatchObject([
      { id: String(otherId), record: { name: 'Theirs' } },
    ]);
    await waitQuiet();
    expect(subscription.events).toHaveLength(1);
    subscription.close();
  });

  it('ends when its key is revoked, even while idle', async () => {
    const otherClient = await addMember(app, app.main, 'revoked', ['sales_team.group_sale_salesman']);
    const subscription = await follow(otherClient.key);
    const [id] = await admin.value('svc.api.key/search', { domain: [['user_id', '=', otherClient.id]] });
    await postGraphql(app, `mutation { keyRevoke(id: ${id}) { id } }`, { key: app.main.admin.key });
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions.code).toBe('UNAUTHENTICATED');
    expect(subscription.ended).toBe('complete');
  });

  it('delivers no change after its key is revoked, while another key of the user follows the same records', async () => {
    const user = await addMember(app, app.main, 'both', ['sales_team.group_sale_salesman']);
    for (let round = 0; round < 5; round++) {
      const names = { kept: `kept ${round}`, revoked: `revoked ${round}` };
      const [kept, revoked] = await Promise.all(
        [names.kept, names.revoked].map(async (name) => {
          const { key } = await createKey(app.main.ctx, { name, userId: user.id, scopes: [], days: null });
          return follow(key);
        }),
      );
      await createLead({ name: 'Before', user_id: user.id });
      await Promise.all([kept!.waitForEvents(1), revoked!.waitForEvents(1)]);
      const [id] = await admin.value('svc.api.key/search', { domain: [['name', '=', names.revoked]] });
      await postGraphql(app, `mutation { keyRevoke(id: ${id}) { id } }`, { key: app.main.admin.key });
      await createLead({ name: 'After', user_id: user.id });
      expect((await kept!.waitForEvents(2))[1]).toMatchObject({ record: { name: 'After' } });
      await until(() => revoked!.ended, 'the stream ends');
      expect(revoked!.events).toHaveLength(1);
      kept!.close();
    }
  });
});
