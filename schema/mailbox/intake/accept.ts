import { memoizePerObject } from '../../../src/cache.ts';
import {
  buildSmallBlob,
  buildSmallBlobInserts,
  MAX_SMALL_BLOB_BYTES,
  type SmallBlob,
  type StoredBlob,
} from '../../../src/db/blobs/put.ts';
import { readBlob } from '../../../src/db/blobs/read.ts';
import { chooseBlobStore } from '../../../src/db/blobs/stores.ts';
import { runTogether } from '../../../src/db/db.ts';
import { isDatabaseRejection } from '../../../src/db/outage.ts';
import { type Database, runWithRetries } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateId, allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBareCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { storeRaw } from '../messages/raw.ts';
import { type DeliveryTarget, findDeliveryTargets } from './delivery-targets.ts';
import { bufferSmallMessage, QuotaExceededError, readUpTo } from './incoming-stream.ts';
import type { SmtpClient } from './smtp-client.ts';
import type { Verdicts } from './verdicts.ts';

/** Per workspace and process. */
const MAX_CONCURRENT_STORES = 2;
const MAX_STORED_BYTES = 1024 * 1024;
export const INTAKE_KIND = 'intake';

export interface IncomingMessage {
  /** Envelope sender; empty for a bounce report. */
  sender: string;
  recipients: readonly string[];
  raw: Buffer | AsyncIterable<Buffer>;
  source: 'smtp' | 'local';
  client?: SmtpClient | null;
  /** True if one reply covers all recipients (SMTP), false for one reply per recipient (LMTP). */
  isForAll?: boolean;
  /**
   * True if another server has accepted the message for all recipients, so that it is stored even in a full mailbox.
   */
  cannotRefuse?: boolean;
  verdicts?: Verdicts | null;
  places?: readonly DeliveryTarget[];
  /** Deduplication key. Redeliveries with the same key are ignored. */
  origin?: string | null;
}

/**
 * Outcome per recipient: `full` if the mailbox currently lacks space, `over` if the message exceeds the mailbox's
 * entire quota.
 */
export type Acceptance = Map<string, 'accepted' | 'unknown' | 'full' | 'over'>;

/**
 * Accepts a message for filing. Once this resolves, the message is durable: it and a delivery for each mailbox are
 * stored in one transaction per workspace.
 * @throws BAD_REQUEST if the message is too large, otherwise the database error; the client may then retry
 */
export async function acceptMessage(runtime: Runtime, message: IncomingMessage): Promise<Acceptance> {
  const { recipients, source } = message;
  const acceptance: Acceptance = new Map(recipients.map((recipient) => [recipient, 'unknown']));
  const targets = message.places ?? (await findDeliveryTargets(runtime, recipients, 0, source === 'local'));
  const places = await skipAcceptedTargets(runtime, message, targets, acceptance);
  if (places.length === 0) return acceptance;
  if (Buffer.isBuffer(message.raw)) {
    await storeForTargets(runtime, message, places, message.raw, acceptance);
    return acceptance;
  }
  const chunks = message.raw[Symbol.asyncIterator]();
  try {
    const head = await bufferSmallMessage(chunks);
    if (Buffer.isBuffer(head)) await storeForTargets(runtime, message, places, head, acceptance);
    else await acceptStream(runtime, message, places, head, acceptance);
  } finally {
    // An unfinished stream may hold a connection.
    await chunks.return?.();
  }
  return acceptance;
}

/**
 * Stores a stream of unknown size, up to the largest free space among the mailboxes. A rejected message leaves nothing
 * behind.
 */
async function acceptStream(
  runtime: Runtime,
  message: IncomingMessage,
  places: readonly DeliveryTarget[],
  raw: AsyncIterable<Buffer>,
  acceptance: Acceptance,
): Promise<void> {
  const isLocal = message.source === 'local';
  const names = getQuotaRecipients(places);
  const now = new Map(
    (await findDeliveryTargets(runtime, names, 0, isLocal)).map((target) => [target.recipient, target]),
  );
  // The workspace with the most free space stores the first copy, which the other workspaces read.
  const sortedTargets = places
    .map((target) => now.get(target.recipient) ?? target)
    .sort((a, b) => toFreeBytes(b) - toFreeBytes(a));
  const maxBytes = message.cannotRefuse ? Number.POSITIVE_INFINITY : toFreeBytes(sortedTargets[0]!);
  try {
    await storeForTargets(runtime, message, sortedTargets, readUpTo(maxBytes, raw), acceptance);
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error;
    const reasons = new Map(sortedTargets.map(({ recipient }) => [recipient, 'full' as 'full' | 'over']));
    for (const { recipient, isOver } of await findDeliveryTargets(runtime, names, error.size, isLocal))
      if (isOver) reasons.set(recipient, 'over');
    for (const [recipient, outcome] of reasons) acceptance.set(recipient, outcome);
  }
}

