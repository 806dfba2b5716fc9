import { describe, expect, it } from 'vitest';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { until } from '../harness/wait.ts';
import { subscribe, waitQuiet } from './listen.ts';

const app = setUpApp();
const admin = createJsonClient(app);

const LEADS = `subscription Leads($where: CrmLeadWhere, $after: String) {
  crmLeadChanged(where: $where, after: $after) { kind id cursor record { id name stage { name } expectedRevenue } }
}`;

const follow = (variables: Record<string, unknown> = {}, key = app.main.admin.key) =>
  subscribe(app.url, { key, query: LEADS, variables });

describe('record changes', () => {
  it('are sent to a subscriber with current values and related records', async () => {
    const leads = await follow();
    const id = await admin.create('crm.lead', { name: 'First', type: 'opportunity', expected_revenue: 5 });
    const [createdEvent] = await leads.waitForEvents(1);
    expect(createdEvent).toMatchObject({ kind: 'CREATED', id: String(id) });
    expect(createdEvent!.record).toMatchObject({ id: String(id), name: 'First', expectedRevenue: 5 });
    expect(createdEvent!.record.stage.name).toBe('New');
    await admin.value('crm.lead/write', { ids: [id], vals: { name: 'Second' } });
    const [, updatedEvent] = await leads.waitForEvents(2);
    expect(updatedEvent).toMatchObject({ kind: 'UPDATED', id: String(id), record: { name: 'Second' } });
    await admin.value('crm.lead/unlink', { ids: [id] });
    const [, , deletedEvent] = await leads.waitForEvents(3);
    expect(deletedEvent).toMatchObject({ kind: 'DELETED', id: String(id), record: null });
    expect(new Set(leads.events.map((event) => event.cursor)).size).toBe(3);
    leads.close();
  });

  it('are sent only for records that match the filter, or that no longer match it after the change', async () => {
    const leads = await follow({ where: { expectedRevenue: { gte: 100 } } });
    const smallId = await admin.create('crm.lead', { name: 'Small', expected_revenue: 1 });
    const great = await admin.create('crm.lead', { name: 'Great', expected_revenue: 500 });
    expect(await leads.waitForEvents(1)).toMatchObject([{ kind: 'CREATED', id: String(great) }]);
    await admin.value('crm.lead/write', { ids: [smallId], vals: { name: 'Still small' } });
    await admin.value('crm.lead/write', { ids: [great], vals: { expected_revenue: 2 } });
    expect((await leads.waitForEvents(2)).slice(1)).toMatchObject([
      { kind: 'LEFT', id: String(great), record: null },
    ]);
    await admin.value('crm.lead/write', { ids: [smallId, great], vals: { expected_revenue: 100 } });
    expect(
      (await leads.waitForEvents(4))
        .slice(2)
        .map((event) => [event.kind, event.id])
        .sort(),
    ).toEqual([
      ['ENTERED', String(smallId)],
      ['ENTERED', String(great)],
    ]);
    await admin.value('crm.lead/write', { ids: [smallId], vals: { name: 'Not so small' } });
    expect((await leads.waitForEvents(5))[4]).toMatchObject({ kind: 'UPDATED', id: String(smallId) });
    await admin.value('crm.lead/write', { ids: [smallId], vals: { active: false } });
    expect((await leads.waitForEvents(6))[5]).toMatchObject({ kind: 'LEFT', id: String(smallId) });
    await admin.value('crm.lead/unlink', { ids: [smallId, great] });
    expect((await leads.waitForEvents(7))[6]).toMatchObject({ kind: 'DELETED', id: String(great) });
    await waitQuiet();
    expect(leads.events).toHaveLength(7);
    leads.close();
  });

  it('include the deletion of every record that was created while the stream started', async () => {
    const {
      caller,
      key,
      id: userId,
    } = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
    const otherLeads = await follow();
    for (const name of ['Round 1', 'Round 2', 'Round 3']) {
      let isListed = false;
      const createLeads = async () => {
        while (!isListed) await admin.create('crm.lead', { name, user_id: userId });
      };
      const writers = [createLeads(), createLeads(), createLeads()];
      await until(() => otherLeads.events.some(({ record }) => record?.name === name), 'the writers start');
      const leads = await follow({ where: { name: { eq: name } } }, key);
      const ids: number[] = await caller.value('crm.lead/search', { domain: [['name', '=', name]] });
      isListed = true;
      await Promise.all(writers);
      const wasReported = (id: number, kind: string) =>
        leads.events.some((event) => event.kind === kind && event.id === String(id));
      // A record that is created and deleted between two polls is not reported.
      const lastId = await admin.create('crm.lead', { name, user_id: userId });
      await until(() => wasReported(lastId, 'CREATED'), 'the stream is up to date');
      await admin.value('crm.lead/unlink', { ids });
      await until(() => ids.every((id) => wasReported(id, 'DELETED')), 'all deletions are reported');
      leads.close();
    }
    otherLeads.close();
  });
});
