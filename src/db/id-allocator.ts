import { createCache } from '../cache.ts';
import { createKeyedQueue } from '../loop/keyed-queue.ts';
import type { Db, IdAllocator } from './db.ts';
import { sql } from './sql.ts';

/** Maximum number of ids that a process reserves at a time for a workspace's table, unless a request needs more. */
const RESERVED_IDS = 1_000;
/** Time after which unused ids are dropped, so that ids from several processes stay roughly in order. */
export const RESERVED_IDS_TTL_MS = 100;
const MAX_RESERVED_BLOCKS = 20_000;

/**
 * Number of webhook call ids per counter value. Exceeds the number of webhooks, because an event may cause a call to
 * each of them.
 */
export const CALL_IDS_PER_NUMBER = 64;

interface IdSource {
  /** Table whose counter provides the values. */
  counter: string;
  /** Each id is a multiple of this number. The ids up to the next multiple are free for further rows. */
  idsPerNumber: number;
}

/**
 * Tables that share the counter of emails, so that a statement can derive the ids of an email's first event and calls
 * from the email's id.
 */
const SHARED_SOURCES: Readonly<Record<string, IdSource>> = {
  svc_email_event: { counter: 'svc_email', idsPerNumber: 1 },
  svc_webhook_call: { counter: 'svc_email', idsPerNumber: CALL_IDS_PER_NUMBER },
};

/** Tables whose ids follow the order of creation across processes, because rows are processed in this order. */
const ORDERED_TABLES: ReadonlySet<string> = new Set([...Object.keys(SHARED_SOURCES), 'svc_event']);

export const getIdSource = (table: string): IdSource =>
  SHARED_SOURCES[table] ?? { counter: table, idsPerNumber: 1 };

/** Models and fields defined in code have lower ids, which are the same in every workspace. */
const FIRST_IDS: Readonly<Record<string, number>> = {
  ir_model: 1_000_000_000,
  ir_model_fields: 1_000_000_000,
};

interface IdRequest {
  count: number;
  resolve(ids: number[]): void;
  reject(error: unknown): void;
}

interface IdBlock {
  next: number;
  end: number;
  /** Milliseconds since 1970. */
  until: number;
  /** Number of ids to reserve at a time. */
  size: number;
  waiting: IdRequest[];
}

type IdRangeSource = (workspaceId: number, table: string, count: number) => Promise<IdRange>;

interface IdRange {
  next: number;
  end: number;
}

/**
 * @param db must not use the caller's connection, because a caller that waits for an id may hold a pooled connection
 * and a transaction
 * @param assertReachable rejects if the workspace's database node is known to be down
 * @param now current time in milliseconds
 */
export function createIdAllocator(
  db: Pick<Db, 'rows'>,
  assertReachable: (workspaceId: number) => Promise<void> = async () => undefined,
  now: () => number = Date.now,
): IdAllocator {
  const blocks = createCache<string, IdBlock>({ entries: MAX_RESERVED_BLOCKS });
  const newCounters = new Map<number, Map<string, number>>();
  const drawRange = createIdRangeSource(db, assertReachable);
  const runInOrder = createKeyedQueue<number>();
  // One reservation per workspace at a time, so that no workspace occupies all connections.
  const drawIds: IdRangeSource = (workspaceId, table, count) =>
    runInOrder(workspaceId, () => drawRange(workspaceId, table, count));

  async function takeNumbers(workspaceId: number, table: string, count: number): Promise<number[]> {
    const block = blocks.getOrCreate(`${workspaceId} ${table}`, createBlock);
    if (block.waiting.length === 0 && block.until > now() && block.end - block.next >= count)
      return allocateFromBlock(block, count);
    const ttl = ORDERED_TABLES.has(table) ? 0 : RESERVED_IDS_TTL_MS;
    return new Promise((resolve, reject) => {
      block.waiting.push({ count, resolve, reject });
      if (block.waiting.length === 1)
        void refillBlock(block, (count) => drawIds(workspaceId, table, count), now, ttl);
    });
  }

  return {
    allocate: async (workspaceId, table, count) => {
      if (count === 0) return [];
      const { counter, idsPerNumber } = getIdSource(table);
      const newCounter = newCounters.get(workspaceId);
      const numbers = newCounter
        ? allocateFromCounter(newCounter, counter, count)
        : await takeNumbers(workspaceId, table, count);
      return numbers.map((number) => number * idsPerNumber);
    },
    begin(workspaceId) {
      const counters = new Map<string, number>();
      newCounters.set(workspaceId, counters);
      const end = () => {
        newCounters.delete(workspaceId);
      };
      return {
        end,
        async keep(tx) {
          end();
          await tx.rows(
            sql`insert into workspace_counter (workspace_id, name, next)
             select ${workspaceId}, c.name, c.next
             from unnest(${[...counters.keys()]}::text[], ${[...counters.values()]}::bigint[]) c(name, next)`,
          );
        },
      };
    },
  };
}

