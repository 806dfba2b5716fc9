import { putBlob, putBlobs } from '../../../src/db/blobs/put.ts';
import { readBlob, readSmallBlobs, readWholeBlob } from '../../../src/db/blobs/read.ts';
import { defineBlobUse } from '../../../src/db/blobs/uses.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { type RawMail, toRawMail } from '../../../src/message/parse/raw.ts';

// Raw messages are in the blob store. All other message data is derived from them.

defineBlobUse({ table: 'svc_mail_message', column: 'raw_hash' });
defineBlobUse({ table: 'svc_mail_intake', column: 'raw_hash' });
defineBlobUse({ table: 'svc_mail_staged', column: 'hash' });

/** Larger messages are read by range. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/**
 * @returns the hash and the size in bytes
 * @throws BAD_REQUEST if the message is too large
 */
export const storeRaw = (
  ctx: Ctx,
  raw: Buffer | AsyncIterable<Buffer>,
): Promise<{ hash: string; size: number }> => putBlob(ctx, raw, { limit: limits.mail.messageBytes });

/** Stores raw messages (see `storeRaw`), the small ones in one transaction. */
export const storeRaws = (ctx: Ctx, raws: readonly Buffer[]): Promise<{ hash: string; size: number }[]> =>
  putBlobs(ctx, raws, { limit: limits.mail.messageBytes });

/** Opens a stored message for repeated reads. Loads a small message once, and reads a large one by range. */
export const loadRawMail = async (ctx: Ctx, hash: string, size: number): Promise<RawMail> =>
  size <= MAX_BUFFERED_BYTES ? toRawMail(await readWholeBlob(ctx, hash)) : openRawMail(ctx, hash, size);

/** Loads small raw messages by hash with one statement. Omits large messages and messages in a bucket. */
export const loadSmallMails = (
  ctx: Ctx,
  mails: readonly { raw_hash: string; size: number }[],
): Promise<Map<string, Buffer>> =>
  readSmallBlobs(
    ctx,
    mails.flatMap(({ raw_hash, size }) => (size <= MAX_BUFFERED_BYTES ? [raw_hash] : [])),
  );

export const openRawMail = (ctx: Ctx, hash: string, size: number): RawMail => ({
  size,
  read: (from, to) => readBlob(ctx, hash, { from, to }),
});
