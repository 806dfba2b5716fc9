import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { verifyDomain } from '../../../schema/email/domains/domain-verify.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../harness/app.ts';
import { setUp } from '../../harness/set-up.ts';
import { until } from '../../harness/wait.ts';
import { type ReceivedMessage, startSmtp } from '../../standins/smtp.ts';
import { openExchange } from '../exchange.ts';
import { callMailOk, loadMailbox } from '../mailboxes.ts';

export interface RelayedMessage {
  id: number;
  publicId: string;
  entry: number;
  received: ReceivedMessage;
}

/**
 * Sets up an application that sends through an SMTP relay, which returns bounces by mail, and the mailbox of its user.
 * @param buildSettings more settings, built before the application starts
 */
export function setUpRelayedMail(buildSettings: () => Record<string, string> = () => ({})) {
  const relay = setUp(startSmtp);
  const app = setUp(() =>
    startApp({
      MAIL_TRANSPORT: 'smtp',
      SMTP_URL: relay.url,
      MAIL_BOUNCES: 'on',
      DNS_SERVERS: '127.0.0.1:9',
      ...buildSettings(),
    }),
  );
  const facade = setUp(() => openExchange(app));
  const ann = setUp(async () => {
    const { main } = app;
    await verifyDomain(main.ctx, main.domain);
    const mailbox = await loadMailbox(main.ctx, main.user.id);
    await app.deliver();
    await app.fileMail();
    return mailbox;
  });

  /** Sends a message from the mailbox and waits until the relay has accepted it. */
  async function sendMail(to: string): Promise<RelayedMessage> {
    const subject = randomBytes(6).toString('hex');
    const message = { account_id: ann.id, to, subject, body: 'Hello.' };
    const { ok, entry_id: entry } = await callMailOk(app, 'compose_send', message);
    expect(ok).toBe(true);
    const loadRow = async () => {
      const [row] = await app.runtime.db.rows<{ id: number; publicId: string; state: string }>(
        sql`select id, public_id as "publicId", state from svc_email
         where workspace_id = ${app.main.ctx.workspace.id} and subject = ${subject}`,
      );
      return row!;
    };
    await until(async () => (await loadRow()).state === 'sent', 'it is sent');
    const { id, publicId } = await loadRow();
    return { id, publicId, entry, received: relay.received.find(({ raw }) => raw.includes(subject))! };
  }

  return { relay, app, facade, ann, sendMail };
}
