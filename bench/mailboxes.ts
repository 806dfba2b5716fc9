import pg from 'pg';
import { seedMailbox } from '../test/mailbox/seed.ts';
import { compare } from './lib/compare.ts';
import { buildToolCall, enableMcp } from './lib/mcp.ts';
import { computeMedian, runClient } from './lib/process.ts';
import { openStage, type Stage } from './lib/stage.ts';

// `node bench/mailboxes.ts [lists|search|flags|agent]…` compares a mailbox with SIZE (1,000,000) messages with a
// mailbox a tenth of that size.

const SIZE = Number(process.env.SIZE ?? 1_000_000);

interface BenchMailbox {
  account: number;
  inbox: number;
  size: number;
  /** The message ids start after this one. */
  idOffset: number;
}

async function fill(client: pg.Client): Promise<BenchMailbox[]> {
  const { rows } = await client.query(
    `select u.id from res_users u join svc_mail_account a on a.workspace_id = 1 and a.owner_id = u.id
     where u.workspace_id = 1 order by u.id`,
  );
  const boxes: BenchMailbox[] = [];
  // Dropped and recreated at the end, which is faster than updating the index row by row.
  const index = await client.query(
    "select indexdef from pg_indexes where indexname = 'svc_mail_search_words_idx'",
  );
  await client.query('drop index svc_mail_search_words_idx');
  await client.query("set maintenance_work_mem = '1GB'");
  for (const [i, size] of [SIZE / 10, SIZE].entries()) {
    const account = 9_000 + i;
    await client.query(
      `insert into svc_mail_account (workspace_id, id, name, address, kind)
       values (1, $1, 'Bench', 'bench' || $1::int, 'shared')`,
      [account],
    );
    await client.query('insert into svc_mail_clock (workspace_id, account_id) values (1, $1)', [account]);
    for (const { id } of rows)
      await client.query(
        'insert into svc_mail_member (workspace_id, id, account_id, user_id) values (1, $1, $2, $3)',
        [account * 100 + id, account, id],
      );
    const roles = ['inbox', 'sent', 'drafts', 'spam', 'trash', 'archive'];
    await client.query(
      `insert into svc_mail_folder (workspace_id, id, account_id, role, name)
       select 1, $1::int * 10 + n, $1, role, role from unnest($2::text[]) with ordinality r(role, n)`,
      [account, roles],
    );
    const idOffset = 10_000_000 * (i + 1);
    const startTime = performance.now();
    await seedMailbox((text, values) => client.query(text, values), {
      workspace: 1,
      account,
      count: size,
      days: 1_096,
      idOffset,
    });
    process.stdout.write(`${size} messages in ${Math.round((performance.now() - startTime) / 1000)} s\n`);
    boxes.push({ account, inbox: account * 10 + 1, size, idOffset });
  }
  await client.query(index.rows[0].indexdef);
  await client.query('vacuum analyze');
  return boxes;
}

const buildOurSide = (stage: Stage, method: string, body: object) => ({
  port: stage.app.port,
  path: `/json/2/svc.mail.account/${method}`,
  headers: { authorization: `Bearer ${stage.userKey}` },
  body: JSON.stringify(body),
});

async function measureTime(side: {
  port: number;
  path: string;
  headers: object;
  body: string;
}): Promise<number> {
  const startTime = performance.now();
  const response = await fetch(`http://127.0.0.1:${side.port}${side.path}`, {
    method: 'POST',
    headers: { ...side.headers, 'content-type': 'application/json' },
    body: side.body,
  });
  const text = await response.text();
  if (!response.ok || text.includes('"isError":true'))
    throw new Error(`${side.body}: ${response.status} ${text.slice(0, 300)}`);
  return performance.now() - startTime;
}

/** Picks a word by frequency rank. The first words occur in every message. */
const pickWord = () => `w${Math.floor(Math.exp(Math.random() * Math.log(300_000)))}`;

async function measureSearches(stage: Stage, { inbox, size }: BenchMailbox): Promise<number> {
  const times: { ms: number; search: string }[] = [];
  for (let i = 0; i < 320; i++) {
    const search = `${pickWord()} ${pickWord()}`;
    const ms = await measureTime(buildOurSide(stage, 'get_entries', { folder_id: inbox, search }));
    if (i >= 20) times.push({ ms, search });
  }
  times.sort((a, b) => a.ms - b.ms);
  const getPercentile = (share: number) => times[Math.floor(times.length * share)]!.ms;
  const worst = times.at(-1)!;
  process.stdout.write(
    `300 random pairs in ${size}: p50 ${getPercentile(0.5).toFixed(1)} ms, p95 ${getPercentile(0.95).toFixed(1)} ms, ` +
      `maximum ${worst.ms.toFixed(1)} ms (${worst.search})\n`,
  );
  return getPercentile(0.95);
}

