import { beforeAll, expect, test } from 'vitest';
import { MAX_TEXT_SEARCHES } from '../../schema/graph/read/text-searches.ts';
import { setUpApp } from '../harness/app.ts';
import { callMailOk, queryGraphql, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');

beforeAll(async () => {
  const buildMail = (from: string, subject: string, text: string) =>
    `From: ${from}@example.org\nSubject: ${subject}\nMessage-ID: <${from}.${subject}@x>\n\n${text}\n`;
  for (const [from, subject, text] of [
    ['ann', 'one', 'the budget of spring'],
    ['ann', 'two', 'the budget of autumn'],
    ['bob', 'three', 'the budget of spring'],
    ['bob', 'four', 'a walk in spring'],
  ] as const)
    await fileRaw(app.main, mailbox, buildMail(from, subject, text));
  await fileRaw(app.main, otherMailbox, buildMail('ann', 'theirs', 'the budget of spring'));
});

const list = (where: string, extra = '', key?: string) =>
  queryGraphql(
    app,
    `{ mailMessages(where: ${where}${extra}) { totalCount nodes { subject } pageInfo { hasNextPage endCursor } } }`,
    {},
    key,
  );

async function listSubjects(where: string, extra?: string, key?: string): Promise<string[]> {
  const { data, errors } = await list(where, extra, key);
  expect(errors).toBeUndefined();
  const { nodes, totalCount } = data.mailMessages;
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ subject }: { subject: string }) => subject).sort();
}

test.each<[string, string[]]>([
  ['{matches: "budget"}', ['one', 'three', 'two']],
  ['{matches: "budget from:ann"}', ['one', 'two']],
  ['{matches: "budget", subject: {startsWith: "t"}}', ['three', 'two']],
  ['{matches: "\\"budget of spring\\"", emailFrom: {eq: "ann@example.org"}}', ['one']],
  ['{or: [{matches: "walk"}, {subject: {eq: "one"}}]}', ['four', 'one']],
  ['{not: {matches: "budget"}}', ['four']],
  ['{and: [{matches: "spring"}, {matches: "from:bob"}]}', ['four', 'three']],
  ['{matches: "nowhere"}', []],
])('finds the messages that match %s', async (where, expected) => {
  expect(await listSubjects(where)).toEqual(expected);
});

test('combines with sorting and pagination', async () => {
  const readPage = async (after: string) => {
    const { data } = await list('{matches: "spring"}', `, first: 2, orderBy: [{field: SUBJECT}]${after}`);
    return data.mailMessages;
  };
  const first = await readPage('');
  expect(first.nodes).toEqual([{ subject: 'four' }, { subject: 'one' }]);
  expect(first).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  const second = await readPage(`, after: "${first.pageInfo.endCursor}"`);
  expect(second.nodes).toEqual([{ subject: 'three' }]);
});

test("filters a folder's messages, folders by their messages, and message groups", async () => {
  const query = `{
    mailFolder(id: ${mailbox.folders.inbox}) { messages(where: {matches: "budget"}) { totalCount nodes { subject } } }
    mailFolders(where: {messages: {some: {matches: "budget"}}}) { nodes { role } }
    none: mailFolders(where: {messages: {some: {matches: "nowhere"}}}) { totalCount }
    mailMessageGroups(where: {matches: "spring"}, groupBy: [{field: IS_READ}]) { count }
  }`;
  const { data, errors } = await queryGraphql(app, query);
  expect(errors).toBeUndefined();
  expect(data.mailFolder.messages.totalCount).toBe(3);
  expect(data.mailFolders.nodes).toEqual([{ role: 'INBOX' }]);
  expect(data.none.totalCount).toBe(0);
  expect(data.mailMessageGroups).toEqual([{ count: 3 }]);
});

test("searches all of the caller's mailboxes, or only the specified one", async () => {
  const { key } = app.main.admin;
  expect(await listSubjects('{matches: "budget"}', '', key)).toEqual(['theirs']);
  expect(await listSubjects(`{matches: "budget", mailboxId: {eq: ${mailbox.id}}}`, '', key)).toEqual([]);
  await callMailOk(app, 'create_label', { account_id: mailbox.id, name: 'red' });
  expect(await listSubjects(`{matches: "label:red", mailboxId: {eq: ${mailbox.id}}}`)).toEqual([]);
});

test('rejects an empty or invalid search, and more searches than the limit', async () => {
  const texts = Array.from({ length: MAX_TEXT_SEARCHES + 1 }, (_, n) => `{matches: "w${n}"}`).join(' ');
  for (const where of [
    '{matches: " "}',
    '{matches: null}',
    '{matches: "before:31.01.2026"}',
    `{or: [${texts}]}`,
  ])
    expect([where, (await list(where)).errors[0].extensions.code]).toEqual([where, 'BAD_REQUEST']);
});
