import { beforeAll, describe, expect, it } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { createScene, type Person } from './scene.ts';

// Linking a hidden record must not reveal its name.

const app = setUpApp();
const scene = createScene(app);
const admin = createJsonClient(app);
let seller: Person;
/** A company that does not include the seller. */
let company: number;
let hidden: number;
let visibleContact: number;
let lead: number;
beforeAll(async () => {
  company = await admin.create('res.company', { name: 'Second' });
  const createContact = (name: string) => admin.create('res.partner', { name, company_id: company });
  [hidden, visibleContact] = [await createContact('Zorro Hidden'), await createContact('Known Customer')];
  const groups = ['sales_team.group_sale_manager', 'base.group_partner_manager'];
  seller = await scene.addPerson('seller', await Promise.all(groups.map(scene.groupId)));
  lead = await admin.create('crm.lead', { name: 'Shown', partner_id: visibleContact, user_id: seller.id });
});

const parseRejection = async (response: Promise<{ status: number; text: string }>) => {
  const { status, text } = await response;
  expect([status, text]).toEqual([403, expect.not.stringContaining('Zorro')]);
};
const callJson2 = (path: string, body: object) => json2(app, path, body, seller.key);

describe('linking a hidden contact', () => {
  it('is rejected in a new record', async () => {
    await parseRejection(callJson2('crm.lead/create', { vals_list: [{ name: 'L', partner_id: hidden }] }));
    await parseRejection(
      callJson2('crm.lead/create', { vals_list: [{ name: 'L' }], context: { default_partner_id: hidden } }),
    );
    await parseRejection(callJson2('crm.lead/copy', { ids: [lead], default: { partner_id: hidden } }));
    await parseRejection(
      callJson2('crm.lead/web_save', { ids: [], vals: { name: 'L', partner_id: hidden }, specification: {} }),
    );
  });

  it('is rejected in a changed record', async () => {
    await parseRejection(callJson2('crm.lead/write', { ids: [lead], vals: { partner_id: hidden } }));
    await parseRejection(
      callJson2('crm.lead/web_save', { ids: [lead], vals: { partner_id: hidden }, specification: {} }),
    );
    const contact = await seller.create('res.partner', { name: 'Own' });
    await parseRejection(callJson2('res.partner/write', { ids: [contact], vals: { parent_id: hidden } }));
    expect((await admin.read('crm.lead', lead, ['partner_id'])).partner_id).toBe(visibleContact);
  });

  it('is rejected in a line and in a message', async () => {
    await parseRejection(callJson2('sale.order/create', { vals_list: [{ partner_id: hidden }] }));
    const child_ids = [[0, 0, { name: 'Below', company_id: company }]];
    await parseRejection(callJson2('res.partner/create', { vals_list: [{ name: 'Above', child_ids }] }));
    const contact = await seller.create('res.partner', { name: 'Above' });
    await parseRejection(callJson2('res.partner/write', { ids: [contact], vals: { child_ids } }));
    await parseRejection(callJson2('crm.lead/message_post', { ids: [lead], body: 'x', author_id: hidden }));
    await parseRejection(callJson2('crm.lead/message_subscribe', { ids: [lead], partner_ids: [hidden] }));
  });

  it('is rejected in an import', async () => {
    const answer = await callJson2('crm.lead/load', {
      fields: ['name', 'partner_id/.id'],
      data: [['L', String(hidden)]],
    });
    expect(answer.text).not.toContain('Zorro');
    expect(answer.json().ids || false).toBe(false);
  });

  it('is rejected in a GraphQL mutation', async () => {
    for (const query of [
      `mutation { crmLeadCreate(input: { name: "L", partnerId: "${hidden}" }) { partner { name } } }`,
      `mutation { crmLeadUpdate(id: "${lead}", input: { partnerId: "${hidden}" }) { partner { name } } }`,
    ]) {
      const answer = await post(`${app.url}/graphql`, { query }, seller.key);
      expect(answer.json().errors[0].extensions.code).toBe('ACCESS_ERROR');
      expect(answer.text).not.toContain('Zorro');
    }
  });
});

describe('linking a contact', () => {
  it("is allowed if one of the caller's records already shows it", async () => {
    expect((await seller.row('crm.lead', lead, ['partner_id'])).partner_id[1]).toContain('Known Customer');
    await seller.value('crm.lead/write', {
      ids: [lead],
      vals: { partner_id: visibleContact, name: 'Again' },
    });
    await seller.create('crm.lead', { name: 'Another', partner_id: visibleContact });
    await seller.value('crm.lead/copy', { ids: [lead] });
  });

  it('is allowed if the caller may read it', async () => {
    const open = await admin.create('res.partner', { name: 'Open' });
    await seller.value('crm.lead/write', { ids: [lead], vals: { partner_id: open } });
    await seller.value('crm.lead/message_subscribe', { ids: [lead], partner_ids: [open] });
    const ownId = await admin.create('res.partner', { name: 'Mine' });
    await admin.create('crm.lead', { name: 'Of all', partner_id: ownId });
  });
});
