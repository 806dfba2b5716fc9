import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { computeByteLength, countBase64Digits } from '../../../src/message/attachment.ts';
import { createMailAccessError, getMemberMailbox } from '../accounts/member-access.ts';
import { MAILBOX_FULL } from '../accounts/quota.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { checkCanImport } from '../settings/policy.ts';
import { importRaw } from './import-raw.ts';

const FailureShape = defineTypedShape('MailImportFailure', 'A message that was not imported.', {
  index: { type: 'Int', description: 'Index in the list, starting at 0.' },
  error: { type: 'String', description: 'Reason for the failure.' },
});

const MB = 1024 * 1024;

export const mailImport = defineOperation('mailImport', {
  kind: 'mutation',
  effects: ['writes'],
  closedToAgents: true,
  address: 'svc.mail.account/import_messages',
  policy: MAIL_WRITE_POLICY,
  description:
    'Imports raw messages (RFC 822, in base64) into a folder, and marks them as read. Sends no ' +
    'notifications. Skips messages whose Message-ID is already in the mailbox. Each call accepts up ' +
    `to ${limits.mail.imported} messages of up to ${limits.mail.importedBytes / MB} MB each and ` +
    `${limits.mail.importBytes / MB} MB in total.`,
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to import into.' }),
    folderId: arg.recordId({ required: true, description: 'Folder to import into, in the same mailbox.' }),
    messages: arg.stringList({ required: true, description: 'Raw messages, each in base64.' }),
  }),
  ...returnOutcome('MailImportResult', 'Result of importing messages.', {
    imported: { type: 'Int', description: 'Number of imported messages.' },
    duplicates: { type: 'Int', description: 'Number of messages that the mailbox already contained.' },
    failed: { type: [FailureShape], description: 'Messages that were not imported, and why.' },
    entryIds: { type: ['ID'], description: 'Ids of the imported messages.' },
  }),
  run: async (ctx, { accountId, folderId, messages }) => {
    const account = await getMemberMailbox(ctx, accountId);
    const role = await getFolderRole(ctx, accountId, folderId);
    return catchMailError(async () => {
      if (role === 'drafts') throw new MailError('Messages cannot be imported into Drafts.');
      await checkCanImport(ctx, account, 'mail.import_export');
      return importMessages(ctx, accountId, folderId, messages);
    });
  },
});

/** @throws ACCESS_ERROR if the folder is not in the mailbox */
async function getFolderRole(ctx: Ctx, accountId: number, folderId: number): Promise<string | null> {
  const [folder] = await ctx.db.rows<{ role: string | null }>(
    sql`select role from svc_mail_folder where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       and id = ${folderId}`,
  );
  if (!folder) throw createMailAccessError(ctx, 'Folder', 'svc.mail.folder');
  return folder.role;
}

async function importMessages(ctx: Ctx, accountId: number, folderId: number, messages: string[]) {
  if (messages.length > limits.mail.imported)
    throw new MailError(`messages: must contain at most ${limits.mail.imported} messages.`);
  const sizes = messages.map(computeSize);
  if (sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) > limits.mail.importBytes)
    throw new MailError(`messages: must be at most ${limits.mail.importBytes / MB} MB in total.`);
  const failed: { index: number; error: string }[] = [];
  const accepted = messages.flatMap((text, index) => {
    const error = findSizeProblem(sizes[index]!);
    if (error) failed.push({ index, error });
    return error ? [] : [{ raw: Buffer.from(text, 'base64'), index }];
  });
  const results = await importRaw(ctx, accountId, folderId, accepted);
  const ids = results.filter((id) => typeof id === 'number');
  const full = accepted.filter((_, i) => results[i] === 'full');
  for (const { index } of full) failed.push({ index, error: MAILBOX_FULL });
  failed.sort((a, b) => a.index - b.index);
  const duplicates = results.length - ids.length - full.length;
  return { imported: ids.length, duplicates, failed, entry_ids: ids };
}

/** Returns the decoded size in bytes; null if the string is not Base64. */
function computeSize(text: string): number | null {
  const digits = countBase64Digits(text);
  return digits === null ? null : computeByteLength(digits);
}

function findSizeProblem(size: number | null): string | null {
  if (size === null) return 'It is not base64.';
  if (size === 0) return 'It is empty.';
  return size > limits.mail.importedBytes ? `It is larger than ${limits.mail.importedBytes / MB} MB.` : null;
}
