import pg from 'pg';
import { beforeAll, expect, test, vi } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { callMailOk, queryGraphql, setUpMailbox } from './mailboxes.ts';
import { seedMailbox } from './seed.ts';

const MAX_ROWS_READ = 5_000;
const MESSAGES = 40_000;

const app = setUpApp();
const box = setUpMailbox(app);
/** Argument `after` for the conversations that follow the first 5,000. */
let inboxCursor: string;

beforeAll(async () => {
  const { pool } = app.runtime.db;
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  const workspace = app.main.ctx.workspace.id;
  await seedMailbox((text, values) => client.query(text, values), {
    workspace,
    account: box.id,
    count: MESSAGES,
    days: 400,
  });
  await client.query('analyze svc_mail_search, svc_mail_entry, svc_mail_message, svc_mail_bucket');
  client.release(true);
  inboxCursor = await findInboxCursor(5_000);
}, 300_000);

interface SentStatement {
  text: string;
  values?: unknown[];
}

async function recordStatements(run: () => Promise<unknown>): Promise<SentStatement[]> {
  const sentStatements: SentStatement[] = [];
  const { query } = pg.Client.prototype;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [statement] = args as [SentStatement | string];
    if (typeof statement === 'object' && /svc_mail_(entry|search|bucket|label|message)/.test(statement.text))
      sentStatements.push({ text: statement.text, values: statement.values });
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as never);
  await run().finally(() => spy.mockRestore());
  return sentStatements;
}

