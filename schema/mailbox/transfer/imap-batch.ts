import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_WRITE_POLICY, returnOutcome } from '../kit/operation.ts';
import { checkCanImport } from '../settings/policy.ts';
import { fileFetchedMessages } from './file-fetched.ts';
import { catchImapError, ERROR_CODE_SHAPE, ImapError } from './imap-error.ts';
import type { ImapSource } from './imap-fetch.ts';
import { ensureTargetFolder, IMAP_KINDS, parseImapKind } from './imap-folder.ts';
import { ImapAccountInput, parseImapServer } from './imap-server.ts';
import { withImapSession } from './imap-session.ts';

const ImapSourceInput = builder.inputType('MailImapSource', {
  description: 'A folder on another mail server, and the position to continue from.',
  fields: (t) => ({
    folder: t.string({ required: true, description: 'Path of the folder.' }),
    kind: t.string({
      description:
        `Kind of folder: ${IMAP_KINDS.join(', ')}. Messages are imported into the mailbox's folder ` +
        'of the same kind or, if there is none, into a folder with the same name.',
    }),
    uidNext: t.float({ description: 'UID of the message to continue from. Defaults to 1.' }),
    uidvalidity: t.float({
      description:
        'UIDVALIDITY from the last response. If the server reports another value, the import starts ' +
        'from the beginning.',
    }),
    limit: t.int({
      description: `Number of messages to import in this call, up to ${limits.mail.imapBatch}.`,
    }),
  }),
});

const FailureShape = defineTypedShape('MailImapFailure', 'A message that was not imported.', {
  uid: { type: 'Float', description: 'UID of the message in the folder.' },
  error: { type: 'String', description: 'Reason for the failure.' },
});

export const mailImapBatch = defineOperation('mailImapBatch', {
  effects: ['writes'],
  closedToAgents: true,
  address: 'svc.mail.account/import_imap_batch',
  policy: MAIL_WRITE_POLICY,
  description:
    'Imports the next messages of a folder on another mail server. The folder is opened read-only. While ' +
    '`done` is false, call again from `nextUid`. Messages keep their dates and their read and starred ' +
    'flags.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to import into.' }),
    conn: arg({ type: ImapAccountInput, required: true, description: 'Mailbox on the other server.' }),
    source: arg({ type: ImapSourceInput, required: true, description: 'Folder and position to import.' }),
  }),
  ...returnOutcome('MailImapBatch', 'Result of importing the next messages.', {
    ...ERROR_CODE_SHAPE,
    imported: { type: 'Int', description: 'Number of imported messages.' },
    duplicates: { type: 'Int', description: 'Number of messages that the mailbox already contained.' },
    failed: { type: 'Int', description: 'Number of messages that could not be imported.' },
    failures: { type: [FailureShape], description: 'Messages that could not be imported, and why.' },
    done: { type: 'Boolean', description: 'True if the folder has no more messages.' },
    nextUid: { type: 'Float', description: 'UID of the message to continue from.' },
    uidvalidity: { type: 'Float', description: 'UIDVALIDITY that `nextUid` belongs to.' },
    messages: { type: 'Int', description: 'Number of messages in the folder.' },
    folderId: { type: 'ID', description: 'Folder that the messages were imported into.' },
  }),
  run: async (ctx, { accountId, conn, source }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchImapError(async () => {
      await checkCanImport(ctx, account, 'mail.import_imap');
      const parsedSource = parseSource(source);
      const kind = parseImapKind(source.kind);
      const result = await withImapSession(ctx, parseImapServer(conn), (session) =>
        session.fetchNextMessages(parsedSource),
      );
      const folderId = await ensureTargetFolder(ctx, accountId, parsedSource.folder, kind);
      const filedCounts = await fileFetchedMessages(ctx, accountId, folderId, result.mails);
      const failures = [...result.failures, ...filedCounts.failures];
      return {
        imported: filedCounts.imported,
        duplicates: filedCounts.duplicates,
        failed: failures.length,
        failures,
        done: result.done,
        next_uid: result.nextUid,
        uidvalidity: result.uidvalidity,
        messages: result.messages,
        folder_id: folderId,
      };
    });
  },
});

/** @throws ImapError `bad_value` */
function parseSource({
  folder,
  uidNext,
  uidvalidity,
  limit,
}: typeof ImapSourceInput.$inferInput): ImapSource {
  if (folder === '' || folder.length > limits.mail.imapPath)
    throw new ImapError('bad_value', `source.folder: expected 1 to ${limits.mail.imapPath} characters.`);
  for (const [name, value] of Object.entries({ uid_next: uidNext, uidvalidity }))
    if (value != null && !(Number.isInteger(value) && value >= 0 && value <= MAX_UID))
      throw new ImapError('bad_value', `source.${name}: expected a whole number.`);
  const maxLimit = limits.mail.imapBatch;
  if (limit != null && (limit < 1 || limit > maxLimit))
    throw new ImapError('bad_value', `source.limit: expected a number from 1 to ${maxLimit}.`);
  return {
    folder,
    from: Math.max(1, uidNext ?? 1),
    uidvalidity: uidvalidity || null,
    limit: limit ?? maxLimit,
  };
}

const MAX_UID = 2 ** 32 - 1;
