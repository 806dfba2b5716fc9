import { expect } from 'vitest';
import { runCampaigns } from '../../schema/email/campaigns/run.ts';
import { acceptMessage } from '../../schema/mailbox/intake/accept.ts';
import { sql } from '../../src/db/sql.ts';
import type { App } from '../harness/app.ts';
import type { Tenant } from '../harness/tenant.ts';
import { loadMailbox } from '../mailbox/mailboxes.ts';

/** Requests of a workspace that store rows of several tables. */
export interface Workload {
  sendWithKey(subject: string): Promise<void>;
  sendBatch(subject: string): Promise<void>;
  upload(content: string): Promise<void>;
  receive(subject: string): Promise<void>;
  putContacts(emails: readonly string[]): Promise<void>;
  deleteContact(email: string): Promise<void>;
  /** Starts a campaign to all contacts, and creates its emails. */
  startCampaign(subject: string): Promise<void>;
  /** Unsubscribes with the link of the last campaign email to the address. */
  unsubscribe(email: string): Promise<void>;
}

export async function createWorkload(app: App, tenant: Tenant): Promise<Workload> {
  const { rows } = app.runtime.db;
  const workspace = tenant.ctx.workspace.id;
  const from = `a@${tenant.domain}`;
  const { address } = await loadMailbox(tenant.ctx, tenant.user.id);

  async function request(method: string, path: string, body: unknown, headers = {}) {
    const response = await fetch(`${app.url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${tenant.teamKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300);
    return JSON.parse(text);
  }

  const buildMail = (subject: string) => ({ from, to: 'b@example.org', subject, text: 't' });
  const { id: book } = await request('POST', 'contactBooks', { name: 'Readers' });
  const contacts = `contactBooks/${book}/contacts`;

  return {
    async sendWithKey(subject) {
      const send = () => request('POST', 'emails', buildMail(subject), { 'idempotency-key': subject });
      const { emailId } = await send();
      expect(await send()).toMatchObject({ emailId });
    },
    async sendBatch(subject) {
      const { data } = await request('POST', 'emails/batch', [buildMail(subject), buildMail(subject)]);
      expect(data).toHaveLength(2);
    },
    async upload(content) {
      const response = await fetch(`${app.url}/web/uploads?filename=a.txt`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${tenant.admin.key}` },
        body: content,
      });
      expect(response.status, await response.text()).toBeLessThan(300);
    },
    async receive(subject) {
      const raw = Buffer.from(
        `From: s@example.org\r\nTo: ${address}\r\nSubject: ${subject}\r\n\r\nText.\r\n`,
      );
      const message = { sender: 's@example.org', recipients: [address], raw, source: 'local' as const };
      expect([...(await acceptMessage(app.runtime, message)).values()]).toEqual(['accepted']);
    },
    async putContacts(emails) {
      await request(
        'POST',
        `${contacts}/bulk`,
        emails.map((email) => ({ email })),
      );
    },
    async deleteContact(email) {
      const [row] = await rows<{ public_id: string }>(
        sql`select public_id from svc_contact where workspace_id = ${workspace} and email = ${email}`,
      );
      await request('DELETE', `${contacts}/${row!.public_id}`, undefined);
    },
    async startCampaign(subject) {
      const html = '<a href="{{usesend_unsubscribe_url}}">leave</a>';
      const campaign = { name: subject, from, subject, contactBookId: book, html };
      const { id } = await request('POST', 'campaigns', campaign);
      await request('POST', `campaigns/${id}/schedule`, {});
      await runCampaigns(app.runtime, workspace);
      expect((await request('GET', `campaigns/${id}`, undefined)).status).toBe('SENT');
    },
    async unsubscribe(email) {
      const [row] = await rows<{ url: string }>(
        sql`select headers->>'List-Unsubscribe' as url from svc_email
         where workspace_id = ${workspace} and campaign_id is not null and "to" = array[${email}::text]
         order by id desc limit 1`,
      );
      const url = new URL(row!.url.slice(1, -1));
      const response = await fetch(`${app.url}${url.pathname}${url.search}`, { method: 'POST' });
      expect(response.status, await response.text()).toBeLessThan(300);
      const [contact] = await rows<{ subscribed: boolean }>(
        sql`select subscribed from svc_contact where workspace_id = ${workspace} and email = ${email}`,
      );
      expect(contact).toEqual({ subscribed: false });
    },
  };
}

/** @param name distinguishes the rows of repeated runs */
export async function runAll(workload: Workload, name: string): Promise<void> {
  const [ann, bob, carl] = ['ann', 'bob', 'carl'].map(
    (local) => `${local}@${name.replaceAll(' ', '-')}.example`,
  );
  await workload.sendWithKey(`key of ${name}`);
  await workload.sendBatch(`batch of ${name}`);
  await workload.upload(`content of ${name}`);
  await workload.receive(`mail for ${name}`);
  await workload.putContacts([ann!, bob!, carl!]);
  await workload.putContacts([ann!, bob!]);
  await workload.deleteContact(carl!);
  await workload.startCampaign(`campaign of ${name}`);
  await workload.unsubscribe(ann!);
}
