import { putBlob, putBlobs } from '../../../src/db/blobs/put.ts';
import { readBlob, readSmallBlobs, readWholeBlob } from '../../../src/db/blobs/read.ts';
import { defineBlobUse } from '../../../src/db/blobs/uses.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { type RawMail, toRawMail } from '../../../src/mail/parse/raw.ts';

// Raw messages lie in the blob store; everything else that is known of a message can be made of it again.

defineBlobUse({ table: 'svc_mail_message', column: 'raw_hash' });
defineBlobUse({ table: 'svc_mail_intake', column: 'raw_hash' });
defineBlobUse({ table: 'svc_mail_staged', column: 'hash' });

/** Bytes of a message that is held in memory while it is read; a larger one is read by ranges. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Keeps a raw message. @throws BAD_REQUEST for one that is too large @returns what it is read by, and its bytes */
export const storeRaw = (
  ctx: Ctx,
  raw: Buffer | AsyncIterable<Buffer>,
): Promise<{ hash: string; size: number }> => putBlob(ctx, raw, { limit: limits.mail.messageBytes });

/** Keeps raw messages, see `keepRaw`; small ones in one transaction. */
export const storeRaws = (ctx: Ctx, raws: readonly Buffer[]): Promise<{ hash: string; size: number }[]> =>
  putBlobs(ctx, raws, { limit: limits.mail.messageBytes });

/** A raw message that is kept, to be read in several places: from the store at one time, unless it is large. */
export const loadRawMail = async (ctx: Ctx, hash: string, size: number): Promise<RawMail> =>
  size <= MAX_BUFFERED_BYTES ? toRawMail(await readWholeBlob(ctx, hash)) : openRawMail(ctx, hash, size);

/** Raw messages, by hash, with one statement; those that are large or lie elsewhere are left out. */
export const loadSmallMails = (
  ctx: Ctx,
  mails: readonly { raw_hash: string; size: number }[],
): Promise<Map<string, Buffer>> =>
  readSmallBlobs(
    ctx,
    mails.flatMap(({ raw_hash, size }) => (size <= MAX_BUFFERED_BYTES ? [raw_hash] : [])),
  );

/** A raw message that is kept, to be read by ranges. */
export const openRawMail = (ctx: Ctx, hash: string, size: number): RawMail => ({
  size,
  read: (from, to) => readBlob(ctx, hash, { from, to }),
});
