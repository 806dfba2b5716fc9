import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createMailbox } from '../../schema/mailbox/accounts/create-mailbox.ts';
import { computeMessageKey, type Filing, fileEntries } from '../../schema/mailbox/messages/file-entries.ts';
import { storeContent } from '../../schema/mailbox/messages/store-content.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { type App, post } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { setUp } from '../harness/set-up.ts';

export interface Mailbox {
  id: number;
  address: string;
  folders: Record<'inbox' | 'drafts' | 'sent' | 'archive' | 'spam' | 'trash', number>;
}

export async function loadMailbox(ctx: Ctx, userId: number): Promise<Mailbox> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_account
     where workspace_id = ${ctx.workspace.id} and owner_id = ${userId} and kind = 'personal'`,
  );
  return loadMailboxById(ctx, row!.id);
}

async function loadMailboxById(ctx: Ctx, id: number): Promise<Mailbox> {
  const rows = await ctx.db.rows<{ role: keyof Mailbox['folders']; id: number; address: string }>(
    sql`select f.role, f.id, a.address from svc_mail_folder f
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = f.account_id
     where f.workspace_id = ${ctx.workspace.id} and f.account_id = ${id} and f.role is not null`,
  );
  const folders = Object.fromEntries(rows.map((row) => [row.role, row.id])) as Mailbox['folders'];
  return { id, address: rows[0]!.address, folders };
}

/** Returns the personal mailbox of a user of the main workspace to the tests of the calling file. */
export const setUpMailbox = (app: App, person: 'admin' | 'user' = 'user'): Mailbox =>
  setUp(() => loadMailbox(app.main.ctx, app.main[person].id));

export async function createSharedMailbox(ctx: Ctx, memberIds: number[], name = 'shared'): Promise<Mailbox> {
  const address = `${name}-${randomBytes(4).toString('hex')}@${ctx.workspace.slug}.test`;
  const id = await createMailbox(ctx, {
    kind: 'shared',
    name,
    address,
    ownerId: null,
    companyId: null,
    memberIds,
  });
  return loadMailboxById(ctx, id);
}

const hash = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);

export type FilingOptions = Partial<Filing> & {
  subject?: string;
  messageId?: string;
  from?: string;
  text?: string;
};

export async function fileMessage(
  ctx: Ctx,
  accountId: number,
  folderId: number,
  options: FilingOptions = {},
) {
  const {
    subject = 'A subject',
    from = 'sender@example.org',
    messageId = `${randomBytes(8).toString('hex')}@example.org`,
    text = 'Some text.',
    ...more
  } = options;
  const rawHash = randomBytes(16).toString('hex');
  const contentId =
    more.contentId ?? (await storeContent(ctx, buildContent({ rawHash, subject, from, messageId, text })));
  const filing: Filing = {
    folderId,
    contentId,
    size: 100,
    date: new Date('2026-03-04T05:06:07Z'),
    key: computeMessageKey(messageId, rawHash),
    threads: { refs: [hash(messageId)], subject: hash(subject) },
    words: ['word'],
    source: 'import',
    ...more,
  };
  const [id] = await ctx.tx((tx) => fileEntries(tx, accountId, [filing]));
  return { id: id!, contentId };
}

export async function fileMany(ctx: Ctx, accountId: number, folderId: number, dates: Date[]): Promise<void> {
  const { contentId } = await fileMessage(ctx, accountId, folderId, { date: dates[0]! });
  const filings = dates.slice(1).map(
    (date, index): Filing => ({
      folderId,
      contentId,
      size: 100,
      date,
      key: computeMessageKey(`${index}@example.org`, 'raw'),
      threads: { refs: [hash(`${index}`)], subject: hash('many') },
      words: ['word'],
      source: 'import',
    }),
  );
  await ctx.tx((tx) => fileEntries(tx, accountId, filings));
}

const buildContent = (values: Record<'rawHash' | 'subject' | 'from' | 'messageId' | 'text', string>) => ({
  rawHash: values.rawHash,
  rawWhole: true,
  size: 100,
  subject: values.subject,
  from: { name: 'A sender', email: values.from },
  recipients: { to: [{ name: '', email: 'to@example.org' }], cc: [], replyTo: [] },
  dateHeader: null,
  messageId: values.messageId,
  inReplyTo: null,
  references: [],
  listId: null,
  snippet: values.text,
  text: values.text,
  hasHtml: false,
  isAutomatic: false,
  verdicts: null,
  state: 'parsed' as const,
  parts: [],
});

export async function callMail(app: App, method: string, args: object = {}, key = app.main.user.key) {
  const response = await post(`${app.url}/json/2/svc.mail.account/${method}`, args, key);
  return { status: response.status, body: response.json() };
}

export async function callMailOk(app: App, method: string, args: object = {}, key = app.main.user.key) {
  const { status, body } = await callMail(app, method, args, key);
  if (status !== 200) throw new Error(`${method}: ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function queryGraphql(app: App, query: string, variables: object = {}, key = app.main.user.key) {
  const response = await post(`${app.url}/graphql`, { query, variables }, key);
  return response.json();
}

export async function setMailFeature(app: App, key: string, isOn: boolean): Promise<void> {
  const query =
    'mutation ($key: String!, $on: Boolean!) { mailFeatureSet(key: $key, isOn: $on) { key isOn } }';
  const { mailFeatureSet } = await queryData(app, query, { variables: { key, on: isOn } });
  expect(mailFeatureSet).toContainEqual({ key, isOn });
}

export async function runWithoutFeature(app: App, key: string, run: () => Promise<void>): Promise<void> {
  await setMailFeature(app, key, false);
  await run().finally(() => setMailFeature(app, key, true));
}

export async function loadStates(ctx: Ctx, ids: number[]) {
  const rows = await ctx.db.rows<{ id: number; folder_id: number; is_read: boolean; is_starred: boolean }>(
    sql`select id, folder_id, is_read, is_starred from svc_mail_entry
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) order by id`,
  );
  return rows;
}
