import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startWebhookWorker, type WebhookWorker } from '../../../schema/email/webhooks/worker.ts';
import { sql } from '../../../src/db/sql.ts';
import { type App, startApp } from '../../harness/app.ts';
import { until } from '../../harness/wait.ts';
import { findEntries } from '../exchange.ts';
import { callMailOk, loadMailbox, type Mailbox, queryGraphql } from '../mailboxes.ts';

export interface ReceivedCall {
  type: string;
  data: Record<string, unknown>;
  signed: boolean;
}

export async function openWebhookStage() {
  const calls: ReceivedCall[] = [];
  const secret = 'a secret of sixteen characters';
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString();
      const { type, data } = JSON.parse(raw);
      const at = request.headers['x-usesend-timestamp'];
      const mac = createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex');
      calls.push({ type, data, signed: request.headers['x-usesend-signature'] === `v1=${mac}` });
      response.end();
    });
  });
  let app!: App;
  let webhooks: WebhookWorker;
  let ann!: Mailbox;
  let bob!: Mailbox;
  const waitForEntry = async (box: Mailbox, subject: string) => {
    await until(async () => (await findEntries(app, box, subject)).length === 1, 'it is filed');
    return (await findEntries(app, box, subject))[0]!.id;
  };
  return {
    get app() {
      return app;
    },
    get ann() {
      return ann;
    },
    get bob() {
      return bob;
    },
    async begin() {
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
      app = await startApp({ WEBHOOK_ALLOW_PRIVATE: '1' });
      ann = await loadMailbox(app.main.ctx, app.main.user.id);
      bob = await loadMailbox(app.main.ctx, app.main.admin.id);
      await app.deliver();
      await app.fileMail();
      webhooks = startWebhookWorker(app.runtime);
    },
    async end() {
      await webhooks?.stop();
      await app?.close();
      server.close();
    },
    /** Adds a webhook. An empty list subscribes it to all types. */
    async hook(eventTypes: string[]) {
      const { port } = server.address() as AddressInfo;
      const { errors } = await queryGraphql(
        app,
        `mutation ($url: String!, $types: [WebhookEventType!], $secret: String) {
          webhookCreate(url: $url, eventTypes: $types, secret: $secret) { id }
        }`,
        {
          url: `http://127.0.0.1:${port}/`,
          types: eventTypes.map((eventType) => eventType.replace('.', '_').toUpperCase()),
          secret,
        },
        app.main.admin.key,
      );
      if (errors) throw new Error(JSON.stringify(errors));
    },
    async exchange(subject: string) {
      const { entry_id: sent } = await callMailOk(app, 'compose_send', {
        account_id: ann.id,
        to: bob.address,
        subject,
        body: 'Text.',
      });
      return { sent: Number(sent), received: await waitForEntry(bob, subject) };
    },
    callsOf: (type: string) =>
      app.runtime.db.rows(
        sql`select type from svc_webhook_call where workspace_id = ${app.main.ctx.workspace.id} and type like ${type}`,
      ),
    async waitForCalls(entryId: number, types: string[]) {
      const findCalls = () => calls.filter(({ data }) => data.id === String(entryId));
      await until(
        async () => types.every((type) => findCalls().some((item) => item.type === type)),
        'it is heard',
      );
      return findCalls();
    },
    async choose(person: 'user' | 'admin', accountId: number, detail: string) {
      const { data, errors } = await queryGraphql(
        app,
        `mutation ($id: ID!, $detail: MailboxEventDetail!) {
          mailboxEventsSet(accountId: $id, detail: $detail) { ok error }
        }`,
        { id: String(accountId), detail },
        app.main[person].key,
      );
      return errors ? errors[0].extensions : data.mailboxEventsSet;
    },
  };
}