const getQuotaRecipients = (places: readonly DeliveryTarget[]): string[] =>
  places.filter(({ room }) => room !== null).map(({ recipient }) => recipient);

const toFreeBytes = ({ room }: DeliveryTarget): number => room ?? Number.MAX_SAFE_INTEGER;

async function storeForTargets(
  runtime: Runtime,
  message: IncomingMessage,
  places: readonly DeliveryTarget[],
  first: Buffer | AsyncIterable<Buffer>,
  acceptance: Acceptance,
): Promise<void> {
  let content: IncomingContent = { size: Buffer.isBuffer(first) ? first.length : null, read: () => first };
  for (const [workspaceId, workspaceTargets] of Map.groupBy(places, (target) => target.workspaceId)) {
    const ctx = createBareCtx(runtime, workspaceId);
    const intake = await storeIncoming(ctx, message, content, (size) =>
      selectTargets(runtime, message, workspaceTargets, size, acceptance),
    );
    // A stream can be read only once, so the next workspace reads this stored copy.
    if (intake && content.size === null)
      content = { size: intake.size, read: () => readBlob(ctx, intake.hash) };
  }
}

/** Drops mailboxes that accepted the message in an earlier attempt. Their quota is not checked again. */
async function skipAcceptedTargets(
  { db }: Runtime,
  { origin }: IncomingMessage,
  places: readonly DeliveryTarget[],
  acceptance: Acceptance,
): Promise<readonly DeliveryTarget[]> {
  if (!origin) return places;
  const remainingTargets: DeliveryTarget[] = [];
  for (const [workspaceId, workspaceTargets] of Map.groupBy(places, (target) => target.workspaceId)) {
    const rows = await db.rows<{ account_id: number }>(
      sql`select d.account_id from svc_mail_intake i
       join svc_mail_delivery d on d.workspace_id = ${workspaceId} and d.intake_id = i.id
       where i.workspace_id = ${workspaceId} and i.origin = ${origin}`,
    );
    const accounts = new Set(rows.map(({ account_id }) => account_id));
    for (const target of workspaceTargets)
      if (accounts.has(target.accountId)) acceptance.set(target.recipient, 'accepted');
      else remainingTargets.push(target);
  }
  return remainingTargets;
}

/**
 * Returns the mailboxes that accept a message of this size. Stores each outcome in `acceptance`. Looks the mailboxes up
 * again, because they or their workspace may have been closed while the message arrived.
 */
async function selectTargets(
  runtime: Runtime,
  { source, isForAll = false, cannotRefuse = false }: IncomingMessage,
  places: DeliveryTarget[],
  size: number,
  acceptance: Acceptance,
): Promise<DeliveryTarget[]> {
  const recipients = places.map(({ recipient }) => recipient);
  const foundTargets = await findDeliveryTargets(runtime, recipients, size, source === 'local');
  const found = new Map(foundTargets.map((target) => [target.recipient, target]));
  for (const { recipient, isFull, isOver } of foundTargets)
    if (isFull) acceptance.set(recipient, isOver ? 'over' : 'full');
  const currentTargets = places.filter((target) => isSameMailbox(target, found.get(target.recipient)));
  const acceptableTargets = currentTargets.filter(({ recipient }) => acceptance.get(recipient) === 'unknown');
  // With one reply for all recipients, a message that one mailbox accepts is accepted for all of them.
  const targets =
    cannotRefuse || (isForAll && acceptableTargets.length > 0) ? currentTargets : acceptableTargets;
  for (const { recipient } of targets) acceptance.set(recipient, 'accepted');
  return targets;
}

const isSameMailbox = (a: DeliveryTarget, b: DeliveryTarget | undefined): boolean =>
  a.workspaceId === b?.workspaceId && a.accountId === b.accountId;

const canStoreInDatabase = (ctx: Ctx, raw: Buffer | AsyncIterable<Buffer>): raw is Buffer =>
  Buffer.isBuffer(raw) && raw.length <= MAX_SMALL_BLOB_BYTES && chooseBlobStore(ctx) === 'pg';

interface IncomingContent {
  /** Null if not known yet. */
  size: number | null;
  read(): Buffer | AsyncIterable<Buffer>;
}

