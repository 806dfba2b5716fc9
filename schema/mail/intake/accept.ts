import { memoizePerObject } from '../../../src/cache.ts';
import {
  buildSmallBlob,
  buildSmallBlobCtes,
  MAX_SMALL_BLOB_BYTES,
  type SmallBlob,
  type StoredBlob,
} from '../../../src/db/blobs/put.ts';
import { readBlob } from '../../../src/db/blobs/read.ts';
import { chooseBlobStore } from '../../../src/db/blobs/stores.ts';
import { isDatabaseRejection } from '../../../src/db/outage.ts';
import { type Database, withRetries } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId, allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';
import { scheduleDue } from '../../../src/engine/work/due.ts';
import { limits } from '../../../src/limits.ts';
import { createBareCtx } from '../../base/workspace/create-workspace.ts';
import { storeRaw } from '../messages/raw.ts';
import { type DeliveryTarget, findDeliveryTargets } from './delivery-targets.ts';
import { bufferSmallMessage, QuotaExceededError, readUpTo } from './incoming-stream.ts';
import type { SmtpClient } from './smtp-client.ts';
import type { Verdicts } from './verdicts.ts';

/** Under which workspaces are noted that have messages to be filed. */
export const INTAKE_KIND = 'intake';

/** A message that has come. */
export interface IncomingMessage {
  /** Of the envelope; empty for a report. */
  sender: string;
  /** Of the envelope. */
  recipients: readonly string[];
  raw: Buffer | AsyncIterable<Buffer>;
  source: 'smtp' | 'local';
  client?: SmtpClient | null;
  /** Who brings it gets one answer for all recipients. */
  isForAll?: boolean;
  /** It has been taken for all recipients elsewhere: room or not, it is kept. */
  cannotRefuse?: boolean;
  /** What is known of its sender already. */
  verdicts?: Verdicts | null;
  /** Where the recipients' mail goes, if that is known. */
  places?: readonly DeliveryTarget[];
  /** By which the one who brings it would bring it again: then nothing new comes of it. */
  origin?: string | null;
}

/**
 * What became of each recipient, by address: `full` where the mailbox has no room for the message now, `over` where it
 * never has.
 */
export type Acceptance = Map<string, 'accepted' | 'unknown' | 'full' | 'over'>;

/**
 * Takes a message for filing. When this resolves it is durable: kept as it came, with a delivery for each mailbox, in
 * one transaction a workspace.
 * @throws BAD_REQUEST for one that is too large, else what the database says; then it may come again
 */
export async function acceptMessage(runtime: Runtime, arriving: IncomingMessage): Promise<Acceptance> {
  const { recipients, source } = arriving;
  const taken: Acceptance = new Map(recipients.map((recipient) => [recipient, 'unknown']));
  const found = arriving.places ?? (await findDeliveryTargets(runtime, recipients, 0, source === 'local'));
  const places = await skipAccepted(runtime, arriving, found, taken);
  if (places.length === 0) return taken;
  if (Buffer.isBuffer(arriving.raw)) {
    await storeForTargets(runtime, arriving, places, arriving.raw, taken);
    return taken;
  }
  const pieces = arriving.raw[Symbol.asyncIterator]();
  try {
    const head = await bufferSmallMessage(pieces);
    if (Buffer.isBuffer(head)) await storeForTargets(runtime, arriving, places, head, taken);
    else await acceptStream(runtime, arriving, places, head, taken);
  } finally {
    // What was not read to its end may hold a connection.
    await pieces.return?.();
  }
  return taken;
}

/**
 * A stream is kept before its size is known, but no more of it than one of the mailboxes has room for: what is refused
 * leaves nothing behind.
 */
