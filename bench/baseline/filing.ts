import pg from 'pg';
import { readMail } from '../../schema/mailbox/messages/read-content.ts';
import { toRawMail } from '../../src/message/parse/raw.ts';
import { buildMail } from '../lib/mail.ts';

// `node bench/baseline/filing.ts COUNT` measures the minimal cost of filing with a full-text index in PostgreSQL. It
// reads whole messages of 20 kB and writes one row each for their text, list entry and search words. Each transaction
// writes 25 messages with three statements, while the next messages are read. It does not authenticate, deduplicate,
// thread or count messages. Prints the rate and the CPU milliseconds per message in Node as JSON.

const COUNT = Number(process.argv[2] ?? 2_000);
const FILING_BATCH_SIZE = 25;
const MAILBOXES = 500;

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
await pool.query(`
  drop table if exists bench_text, bench_entry, bench_words;
  create table bench_text (id bigint primary key, subject text, text text);
  create table bench_entry (id bigint primary key, account int, date timestamp);
  create index on bench_entry (account, date desc, id desc);
  create table bench_words (id bigint primary key, words tsvector);
  create index on bench_words using gin (words) with (fastupdate = off)`);

interface Row {
  id: number;
  subject: string;
  text: string;
  words: string;
}

async function write(rows: Row[]): Promise<void> {
  const client = await pool.connect();
  try {
    const ids = rows.map(({ id }) => id);
    await client.query('begin');
    await client.query("set local synchronous_commit = 'off'");
    await client.query({
      name: 'text',
      text: 'insert into bench_text select * from unnest($1::int8[], $2::text[], $3::text[])',
      values: [ids, rows.map(({ subject }) => subject), rows.map(({ text }) => text)],
    });
    await client.query({
      name: 'entry',
      text: 'insert into bench_entry select id, id % $2, now() from unnest($1::int8[]) e(id)',
      values: [ids, MAILBOXES],
    });
    await client.query({
      name: 'words',
      text: `insert into bench_words select id, array_to_tsvector(string_to_array(words, ' '))
             from unnest($1::int8[], $2::text[]) w(id, words)`,
      values: [ids, rows.map(({ words }) => words)],
    });
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function fileMessages(from: number, count: number): Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  for (let first = from; first < from + count; first += FILING_BATCH_SIZE) {
    const rows: Row[] = [];
    for (let id = first; id < first + FILING_BATCH_SIZE; id++) {
      const mail = await readMail(toRawMail(mails[id]!), 'hash', 1);
      rows.push({
        id,
        subject: mail.content.subject,
        text: mail.content.text,
        words: (await mail.words()).join(' '),
      });
    }
    await writing;
    writing = write(rows);
  }
  await writing;
}

// Warm-up: the filing benchmark also starts to measure after the first 15%.
const warmUpCount = Math.round(COUNT * 0.15);
const mails = Array.from({ length: warmUpCount + COUNT + FILING_BATCH_SIZE }, (_, i) =>
  buildMail(`floor-${i}`, i, 'box@example.com'),
);
await fileMessages(0, warmUpCount);
const [cpu, startTime] = [process.cpuUsage(), performance.now()];
await fileMessages(warmUpCount, COUNT);
const perSecond = Math.round((COUNT * 1000) / (performance.now() - startTime));
const { user, system } = process.cpuUsage(cpu);
await pool.query('drop table bench_text, bench_entry, bench_words');
await pool.end();
process.stdout.write(
  `${JSON.stringify({ perSecond, cpu: Math.round((user + system) / COUNT / 10) / 100 })}\n`,
);
process.exit(0);
