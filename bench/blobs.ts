import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { BlobHost } from '../src/db/blobs/host.ts';
import { putBlob } from '../src/db/blobs/put.ts';
import { readBlob } from '../src/db/blobs/read.ts';
import { startEmbedded } from '../src/db/embedded/embedded.ts';
import { migrateDatabase } from '../src/db/migrations/migrate.ts';
import { openDatabase } from '../src/db/pool.ts';
import { createLog } from '../src/log.ts';

// `node bench/blobs.ts` writes and reads a blob of 34 MB and writes blobs of 20 kB, as encrypted chunks and as one
// bytea row each. Measures the time and the memory growth of the process.

const LARGE_BYTES = 34 * 1024 * 1024;
const SMALL_BYTES = 20_000;
const CHUNK_BYTES = 64 * 1024;
const CONCURRENCY = 8;
const COUNT = 2_000;

interface BlobFigures {
  put: number;
  get: number;
  megabytes: number;
  perSecond: number;
}

/** A storage strategy. */
interface BlobStorage {
  put(source: () => AsyncIterable<Buffer>): Promise<string>;
  small(content: Buffer): Promise<unknown>;
  get(name: string): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const [way, url] = process.argv.slice(2);
if (way)
  process.stdout.write(
    JSON.stringify(
      await measureStorage(way === 'row' ? await createRowStorage(url!) : createBlobStorage(url!)),
    ),
  );
else await compare();

/** Runs the strategies alternately, each in its own process. */
async function compare(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  const server = await startEmbedded(dataDir);
  try {
    await migrateDatabase(server.url);
    const figures: Record<string, BlobFigures[]> = { row: [], blob: [] };
    for (let round = 0; round < 3; round++)
      for (const name of ['row', 'blob']) {
        const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, name, server.url]);
        if (stderr.length > 0) process.stderr.write(stderr);
        figures[name]!.push(JSON.parse(stdout.toString()));
      }
    const best = (name: string, key: keyof BlobFigures) => {
      const sorted = figures[name]!.map((each) => each[key]).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)]!;
    };
    const line = (name: string) =>
      `${name.padEnd(5)} in ${best(name, 'put').toFixed(0)} ms, out ${best(name, 'get').toFixed(0)} ms, ` +
      `memory + ${best(name, 'megabytes').toFixed(0)} MB; 20 kB: ${best(name, 'perSecond').toFixed(0)}/s\n`;
    process.stdout.write(line('row') + line('blob'));
    process.stdout.write(
      `blob / row: in ${(best('blob', 'put') / best('row', 'put')).toFixed(2)}, ` +
        `out ${(best('blob', 'get') / best('row', 'get')).toFixed(2)}, ` +
        `20 kB ${(best('blob', 'perSecond') / best('row', 'perSecond')).toFixed(2)} (must reach 0.5); ` +
        'memory at most + 150 MB\n',
    );
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureStorage(way: BlobStorage): Promise<BlobFigures> {
  const seed = randomBytes(CHUNK_BYTES);
  const source = async function* () {
    for (let at = 0; at < LARGE_BYTES; at += CHUNK_BYTES) {
      seed.writeUInt32LE(at);
      yield Buffer.from(seed);
    }
  };
  const expectedHash = createHash('sha256');
  for await (const piece of source()) expectedHash.update(piece);
  // Warm-up, so that lazy initialization is not measured.
  await way.small(randomBytes(SMALL_BYTES));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const begin = performance.now();
  const name = await way.put(source);
  const between = performance.now();
  const digest = createHash('sha256');
  for await (const piece of way.get(name)) digest.update(piece);
  const end = performance.now();
  clearInterval(watch);
  if (digest.digest('hex') !== expectedHash.digest('hex')) throw new Error('not what was put');
  const perSecond = await smallOnes(way);
  await way.close();
  return { put: between - begin, get: end - between, megabytes: (peak - before) / 1048576, perSecond };
}

async function smallOnes(way: BlobStorage): Promise<number> {
  const content = randomBytes(SMALL_BYTES);
  const begin = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (done < COUNT) {
        const copy = Buffer.from(content);
        copy.writeUInt32LE(done++);
        await way.small(copy);
      }
    }),
  );
  return (1000 * COUNT) / (performance.now() - begin);
}

async function createRowStorage(address: string): Promise<BlobStorage> {
  const pool = new pg.Pool({ connectionString: address, max: CONCURRENCY });
  await pool.query(
    `create table if not exists bench_row (workspace_id int, name text, content bytea, primary key (workspace_id, name));
     alter table bench_row alter content set storage external; truncate bench_row`,
  );
  const keep = async (content: Buffer) => {
    const name = createHash('sha256').update(content).digest('hex');
    await pool.query({
      name: 'keep',
      text: 'insert into bench_row values (1, $1, $2) on conflict do nothing',
      values: [name, content],
    });
    return name;
  };
  return {
    async put(source) {
      const pieces: Buffer[] = [];
      for await (const piece of source()) pieces.push(piece);
      return keep(Buffer.concat(pieces));
    },
    small: keep,
    async *get(name) {
      const { rows } = await pool.query(
        'select content from bench_row where workspace_id = 1 and name = $1',
        [name],
      );
      yield rows[0].content;
    },
    close: () => pool.end(),
  };
}

function createBlobStorage(address: string): BlobStorage {
  const db = openDatabase(address, createLog('warn', 2), { size: CONCURRENCY });
  const config = { secretKey: 's'.repeat(32), blobs: { bucket: null, encrypts: true } };
  const host: BlobHost = { db, workspace: { id: 1 + Math.floor(Math.random() * 1e6) }, runtime: { config } };
  return {
    put: async (source) => (await putBlob(host, source())).hash,
    small: (content) => putBlob(host, content),
    get: (name) => readBlob(host, name),
    close: () => db.close(),
  };
}