async function acceptStream(
  runtime: Runtime,
  arriving: IncomingMessage,
  places: readonly DeliveryTarget[],
  raw: AsyncIterable<Buffer>,
  taken: Acceptance,
): Promise<void> {
  const isLocal = arriving.source === 'local';
  const names = getQuotaRecipients(places);
  const now = new Map(
    (await findDeliveryTargets(runtime, names, 0, isLocal)).map((place) => [place.recipient, place]),
  );
  // The copy that the others read is kept where there is most room.
  const sorted = places
    .map((place) => now.get(place.recipient) ?? place)
    .sort((a, b) => toFreeBytes(b) - toFreeBytes(a));
  const maxBytes = arriving.cannotRefuse ? Number.POSITIVE_INFINITY : toFreeBytes(sorted[0]!);
  try {
    await storeForTargets(runtime, arriving, sorted, readUpTo(maxBytes, raw), taken);
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error;
    const refused = new Map(sorted.map(({ recipient }) => [recipient, 'full' as 'full' | 'over']));
    for (const { recipient, isOver } of await findDeliveryTargets(runtime, names, error.size, isLocal))
      if (isOver) refused.set(recipient, 'over');
    for (const [recipient, outcome] of refused) taken.set(recipient, outcome);
  }
}

const getQuotaRecipients = (places: readonly DeliveryTarget[]): string[] =>
  places.filter(({ room }) => room !== null).map(({ recipient }) => recipient);

const toFreeBytes = ({ room }: DeliveryTarget): number => room ?? Number.MAX_SAFE_INTEGER;

async function storeForTargets(
  runtime: Runtime,
  arriving: IncomingMessage,
  places: readonly DeliveryTarget[],
  first: Buffer | AsyncIterable<Buffer>,
  taken: Acceptance,
): Promise<void> {
  let content: IncomingContent = { size: Buffer.isBuffer(first) ? first.length : null, read: () => first };
  for (const [workspaceId, its] of Map.groupBy(places, (place) => place.workspaceId)) {
    const ctx = createBareCtx(runtime, workspaceId);
    const kept = await storeIncoming(ctx, arriving, content, (size) =>
      selectTargets(runtime, arriving, its, size, taken),
    );
    // A stream can be read one time; the next workspace has the copy of this one.
    if (kept && content.size === null) content = { size: kept.size, read: () => readBlob(ctx, kept.hash) };
  }
}

/** Places that have not taken it before, when it was brought the first time: those are not asked for room once more. */
async function skipAccepted(
  { db }: Runtime,
  { origin }: IncomingMessage,
  places: readonly DeliveryTarget[],
  taken: Acceptance,
): Promise<readonly DeliveryTarget[]> {
  if (!origin) return places;
  const left: DeliveryTarget[] = [];
  for (const [workspaceId, its] of Map.groupBy(places, (place) => place.workspaceId)) {
    const rows = await db.rows<{ account_id: number }>(SELECT_ACCEPTED({ workspaceId, origin }));
    const accounts = new Set(rows.map(({ account_id }) => account_id));
    for (const place of its)
      if (accounts.has(place.accountId)) taken.set(place.recipient, 'accepted');
      else left.push(place);
  }
  return left;
}

const SELECT_ACCEPTED = sql.prepare<{ workspaceId: number; origin: string }>(
  (p) => sql`
  select d.account_id from svc_mail_intake i
  join svc_mail_delivery d on d.workspace_id = ${p.workspaceId} and d.intake_id = i.id
  where i.workspace_id = ${p.workspaceId} and i.origin = ${p.origin}`,
);

/** Those of the places that take a message of this size; what becomes of each goes to `taken`. */
async function selectTargets(
  runtime: Runtime,
  { source, isForAll = false, cannotRefuse = false }: IncomingMessage,
  places: DeliveryTarget[],
  size: number,
  taken: Acceptance,
): Promise<DeliveryTarget[]> {
  const bounded = getQuotaRecipients(places);
  const checkedTargets =
    bounded.length > 0 ? await findDeliveryTargets(runtime, bounded, size, source === 'local') : [];
  for (const { recipient, isFull, isOver } of checkedTargets)
    if (isFull) taken.set(recipient, isOver ? 'over' : 'full');
  const roomy = places.filter(({ recipient }) => taken.get(recipient) === 'unknown');
  // Where there is one answer for all, it is taken for all that one of them has room for.
  const kept = cannotRefuse || (isForAll && roomy.length > 0) ? places : roomy;
  for (const { recipient } of kept) taken.set(recipient, 'accepted');
  return kept;
}

const isSmall = (ctx: Ctx, raw: Buffer | AsyncIterable<Buffer>): raw is Buffer =>
  Buffer.isBuffer(raw) && raw.length <= MAX_SMALL_BLOB_BYTES && chooseBlobStore(ctx) === 'pg';

