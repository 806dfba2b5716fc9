import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { callMailOk, queryGraphql, setMailFeature, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const ids: Record<string, number> = {};

const MESSAGES = ['A1', 'B1', 'A2', 'C1', 'B2', 'C2', 'A3'];

beforeAll(async () => {
  for (const [n, name] of MESSAGES.entries()) {
    const [talk, number] = [name[0]!, Number(name[1])];
    const refs = Array.from({ length: number - 1 }, (_, i) => `<${talk}${i + 1}@x>`).join(' ');
    ids[name] = await fileRaw(
      app.main,
      mailbox,
      `From: P${number} <p${number}@example.org>\nSubject: ${number > 1 ? 'Re: ' : ''}Talk ${talk}\n` +
        `Message-ID: <${name}@x>\nReferences: ${refs}\nDate: ${new Date(Date.UTC(2026, 2, n + 1)).toUTCString()}\n\n` +
        `Text of ${name}\n`,
    );
  }
});

interface Page {
  nodes: { id: string; [field: string]: unknown }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

async function list(args: string, fields = 'id subject'): Promise<Page> {
  const query = `{ mailThreads(mailboxId: ${mailbox.id}, ${args}) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
  const { data, errors } = await queryGraphql(app, query);
  expect(errors).toBeUndefined();
  return data.mailThreads;
}

const getSubjects = ({ nodes }: Page) => nodes.map(({ subject }) => subject);

test('lists each conversation once with its contents, newest message first', async () => {
  const { nodes } = await list(
    'first: 10',
    'id subject preview count unread isStarred date participants { email } newest { subject isRead } messages { subject }',
  );
  expect(nodes.map(({ subject, count, unread }) => [subject, count, unread])).toEqual([
    ['Re: Talk A', 3, 3],
    ['Re: Talk C', 2, 2],
    ['Re: Talk B', 2, 2],
  ]);
  expect(nodes[0]).toEqual({
    id: String(ids.A1),
    subject: 'Re: Talk A',
    preview: 'Text of A3',
    count: 3,
    unread: 3,
    isStarred: false,
    date: '2026-03-07T00:00:00.000Z',
    participants: [{ email: 'p3@example.org' }, { email: 'p2@example.org' }, { email: 'p1@example.org' }],
    newest: { subject: 'Re: Talk A', isRead: false },
    messages: [{ subject: 'Talk A' }, { subject: 'Re: Talk A' }, { subject: 'Re: Talk A' }],
  });
});

test('returns consecutive pages of any size', async () => {
  for (const first of [1, 2]) {
    const ids: string[] = [];
    for (let after: string | null = null; ; ) {
      const page: Page = await list(`first: ${first}${after ? `, after: "${after}"` : ''}`);
      ids.push(...(getSubjects(page) as string[]));
      after = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(ids).toEqual(['Re: Talk A', 'Re: Talk C', 'Re: Talk B']);
  }
  const { errors } = await queryGraphql(
    app,
    `{ mailThreads(mailboxId: ${mailbox.id}, after: "x") { nodes { id } } }`,
  );
  expect(errors[0].extensions.code).toBe('BAD_REQUEST');
});

test("lists a folder's conversations, sorted by their newest message in the folder", async () => {
  await callMailOk(app, 'set_flags', { entry_ids: [ids.A3, ids.B2], vals: { archive: true } });
  const inbox = await list(`folderId: ${mailbox.folders.inbox}`);
  expect(getSubjects(inbox)).toEqual(['Re: Talk C', 'Re: Talk A', 'Re: Talk B']);
  const archive = await list(`folderId: ${mailbox.folders.archive}`, 'id count');
  expect(archive.nodes).toEqual([
    { id: String(ids.A1), count: 3 },
    { id: String(ids.B1), count: 2 },
  ]);
  await callMailOk(app, 'set_flags', { entry_ids: [ids.C2], vals: { trash: true } });
  expect((await list(`first: 5`, 'id count')).nodes).toEqual([
    { id: String(ids.A1), count: 3 },
    { id: String(ids.B1), count: 2 },
    { id: String(ids.C1), count: 1 },
  ]);
  const trash = await list(`folderId: ${mailbox.folders.trash}`, 'id count');
  expect(trash.nodes).toEqual([{ id: String(ids.C1), count: 2 }]);
  await callMailOk(app, 'set_flags', { entry_ids: [ids.C2], vals: { untrash: true } });
});

test('returns a conversation by its id, by its messages and by a filter', async () => {
  const query = `{ mailThread(id: ${ids.C1}) { subject messages { isRead thread { id } } }
    mailMessages(where: {threadId: {eq: ${ids.C1}}}) { totalCount nodes { threadId } } }`;
  const { data, errors } = await queryGraphql(app, query);
  expect(errors).toBeUndefined();
  const id = String(ids.C1);
  expect(data.mailThread.messages).toEqual([
    { isRead: false, thread: { id } },
    { isRead: false, thread: { id } },
  ]);
  expect(data.mailMessages).toEqual({ totalCount: 2, nodes: [{ threadId: id }, { threadId: id }] });
});

test('merges conversations into the oldest when a message connects them', async () => {
  const file = (number: number, refs: string) =>
    fileRaw(
      app.main,
      mailbox,
      `From: p@example.org\nSubject: ${number > 1 ? 'Re: ' : ''}Links\nMessage-ID: <L${number}@x>\n` +
        `References: ${refs}\n\nText\n`,
    );
  const first = await file(1, '');
  await file(3, '<L2@x>');
  await file(2, '<L1@x>');
  const query = `{ mailThread(id: ${first}) { messages { thread { id } } } }`;
  const { data } = await queryGraphql(app, query);
  expect(data.mailThread.messages).toEqual(Array(3).fill({ thread: { id: String(first) } }));
});

test("returns the same error for other users' conversations as for nonexistent ones", async () => {
  const { key } = app.main.admin;
  const messages: string[] = [];
  for (const query of [
    `{ mailThread(id: ${ids.A1}) { id } }`,
    '{ mailThread(id: 999999) { id } }',
    `{ mailThreads(mailboxId: ${mailbox.id}) { nodes { id } } }`,
    '{ mailThreads(mailboxId: 999999) { nodes { id } } }',
  ]) {
    const { errors } = await queryGraphql(app, query, {}, key);
    expect(errors[0].extensions.code).toBe('ACCESS_ERROR');
    messages.push(errors[0].message);
  }
  expect(messages[0]).toBe(messages[1]);
  expect(messages[2]).toBe(messages[3]);
});

test('limits the number of messages returned with conversations', async () => {
  const readPage = (first: number, fields: string) =>
    queryGraphql(
      app,
      `{ mailThreads(mailboxId: ${mailbox.id}, first: ${first}) { nodes { messages { ${fields} } } } }`,
    );
  for (const fields of ['textReply', 'attachments { url }'])
    expect((await readPage(98, fields)).errors[0].extensions.code).toBe('TOO_COMPLEX');
  expect((await readPage(98, 'subject')).errors).toBeUndefined();
});

test('rejects conversations if mail.threading is off', async () => {
  await setMailFeature(app, 'mail.threading', false);
  const { errors } = await queryGraphql(app, `{ mailThreads(mailboxId: ${mailbox.id}) { nodes { id } } }`);
  expect(errors[0].message).toContain('mail.threading');
  const { data } = await queryGraphql(app, `{ mailMessage(id: ${ids.A1}) { subject thread { id } } }`);
  expect(data.mailMessage).toEqual({ subject: 'Talk A', thread: null });
});
