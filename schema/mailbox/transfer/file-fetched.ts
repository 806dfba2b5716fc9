import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { AppError } from '../../../src/errors.ts';
import { MAILBOX_FULL } from '../accounts/quota.ts';
import type { FetchedMail, ImapFailure } from './imap-fetch.ts';
import { importRaw } from './import-raw.ts';

interface ImportCounts {
  imported: number;
  duplicates: number;
  failures: ImapFailure[];
}

/** Files messages from a remote server. If the batch fails, files its messages individually. */
export async function fileFetchedMessages(
  ctx: Ctx,
  accountId: number,
  folderId: number,
  mails: FetchedMail[],
): Promise<ImportCounts> {
  try {
    const ids = await importRaw(ctx, accountId, folderId, mails);
    const importedCount = ids.filter((id) => typeof id === 'number').length;
    const fullMails = mails.filter((_, i) => ids[i] === 'full');
    const failures = fullMails.map(({ uid }) => ({ uid, error: MAILBOX_FULL }));
    return { imported: importedCount, duplicates: ids.length - importedCount - fullMails.length, failures };
  } catch (error) {
    if (!isContentError(error)) throw error;
    if (mails.length > 1) return fileMessagesIndividually(ctx, accountId, folderId, mails);
    const failures = mails.map(({ uid }) => ({ uid, error: 'It could not be filed.' }));
    return { imported: 0, duplicates: 0, failures };
  }
}

/**
 * True if the message caused the error. Any other error, such as an unavailable database, must not skip the message.
 */
const isContentError = (error: unknown): boolean =>
  error instanceof AppError
    ? ['BAD_REQUEST', 'BAD_VALUE', 'VALIDATION'].includes(error.kind)
    : /^(?:22|23(?!503))/.test((error as { code?: string }).code ?? '');

async function fileMessagesIndividually(
  ctx: Ctx,
  accountId: number,
  folderId: number,
  mails: FetchedMail[],
): Promise<ImportCounts> {
  const sum: ImportCounts = { imported: 0, duplicates: 0, failures: [] };
  for (const mail of mails) {
    const counts = await fileFetchedMessages(ctx, accountId, folderId, [mail]);
    sum.imported += counts.imported;
    sum.duplicates += counts.duplicates;
    sum.failures.push(...counts.failures);
  }
  return sum;
}