/**
 * Stores a small message and its rows in one transaction. A large message, or one stored in a bucket, is stored before
 * its rows.
 * @returns the stored blob; null if the known size rules out every mailbox
 */
async function storeIncoming(
  ctx: Ctx,
  message: IncomingMessage,
  content: IncomingContent,
  choose: (size: number) => Promise<DeliveryTarget[]>,
): Promise<StoredBlob | null> {
  const chosenBefore = content.size === null ? null : await choose(content.size);
  if (chosenBefore?.length === 0) return null;
  const raw = content.read();
  const blob = canStoreInDatabase(ctx, raw) ? await buildSmallBlob(ctx, raw) : null;
  const { hash, size } = blob ?? (await storeRaw(ctx, raw));
  const places = chosenBefore ?? (await choose(size));
  if (places.length === 0) return { hash, size };
  const { sender, source, client, verdicts, origin } = message;
  const accounts = [...Map.groupBy(places, ({ accountId }) => accountId)];
  const row = {
    workspaceId: ctx.workspace.id,
    id: await allocateId(ctx, 'svc_mail_intake'),
    hash,
    size,
    source,
    sender,
    client: client ? JSON.stringify(client) : null,
    verdicts: verdicts ? JSON.stringify(verdicts) : null,
    origin: origin ?? null,
    ids: await allocateIds(ctx, 'svc_mail_delivery', accounts.length),
    accounts: accounts.map(([account]) => account),
    recipients: accounts.map(([, targets]) => targets.map(({ recipient }) => recipient).join('\n')),
  };
  if (blob) await getIntakeQueue(ctx.runtime.db).add({ ...blob, ...row });
  else await runTogether(ctx.db, buildIntakeInserts(row));
  scheduleDueWork(ctx.db, ctx.workspace.id, INTAKE_KIND);
  return { hash, size };
}

interface IntakeRow {
  workspaceId: number;
  id: number;
  hash: string;
  size: number;
  source: string;
  sender: string;
  client: string | null;
  verdicts: string | null;
  origin: string | null;
  ids: number[];
  accounts: number[];
  /** Addresses of each mailbox, separated by line breaks. */
  recipients: string[];
}

/**
 * Inserts the intake and its deliveries. If the intake exists without its blob (`forgetRawMessages`), points it to the
 * newly stored blob. Finds it by origin, because a redelivered message keeps the id of its first intake.
 */
const buildIntakeInserts = (row: IntakeRow): Sql[] => [
  sql`insert into svc_mail_intake (workspace_id, id, raw_hash, size, source, envelope_from, client, verdicts, origin)
   values (${row.workspaceId}, ${row.id}, ${row.hash}, ${row.size}, ${row.source}, ${row.sender},
     ${row.client}::jsonb, ${row.verdicts}::jsonb, ${row.origin})
   on conflict (workspace_id, origin) where origin is not null do update set origin = excluded.origin,
     raw_hash = case when svc_mail_intake.raw_hash = '' then excluded.raw_hash else svc_mail_intake.raw_hash end,
     size = case when svc_mail_intake.raw_hash = '' then excluded.size else svc_mail_intake.size end`,
  sql`insert into svc_mail_delivery (workspace_id, id, intake_id, account_id, recipients)
   select i.workspace_id, d.id, i.id, d.account_id, string_to_array(d.recipients, chr(10))
   from svc_mail_intake i,
     unnest(${row.ids}::int8[], ${row.accounts}::int[], ${row.recipients}::text[]) d(id, account_id, recipients)
   where i.workspace_id = ${row.workspaceId}
     and ${row.origin === null ? sql`i.id = ${row.id}` : sql`i.origin = ${row.origin}`}
   on conflict (workspace_id, intake_id, account_id) do nothing`,
];

/** Batches small messages that arrive concurrently into one transaction, which waits for the disk only once. */
const getIntakeQueue = memoizePerObject((db: Database) =>
  createBatchingQueue<IntakeRow & SmallBlob, void>({
    getKey: ({ workspaceId }) => workspaceId,
    async runBatch(items) {
      // Sorted, so that concurrent batches lock shared blobs in the same order and cannot deadlock.
      const sortedItems = items.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
      const statements = sortedItems.flatMap((item) => [
        ...buildSmallBlobInserts(item),
        ...buildIntakeInserts(item),
      ]);
      await runWithRetries(() => runTogether(db, statements));
      return items.map(() => undefined);
    },
    concurrency: MAX_CONCURRENT_STORES,
    maxSize: MAX_STORED_BYTES,
    getSize: ({ size }) => size,
    isItemError: isDatabaseRejection,
  }),
);
