import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeMessageKey, type Filing, fileEntries } from '../../schema/mailbox/messages/file-entries.ts';
import { storeContent } from '../../schema/mailbox/messages/store-content.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';

const app = setUpApp();

const hash = (text: string) => createHash('sha256').update(text).digest().subarray(0, 16);

async function buildFiling(
  folderId: number,
  ids: string[],
  subject = 's',
  overrides: Partial<Filing> = {},
): Promise<Filing> {
  const rawHash = randomBytes(8).toString('hex');
  const contentId = await storeContent(app.main.ctx, {
    rawHash,
    rawWhole: true,
    size: 100,
    subject,
    from: { name: 'A', email: 'a@example.org' },
    recipients: { to: [], cc: [], replyTo: [] },
    dateHeader: null,
    messageId: ids[0] ?? null,
    inReplyTo: null,
    references: [],
    listId: null,
    snippet: '',
    text: '',
    hasHtml: false,
    isAutomatic: false,
    verdicts: null,
    state: 'parsed',
    parts: [],
  });
  return {
    folderId,
    contentId,
    size: 100,
    date: new Date('2026-03-04T05:06:07Z'),
    key: computeMessageKey(ids[0] ?? null, rawHash),
    threads: { refs: ids.map(hash), subject: hash(subject) },
    words: ['word', subject],
    source: 'import',
    ...overrides,
  };
}

async function findMailbox(): Promise<{ id: number; inbox: number }> {
  const [row] = await app.runtime.db.rows<{ id: number; inbox: number }>(
    sql`select a.id, f.id as inbox from svc_mail_account a
     join svc_mail_folder f on f.workspace_id = ${app.main.ctx.workspace.id} and f.account_id = a.id and f.role = 'inbox'
     where a.workspace_id = ${app.main.ctx.workspace.id} and a.owner_id = ${app.main.user.id}`,
  );
  return row!;
}

test('creates a mailbox with an address and folders for each user', async () => {
  const rows = await app.runtime.db.rows<{ address: string; roles: string[] }>(
    sql`select a.address, array_agg(f.role order by f.sequence) as roles from svc_mail_account a
     join svc_mail_folder f on f.workspace_id = ${app.main.ctx.workspace.id} and f.account_id = a.id
     where a.workspace_id = ${app.main.ctx.workspace.id} and a.owner_id = ${app.main.user.id} group by a.address`,
  );
  expect(rows).toEqual([
    { address: 'user@main.test', roles: ['inbox', 'drafts', 'sent', 'archive', 'spam', 'trash'] },
  ]);
});

test('assigns messages to the same conversations, regardless of the filing order', async () => {
  const { id, inbox } = await findMailbox();
  const { ctx } = app.main;
  const a = await buildFiling(inbox, ['a']);
  const b = await buildFiling(inbox, ['b', 'a']);
  const c = await buildFiling(inbox, ['c', 'b']);
  const other = await buildFiling(inbox, ['d', 'a'], 'another subject');
  const ids: number[] = [];
  for (const item of [c, a, other, b]) ids.push(...(await ctx.tx((tx) => fileEntries(tx, id, [item]))));
  const rows = await app.runtime.db.rows<{ thread_id: number }>(
    sql`select thread_id from svc_mail_entry where workspace_id = ${ctx.workspace.id} and id = any(${ids}) order by id`,
  );
  expect(rows.map((row) => row.thread_id)).toEqual([ids[0], ids[0], ids[2], ids[0]]);
  const extraMessages = await ctx.tx(async (tx) =>
    fileEntries(tx, id, [
      await buildFiling(inbox, ['f', 'e']),
      await buildFiling(inbox, ['e']),
      await buildFiling(inbox, ['x', 'f', 'a']),
    ]),
  );
  expect(extraMessages).toHaveLength(3);
  const [counts] = await app.runtime.db.rows(
    sql`select f.total, f.unread, (select sum(n)::int from svc_mail_bucket where workspace_id = ${ctx.workspace.id} and folder_id = f.id) as days,
       (select count(distinct thread_id)::int from svc_mail_entry where workspace_id = ${ctx.workspace.id} and folder_id = f.id) as threads,
       (select modseq from svc_mail_clock where workspace_id = ${ctx.workspace.id} and account_id = ${id}) as modseq
     from svc_mail_folder f where f.workspace_id = ${ctx.workspace.id} and f.id = ${inbox}`,
  );
  expect(counts).toEqual({ total: 7, unread: 7, days: 7, threads: 2, modseq: 5 });
});