/** What is to be kept. */
interface IncomingContent {
  /** Bytes; null while they are not known. */
  size: number | null;
  read(): Buffer | AsyncIterable<Buffer>;
}

/**
 * A small message is kept with its rows in one statement; a large one, and one for a bucket, is there before them.
 * @returns what is kept; null for what no mailbox takes, if that is known before
 */
async function storeIncoming(
  ctx: Ctx,
  arriving: IncomingMessage,
  coming: IncomingContent,
  choose: (size: number) => Promise<DeliveryTarget[]>,
): Promise<StoredBlob | null> {
  const chosenBefore = coming.size === null ? null : await choose(coming.size);
  if (chosenBefore?.length === 0) return null;
  const raw = coming.read();
  const small = isSmall(ctx, raw) ? await buildSmallBlob(ctx, raw) : null;
  const { hash, size } = small ?? (await storeRaw(ctx, raw));
  const places = chosenBefore ?? (await choose(size));
  if (places.length === 0) return { hash, size };
  const { sender, source, client, verdicts, origin } = arriving;
  const accounts = [...Map.groupBy(places, ({ accountId }) => accountId)];
  const kept = {
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
    recipients: accounts.map(([, its]) => its.map(({ recipient }) => recipient).join('\n')),
  };
  if (small) await getIntakeQueue(ctx.runtime.db).add({ ...small, ...kept });
  else await ctx.db.rows(INSERT_INTAKE(kept));
  scheduleDue(ctx.db, ctx.workspace.id, INTAKE_KIND);
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
  /** A list a mailbox, one address a line. */
  recipients: string[];
}

/** What came with the first recipients may have been forgotten since (`forgetWhole`); then it is kept once more. */
const INSERT_INTAKE_ROWS = (p: { readonly [K in keyof IntakeRow]: unknown }) => sql`
  intake as (
    insert into svc_mail_intake (workspace_id, id, raw_hash, size, source, envelope_from, client, verdicts, origin)
    values (${p.workspaceId}, ${p.id}, ${p.hash}, ${p.size}, ${p.source}, ${p.sender}, ${p.client}::jsonb,
      ${p.verdicts}::jsonb, ${p.origin})
    on conflict (workspace_id, origin) do update set origin = excluded.origin,
      raw_hash = case when svc_mail_intake.raw_hash = '' then excluded.raw_hash else svc_mail_intake.raw_hash end,
      size = case when svc_mail_intake.raw_hash = '' then excluded.size else svc_mail_intake.size end
    returning id
  )
  insert into svc_mail_delivery (workspace_id, id, intake_id, account_id, recipients)
  select ${p.workspaceId}, d.id, intake.id, d.account_id, string_to_array(d.recipients, chr(10))
  from intake, unnest(${p.ids}::int8[], ${p.accounts}::int[], ${p.recipients}::text[]) d(id, account_id, recipients)
  on conflict (workspace_id, intake_id, account_id) do nothing`;

const INSERT_INTAKE = sql.prepare<IntakeRow>((p) => sql`with ${INSERT_INTAKE_ROWS(p)}`);

const INSERT_SMALL_INTAKE = sql.prepare<IntakeRow & SmallBlob>(
  (p) => sql`with ${buildSmallBlobCtes(p)}, ${INSERT_INTAKE_ROWS(p)}`,
);

/** Small messages that come at the same time are kept in one transaction, which waits for the disk once. */
const getIntakeQueue = memoizePerObject((db: Database) =>
  createBatchingQueue<IntakeRow & SmallBlob, void>({
    getKey: ({ workspaceId }) => workspaceId,
    async runBatch(items) {
      // In one order, so that two that keep the same do not wait for each other.
      const sorted = items.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
      await withRetries(() =>
        db.transaction(async (tx) => {
          const kept = sorted.map((item) => tx.rows(INSERT_SMALL_INTAKE(item)));
          tx.finish();
          await Promise.all(kept);
        }),
      );
      return items.map(() => undefined);
    },
    concurrency: limits.mail.keptAtOnce,
    maxSize: limits.mail.keptTogether,
    getSize: ({ size }) => size,
    isItemError: isDatabaseRejection,
  }),
);
