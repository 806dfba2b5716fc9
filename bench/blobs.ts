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

// `node bench/blobs.ts` writes and reads a 34 MB blob and writes 20 kB blobs, as encrypted chunks and as one bytea row
// each. Measures the time and the process's memory growth.

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

interface BlobStorage {
  put(source: () => AsyncIterable<Buffer>): Promise<string>;
  small(content: Buffer): Promise<unknown>;
  get(name: string): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const [mode, url] = process.argv.slice(2);
if (mode)
  process.stdout.write(
    JSON.stringify(
      await measureStorage(mode === 'row' ? await createRowStorage(url!) : createBlobStorage(url!)),
    ),
  );
else await compare();

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
    const getBest = (name: string, key: keyof BlobFigures) => {
      const sorted = figures[name]!.map((item) => item[key]).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length / 2)]!;
    };
    const buildLine = (name: string) =>
      `${name.padEnd(5)} in ${getBest(name, 'put').toFixed(0)} ms, out ${getBest(name, 'get').toFixed(0)} ms, ` +
      `memory + ${getBest(name, 'megabytes').toFixed(0)} MB; 20 kB: ${getBest(name, 'perSecond').toFixed(0)}/s\n`;
    process.stdout.write(buildLine('row') + buildLine('blob'));
    process.stdout.write(
      `blob / row: in ${(getBest('blob', 'put') / getBest('row', 'put')).toFixed(2)}, ` +
        `out ${(getBest('blob', 'get') / getBest('row', 'get')).toFixed(2)}, ` +
        `20 kB ${(getBest('blob', 'perSecond') / getBest('row', 'perSecond')).toFixed(2)} (must reach 0.5); ` +
        'memory at most + 150 MB\n',
    );
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measureStorage(storage: BlobStorage): Promise<BlobFigures> {
  const seed = randomBytes(CHUNK_BYTES);
  const generateSource = async function* () {
    for (let start = 0; start < LARGE_BYTES; start += CHUNK_BYTES) {
      seed.writeUInt32LE(start);
      yield Buffer.from(seed);
    }
  };
  const expectedHash = createHash('sha256');
  for await (const chunk of generateSource()) expectedHash.update(chunk);
  // Warm-up, so that lazy initialization is not measured.
  await storage.small(randomBytes(SMALL_BYTES));
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 5);
  const begin = performance.now();
  const name = await storage.put(generateSource);
  const between = performance.now();
  const digest = createHash('sha256');
  for await (const chunk of storage.get(name)) digest.update(chunk);
  const end = performance.now();
  clearInterval(watch);
  if (digest.digest('hex') !== expectedHash.digest('hex')) throw new Error('not what was put');
  const perSecond = await measureSmallBlobs(storage);
  await storage.close();
  return { put: between - begin, get: end - between, megabytes: (peak - before) / 1048576, perSecond };
}

async function measureSmallBlobs(storage: BlobStorage): Promise<number> {
  const content = randomBytes(SMALL_BYTES);
  const begin = performance.now();
  let doneCount = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (doneCount < COUNT) {
        const copy = Buffer.from(content);
        copy.writeUInt32LE(doneCount++);
        await storage.small(copy);
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
      const chunks: Buffer[] = [];
      for await (const chunk of source()) chunks.push(chunk);
      return keep(Buffer.concat(chunks));
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
