import { memoizePerObject } from '../../../src/cache.ts';
import { createBatcher, rethrowUnlessRejected } from '../../../src/engine/ctx/batcher.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { insertBatch, insertEmails, isOrdinary, type SingleSend } from './email-insert.ts';

/** Like `insertEmails`, but concurrent ordinary emails of one caller share a statement. */
export function insertInSharedBatch(send: SingleSend): Promise<string[] | null> {
  const { principal } = send.ctx;
  return principal && isOrdinary(send) ? getInsertBatcher(principal)(send) : insertAlone(send);
}

const insertAlone = ({ ctx, row, claim, recipients }: SingleSend): Promise<string[] | null> =>
  insertEmails(ctx, [row], claim, recipients);

const getInsertBatcher = memoizePerObject((_principal: Principal) =>
  createBatcher<SingleSend, string[] | null>(async (sends) => {
    const group = dropRepeatedKeys(sends);
    const results = group.size > 1 ? await insertBatch([...group]).catch(rethrowUnlessRejected) : null;
    return (send) => {
      if (!results || !group.has(send)) return insertAlone(send);
      if (!results.has(send.row.public_id)) return null;
      send.ctx.requestDb.recordChange();
      return [send.row.public_id];
    };
  }),
);

/** Keeps the first request per key. The others run after it and receive its response. */
function dropRepeatedKeys(sends: readonly SingleSend[]): Set<SingleSend> {
  const keys = new Set<string>();
  const group = new Set<SingleSend>();
  for (const send of sends) {
    const { key } = send.claim;
    if (key !== null && keys.has(key)) continue;
    if (key !== null) keys.add(key);
    group.add(send);
  }
  return group;
}