interface Node {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** Explains a query with sequential scans disabled, because PostgreSQL prefers them for such a small table. */
async function explainQuery(text: string, values: unknown[] = []) {
  const client = await app.runtime.db.pool.connect();
  try {
    await client.query('begin; set local enable_seqscan = off');
    return (await client.query(`explain (analyze, timing off, format json) ${text}`, values)).rows;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/**
 * Returns the rows per loop that a filter removed. PostgreSQL rounds this mean (0.6 becomes 1), so subquery scans are
 * counted by their child node.
 */
const countRemoved = (node: Node): number =>
  node['Node Type'] === 'Subquery Scan' ? 0 : (node['Rows Removed by Filter'] ?? 0);

/** Returns the maximum number of rows read by any plan node. */
async function countRowsRead({ text, values }: SentStatement): Promise<number> {
  const rows = await explainQuery(text, values);
  const countRows = (node: Node): number =>
    Math.max(
      // A bitmap index scan returns row pointers, not rows.
      node['Node Type'] === 'Bitmap Index Scan'
        ? 0
        : (node['Actual Rows'] + countRemoved(node)) * node['Actual Loops'],
      ...(node.Plans ?? []).map(countRows),
    );
  return countRows(rows[0]['QUERY PLAN'][0].Plan);
}

const listPage = (args: object) => () =>
  callMailOk(app, 'get_entries', { folder_id: box.folders.inbox, limit: 50, ...args });

const queryMailbox = (query: string) => () =>
  queryGraphql(
    app,
    `query ($ids: [ID!]!, $query: String!) { mailSearch(mailboxIds: $ids, query: $query) { count } }`,
    {
      ids: [box.id],
      query,
    },
  );

const buildMessages = (where: string) => () =>
  queryGraphql(app, `{ mailMessages(where: ${where}) { nodes { id } } }`);

async function listThreads(args: string, fields: string) {
  const query = `{ mailThreads(mailboxId: ${box.id}, ${args}) { nodes { ${fields} } pageInfo { endCursor } } }`;
  return (await queryData(app, query, { key: app.main.user.key })).mailThreads;
}

async function findInboxCursor(count: number): Promise<string> {
  const args = `folderId: ${box.folders.inbox}, first: 100`;
  let after = 'null';
  for (let page = 0; page < count / 100; page++) {
    const { pageInfo } = await listThreads(`${args}, after: ${after}`, 'id');
    after = JSON.stringify(pageInfo.endCursor);
  }
  return after;
}

const THREAD_FIELDS = 'count unread participants { email } newest { subject } messages { id }';

async function listThreadsInInbox() {
  const args = `folderId: ${box.folders.inbox}, first: 50, after: ${inboxCursor}`;
  expect((await listThreads(args, THREAD_FIELDS)).nodes).toHaveLength(50);
}

test('returns at most 200 messages per list', async () => {
  expect((await listPage({ limit: 500 })()).entries).toHaveLength(200);
});

test('rejects a search as a filter condition if it matches too many messages', async () => {
  const { errors } = await buildMessages('{matches: "w1"}')();
  expect(errors[0].message).toContain('after:');
});

test("counts a label's messages exactly, but reads only the requested page", async () => {
  const { label_id } = await callMailOk(app, 'create_label', { account_id: box.id, name: 'Many', color: 1 });
  const { id: workspace } = app.main.ctx.workspace;
  const { pool } = app.runtime.db;
  await pool.query(
    `insert into svc_mail_entry_label (workspace_id, entry_id, label_id, folder_id, date)
     select workspace_id, id, $2, folder_id, date from svc_mail_entry
     where workspace_id = $1 and account_id = $3 and id % 3 = 0`,
    [workspace, label_id, box.id],
  );
  await pool.query(
    `insert into svc_mail_label_bucket (workspace_id, label_id, folder_id, day, n)
     select workspace_id, label_id, folder_id, date::date - date '1970-01-01', count(*) from svc_mail_entry_label
     where workspace_id = $1 and label_id = $2 group by 1, 2, 3, 4`,
    [workspace, label_id],
  );
  await pool.query('analyze svc_mail_entry_label, svc_mail_label_bucket');
  const inFolders = async (roles: string[]) =>
    (
      await pool.query<{ id: string }>(
        `select e.id from svc_mail_entry e
         join svc_mail_entry_label l on l.workspace_id = $1 and l.entry_id = e.id and l.label_id = $2
         join svc_mail_folder f on f.workspace_id = $1 and f.id = e.folder_id and f.role = any($3)
         where e.workspace_id = $1 order by e.date desc, e.id desc`,
        [workspace, label_id, roles],
      )
    ).rows.map(({ id }) => Number(id));
  for (const [roles, args] of [
    [['inbox', 'sent', 'archive'], { all_folders: true }],
    [['inbox'], {}],
    [['trash'], { folder_id: box.folders.trash }],
  ] as const) {
    const ids = await inFolders([...roles]);
    for (const offset of [0, 130, Math.floor(ids.length / 2), ids.length - 3, ids.length]) {
      let response: { count: number; entries: { entry_id: number }[] };
      const sentStatements = await recordStatements(async () => {
        response = await listPage({ label_id, offset, ...args })();
      });
      expect([offset, response!.entries.map(({ entry_id }) => entry_id)]).toEqual([
        offset,
        ids.slice(offset, offset + 50),
      ]);
      expect(response!.count).toBe(ids.length);
      for (const statement of sentStatements)
        expect(await countRowsRead(statement)).toBeLessThanOrEqual(1_500);
    }
  }
});

test.each<[string, () => Promise<unknown>]>([
  ['the first page of a folder', listPage({})],
  ['page 400 of a folder', listPage({ offset: 20_000 })],
  ['all folders', listPage({ all_folders: true })],
  ['page 600 of all folders', listPage({ all_folders: true, offset: 30_000 })],
  ['a word of every message', listPage({ search: 'w1' })],
  ['page 100 of a word of every message', listPage({ search: 'w1', offset: 5_000 })],
  ['a common word', listPage({ search: 'w12' })],
  ['two common words', listPage({ search: 'w12 w15' })],
  ['a common word without another', listPage({ search: 'w12 -w15' })],
  ['a word of few messages', listPage({ search: 'w5000' })],
  ['a word of no message', listPage({ search: 'absent' })],
  ['a word of the subject', listPage({ search: 'subject:w20' })],
  ['a phrase', listPage({ search: '"w30 w40"' })],
  ['a prefix', listPage({ search: 'w299*' })],
  ['a sender', listPage({ search: 'from:sender77@example.org' })],
  ['unread messages', listPage({ search: 'is:unread' })],
  ['starred messages', listPage({ search: 'is:starred' })],
  ['answered messages', listPage({ search: 'is:answered' })],
  ['read messages in a small folder', () => listPage({ search: 'is:read', folder_id: box.folders.trash })()],
  ['large messages', listPage({ search: 'larger:1M' })],
  ['messages larger than any', listPage({ search: 'larger:2M' })],
  ['small messages', listPage({ search: 'smaller:2K' })],
  ['attachments', listPage({ search: 'has:attachment' })],
  ['attachments of old messages', listPage({ search: 'has:attachment before:2026/01/01' })],
  ['old messages', listPage({ search: 'before:2026/01/01' })],
  ['a word of many old messages and no new ones', listPage({ search: 'vintage' })],
  ['a day', listPage({ search: 'after:2026/10/01 before:2026/10/02' })],
  ['a mailbox', queryMailbox('w30 w40')],
  ['a search among other conditions', buildMessages('{matches: "w12 w15", isRead: {eq: false}}')],
  ['a search among other conditions with too many matches', buildMessages('{matches: "w1"}')],
  ['conversations of a mailbox', () => listThreads('first: 50', THREAD_FIELDS)],
  ['conversations of a folder, after 5,000', listThreadsInInbox],
])('reads few rows for %s', async (_what, run) => {
  const sentStatements = await recordStatements(run);
  expect(sentStatements.length).toBeGreaterThan(0);
  for (const statement of sentStatements)
    expect([statement.text, (await countRowsRead(statement)) <= MAX_ROWS_READ]).toEqual([
      statement.text,
      true,
    ]);
});