const createBlock = (): IdBlock => ({ next: 0, end: 0, until: 0, size: 1, waiting: [] });

function allocateFromCounter(counters: Map<string, number>, table: string, count: number): number[] {
  const next = counters.get(table) ?? FIRST_IDS[table] ?? 1;
  counters.set(table, next + count);
  return buildIds(next, count);
}

const buildIds = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => first + i);

function allocateFromBlock(block: IdBlock, count: number): number[] {
  block.next += count;
  return buildIds(block.next - count, count);
}

/**
 * Reserves ids until no request is waiting. If a block is used up before it expires, the next one is twice as large.
 * After an expired block, only the requested number is reserved.
 */
async function refillBlock(
  block: IdBlock,
  drawIds: (count: number) => Promise<IdRange>,
  now: () => number,
  ttl: number,
): Promise<void> {
  while (block.waiting.length > 0) {
    const idCount = block.waiting.reduce((sum, { count }) => sum + count, 0);
    block.size = block.until > now() ? Math.min(block.size * 2, RESERVED_IDS) : 1;
    try {
      Object.assign(block, await drawIds(Math.max(block.size, idCount)));
      block.until = now() + ttl;
    } catch (error) {
      for (const { reject } of block.waiting.splice(0)) reject(error);
      return;
    }
    while (block.waiting.length > 0 && block.end - block.next >= block.waiting[0]!.count) {
      const { count, resolve } = block.waiting.shift()!;
      resolve(allocateFromBlock(block, count));
    }
  }
}

function createIdRangeSource(
  db: Pick<Db, 'rows'>,
  assertReachable: (workspaceId: number) => Promise<void>,
): IdRangeSource {
  return async (workspaceId, table, count) => {
    await assertReachable(workspaceId);
    const { counter, idsPerNumber } = getIdSource(table);
    let first = FIRST_IDS[table] ?? 1;
    for (;;) {
      const [row] = await db.rows<IdRangeRow>(buildIdRangeSql(workspaceId, table, first, count));
      if (!row) {
        await db.rows(buildCounterInsert(workspaceId, counter, first));
        continue;
      }
      if (!row.taken) return { next: row.end - count, end: row.end };
      // Rows were inserted manually, with ids that the counter has not assigned.
      const firstId = (row.end - count) * idsPerNumber;
      const [last] = await db.rows<{ id: number }>(buildLastIdSql(workspaceId, table, firstId));
      first = Math.floor(last!.id / idsPerNumber) + 1;
    }
  };
}

interface IdRangeRow {
  end: number;
  /** True if a row already has one of the ids. */
  taken: boolean;
}

/**
 * Returns no row if the workspace has no counter for the table yet. `insert … on conflict` would cost a two-phase
 * commit on Citus. The commit is asynchronous: the WAL is written in order, so after a crash no row has an id that the
 * counter has not assigned.
 */
function buildIdRangeSql(workspaceId: number, table: string, first: number, count: number) {
  const { counter, idsPerNumber } = getIdSource(table);
  const [workspace, number, minId] = [sql.param(workspaceId), sql.param(count), sql.param(first)];
  const factor = idsPerNumber === 1 ? sql.empty : sql` * ${sql.literal(idsPerNumber)}`;
  return sql`with taken as (
      update workspace_counter c set next = greatest(c.next, ${minId}::bigint) + ${number}::bigint
      where c.workspace_id = ${workspace} and c.name = ${counter}
      returning workspace_id, next
    )
    select t.next as end, exists (select from ${sql.id(table)} r
      where r.workspace_id = ${workspace}
        and r.id >= (t.next - ${number}::bigint)${factor} and r.id < t.next${factor}) as taken
    from taken t, (select set_config('synchronous_commit', 'off', true)) o where t.workspace_id = ${workspace}`;
}

const buildCounterInsert = (workspaceId: number, counter: string, first: number) =>
  sql`insert into workspace_counter (workspace_id, name, next) values (${workspaceId}, ${counter}, ${first}::bigint)
    on conflict (workspace_id, name) do nothing`;

const buildLastIdSql = (workspaceId: number, table: string, from: number) =>
  sql`select max(id) as id from ${sql.id(table)}
    where workspace_id = ${workspaceId} and id >= ${from}::bigint and id < ${from + MAX_ID_GAP}::bigint`;

/** Ids that exceed the counter by more than this are handled when the counter reaches them. */
const MAX_ID_GAP = 1_000_000;
