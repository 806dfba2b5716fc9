import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import type { ThreadKeys } from '../../../src/message/thread/refs.ts';

export interface FilingChange {
  modseq: number;
  /** Existing entries that change when their threads are merged. */
  updated: number[];
}

const buildKey = (ref: Buffer, subject: Buffer): string =>
  `${ref.toString('base64')} ${subject.toString('base64')}`;

/** Subject key under which a Message-ID refers to its oldest thread, regardless of the subject. */
const ANY_SUBJECT = Buffer.alloc(0);

interface ThreadLookup {
  /** Ids of the new entries. A message without a thread starts one with its own id. */
  ids: readonly number[];
  keys: readonly ThreadKeys[];
  /** Result of `loadKnownThreads`. New threads are added to it. */
  threadIds: Map<string, number>;
}

/**
 * Finds the thread of each new message in a locked mailbox. If a message connects several threads, merges them into the
 * one with the lowest id, so that the result does not depend on the arrival order. `storeThreadRefs` stores the
 * references.
 */
export async function assignThreads(
  ctx: Ctx,
  accountId: number,
  { ids, keys, threadIds }: ThreadLookup,
  change: FilingChange,
): Promise<number[]> {
  const merged = new Map<number, number>();
  const findRoot = (thread: number): number => {
    const to = merged.get(thread);
    return to === undefined ? thread : findRoot(to);
  };
  const threads = keys.map(({ refs, subject, answers }, i) => {
    const hits = refs.flatMap((ref) => threadIds.get(buildKey(ref, subject)) ?? []).map(findRoot);
    const repliedThread =
      answers && hits.length === 0 ? threadIds.get(buildKey(answers, ANY_SUBJECT)) : undefined;
    const thread =
      hits.length > 0 ? Math.min(...hits) : repliedThread === undefined ? ids[i]! : findRoot(repliedThread);
    for (const hit of hits) if (hit !== thread) merged.set(hit, thread);
    for (const ref of refs) threadIds.set(buildKey(ref, subject), thread);
    if (refs[0] && !threadIds.has(buildKey(refs[0], ANY_SUBJECT)))
      threadIds.set(buildKey(refs[0], ANY_SUBJECT), thread);
    return thread;
  });
  for (const from of [...merged.keys()])
    if (ids.includes(from)) continue;
    else if (!(await mergeThreads(ctx, accountId, from, findRoot(from), change))) merged.delete(from);
  return threads.map(findRoot);
}

export interface MailboxKeys extends ThreadKeys {
  accountId: number;
}

export async function loadKnownThreads(
  ctx: Ctx,
  keys: readonly MailboxKeys[],
): Promise<Map<number, Map<string, number>>> {
  const { accounts, refs, subjects } = toRefColumns(keys);
  const rows = await ctx.db.rows<{ account_id: number; ref: Buffer; subject: Buffer; thread_id: number }>(
    sql`select r.account_id, r.ref, r.subject, r.thread_id
     from unnest(${accounts}::int[], ${refs}::bytea[], ${subjects}::bytea[]) k(account_id, ref, subject)
     join svc_mail_thread_ref r on r.account_id = k.account_id and r.ref = k.ref and r.subject = k.subject
     where r.workspace_id = ${ctx.workspace.id}`,
  );
  const threadsByAccount = new Map(keys.map(({ accountId }) => [accountId, new Map<string, number>()]));
  for (const row of rows)
    threadsByAccount.get(row.account_id)!.set(buildKey(row.ref, row.subject), row.thread_id);
  const results = keys.flatMap(({ accountId, answers: ref }) => (ref ? [{ accountId, ref }] : []));
  if (results.length === 0) return threadsByAccount;
  const replyRows = await ctx.db.rows<{ account_id: number; ref: Buffer; thread_id: number }>(
    sql`select r.account_id, r.ref, min(r.thread_id) as thread_id
     from unnest(${results.map(({ accountId }) => accountId)}::int[],
       ${results.map(({ ref }) => ref)}::bytea[]) k(account_id, ref)
     join svc_mail_thread_ref r on r.account_id = k.account_id and r.ref = k.ref
     where r.workspace_id = ${ctx.workspace.id} group by r.account_id, r.ref`,
  );
  for (const row of replyRows)
    threadsByAccount.get(row.account_id)!.set(buildKey(row.ref, ANY_SUBJECT), row.thread_id);
  return threadsByAccount;
}

const toRefColumns = (keys: readonly MailboxKeys[]) => ({
  accounts: keys.flatMap(({ refs, accountId }) => refs.map(() => accountId)),
  refs: keys.flatMap(({ refs }) => refs),
  subjects: keys.flatMap(({ refs, subject }) => refs.map(() => subject)),
});

/** @returns false if the thread is too large to be merged; new messages then belong to the other thread */
async function mergeThreads(
  ctx: Ctx,
  accountId: number,
  from: number,
  to: number,
  change: FilingChange,
): Promise<boolean> {
  const { id: workspace } = ctx.workspace;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_entry
     where workspace_id = ${workspace} and account_id = ${accountId} and thread_id = ${from}
     limit ${sql.literal(limits.mail.mergedMessages + 1)}`,
  );
  if (rows.length > limits.mail.mergedMessages) return false;
  const movedRows = await ctx.db.rows<{ id: number }>(
    sql`update svc_mail_entry set thread_id = ${to}, modseq = ${change.modseq}
     where workspace_id = ${workspace} and account_id = ${accountId} and thread_id = ${from} returning id`,
  );
  for (const { id } of movedRows) change.updated.push(id);
  await ctx.db.rows(
    sql`update svc_mail_thread_ref set thread_id = ${to}
     where workspace_id = ${workspace} and account_id = ${accountId} and thread_id = ${from}`,
  );
  return true;
}

export async function storeThreadRefs(
  ctx: Ctx,
  keys: readonly MailboxKeys[],
  threads: readonly number[],
): Promise<void> {
  const { accounts, refs, subjects } = toRefColumns(keys);
  if (refs.length === 0) return;
  const threadOfKeys = keys.flatMap(({ refs }, i) => refs.map(() => threads[i]!));
  await ctx.db.rows(
    sql`insert into svc_mail_thread_ref (workspace_id, account_id, ref, subject, thread_id)
     select distinct on (k.account_id, k.ref, k.subject) a.workspace_id, a.id, k.ref, k.subject, k.thread_id
     from unnest(${accounts}::int[], ${refs}::bytea[], ${subjects}::bytea[], ${threadOfKeys}::int8[])
       k(account_id, ref, subject, thread_id)
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = k.account_id
     on conflict (workspace_id, account_id, ref, subject) do nothing`,
  );
}