const parts: Record<string, (stage: Stage, boxes: Record<'small' | 'large', BenchMailbox>) => Promise<void>> =
  {
    async lists(stage, { large: { inbox } }) {
      const first = buildOurSide(stage, 'get_entries', { folder_id: inbox, limit: 50 });
      const rawSide = {
        port: stage.baseline.port,
        path: '/list',
        headers: {},
        body: JSON.stringify({ folder: inbox }),
      };
      await compare('get_entries 50', first, rawSide, 0.5);
      const figures: number[][] = [[], []];
      for (let i = 0; i < 3; i++)
        for (const [j, offset] of [0, 50_000].entries()) {
          const side = buildOurSide(stage, 'get_entries', {
            folder_id: inbox,
            limit: 50,
            offset: Math.min(offset, SIZE / 2),
          });
          figures[j]!.push((await runClient({ ...side, connections: 16, ms: 3_000 })).perSecond);
        }
      const [nearTime, farTime] = figures.map(computeMedian) as [number, number];
      process.stdout.write(
        `page 1: ${nearTime}/s, page 1,000: ${farTime}/s = ${(nearTime / farTime).toFixed(2)} times the duration (at most 2)\n`,
      );
    },
    async search(stage, { small, large }) {
      const smallSearch = await measureSearches(stage, small);
      const largeSearch = await measureSearches(stage, large);
      process.stdout.write(
        `p95 ${largeSearch.toFixed(1)} ms (at most 50), ${(largeSearch / smallSearch).toFixed(2)} times that of the small mailbox (at most 3)\n`,
      );
      for (const search of [
        'w1',
        'w12 w15',
        'w12 -w15',
        'absent',
        'w5000',
        'subject:w20',
        'w2999*',
        '"w10 w11"',
        'is:unread',
        'larger:1M',
      ]) {
        const times: number[] = [];
        for (let i = 0; i < 7; i++)
          times.push(
            await measureTime(buildOurSide(stage, 'get_entries', { folder_id: large.inbox, search })).catch(
              () => Number.NaN,
            ),
          );
        process.stdout.write(`${search}: ${computeMedian(times).toFixed(1)} ms\n`);
      }
    },
    async agent(stage, { small, large }) {
      await enableMcp(stage);
      for (const { account, size } of [small, large]) {
        const times: number[] = [];
        for (let i = 0; i < 220; i++) {
          const ms = await measureTime(
            buildToolCall(stage, 'inbox_read', { account_id: account, offset: i * 50 }),
          );
          if (i >= 20) times.push(ms);
        }
        times.sort((a, b) => a - b);
        const getPercentile = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1);
        process.stdout.write(
          `inbox_read of 50 in ${size}: p50 ${getPercentile(0.5)} ms, p95 ${getPercentile(0.95)} ms (at most 50)\n`,
        );
      }
    },
    async flags(stage, { large: { idOffset } }) {
      const ids = Array.from({ length: 1_000 }, (_, i) => idOffset + 1 + i * Math.floor(SIZE / 1_000));
      const times: number[][] = [[], []];
      for (let i = 0; i < 24; i++) {
        const isRead = i % 2 === 0;
        const call = buildOurSide(stage, 'set_flags', { entry_ids: ids, vals: { is_read: isRead } });
        const rawSide = {
          port: stage.baseline.port,
          path: '/flag',
          headers: {},
          body: JSON.stringify({ ids, isRead: !isRead }),
        };
        times[0]!.push(await measureTime(call));
        times[1]!.push(await measureTime(rawSide));
        // The raw update does not maintain the counters, so it must reset the flags to the state that the counters
        // reflect.
        await measureTime({ ...rawSide, body: JSON.stringify({ ids, isRead }) });
      }
      const [ownMs, rawMs] = times.map((list) => computeMedian(list.slice(4))) as [number, number];
      process.stdout.write(
        `set_flags of 1,000: ${ownMs.toFixed(1)} ms against ${rawMs.toFixed(1)} ms = ${(ownMs / rawMs).toFixed(2)} (at most 3)\n`,
      );
    },
  };

const names = process.argv.slice(2);
const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/mailboxes.ts');
const client = new pg.Client({ connectionString: stage.databaseUrl });
try {
  await client.connect();
  const [smallMailbox, largeMailbox] = (await fill(client)) as [BenchMailbox, BenchMailbox];
  for (const name of names.length ? names : Object.keys(parts))
    await parts[name]!(stage, { small: smallMailbox, large: largeMailbox });
} finally {
  await client.end();
  await stage.close();
}
