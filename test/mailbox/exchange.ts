import { type MailExchangeServer, startMailExchange } from '../../facades/smtp/mx/facade.ts';
import { createMailIntake } from '../../schema/mailbox/intake/mail-intake.ts';
import { sql } from '../../src/db/sql.ts';
import type { App } from '../harness/app.ts';
import { until } from '../harness/wait.ts';
import type { Mailbox } from './mailboxes.ts';

export const openExchange = ({ runtime }: App): Promise<MailExchangeServer> =>
  startMailExchange(runtime, createMailIntake(runtime), { port: 0, lmtpPort: 0 });

export const waitUntilFiled = ({ runtime }: App): Promise<void> =>
  until(async () => {
    const waiting = sql`select 1 from svc_mail_delivery where workspace_id > 0 and next_at is not null`;
    return (await runtime.db.rows(waiting)).length === 0;
  }, 'all is filed');

interface FiledEntry {
  id: number;
  folder_id: number;
  raw_hash: string;
  verdicts: object | null;
}

export const findEntries = ({ main: { ctx } }: App, box: Mailbox, subject: string): Promise<FiledEntry[]> =>
  ctx.db.rows<FiledEntry>(
    sql`select e.id, e.folder_id, c.raw_hash, c.verdicts from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${ctx.workspace.id} and e.account_id = ${box.id} and c.subject = ${subject}`,
  );
