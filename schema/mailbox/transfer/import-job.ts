import { decryptText, encryptText } from '../../../src/encryption.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { JOB_STARTED_SHAPE } from '../jobs/job-cancel.ts';
import { type JobRow, saveJob, startJob, TransientJobError } from '../jobs/job-row.ts';
import { defineJobStep } from '../jobs/run-jobs.ts';
import { MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { checkCanImport } from '../settings/policy.ts';
import { fileFetchedMessages } from './file-fetched.ts';
import { MAX_IMAP_BYTES } from './imap-connection.ts';
import { catchImapError, ERROR_CODE_SHAPE, ImapError } from './imap-error.ts';
import { ensureTargetFolder, IMAP_KINDS, parseImapKind } from './imap-folder.ts';
import { limitCount, MAX_IMAP_FOLDERS } from './imap-list.ts';
import { ImapAccountInput, type ImapServer, parseImapServer } from './imap-server.ts';
import { type ImapSession, withImapSession } from './imap-session.ts';
import {
  createImportedFolder,
  type ImportedFolder,
  type ImportPlan,
  MAX_RECORDED_FAILURES,
} from './import-plan.ts';
import type { ImapCode } from './remote-error.ts';

const ImportFolderInput = builder.inputType('MailImportFolderInput', {
  description: 'A folder on another mail server to import.',
  fields: (t) => ({
    folder: t.string({ required: true, description: 'Path of the folder.' }),
    kind: t.string({
      description: `Kind of folder: ${IMAP_KINDS.join(', ')}. Defaults to the kind that the other server reports.`,
    }),
  }),
});

export const mailImportStart = defineOperation('mailImportStart', {
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    'Imports a mailbox from another mail server in a background job (`mailJobs`), which resumes after a restart. ' +
    'Folders there are opened read-only. The password is stored encrypted until the job ends; `code` and ' +
    '`error` of the job report why it cannot sign in.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to import into.' }),
    conn: arg({ type: ImapAccountInput, required: true, description: 'Mailbox on the other server.' }),
    folders: arg({
      type: [ImportFolderInput],
      description: 'Folders to import, in this order. Defaults to all folders.',
    }),
  }),
  ...returnOutcome('MailImportStarted', 'Result of starting an import.', {
    ...JOB_STARTED_SHAPE,
    ...ERROR_CODE_SHAPE,
  }),
  run: async (ctx, { accountId, conn, folders }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchImapError(async () => {
      await checkCanImport(ctx, account, 'mail.import_imap');
      const server = parseImapServer(conn);
      const plan: ImportPlan = { folders: folders ? parseFolders(folders) : null, failures: [] };
      const encrypted = encryptText(ctx.runtime.config.secretKey, JSON.stringify(server));
      const job = { accountId, kind: 'import' as const, plan, server: server.host, sealed: encrypted };
      return { job_id: await startJob(ctx, job) };
    });
  },
});

/** @throws ImapError `bad_value` */
function parseFolders(inputs: readonly (typeof ImportFolderInput.$inferInput)[]): ImportedFolder[] {
  const paths = new Set(inputs.map(({ folder }) => folder));
  if (paths.size === 0 || paths.size < inputs.length || inputs.length > MAX_IMAP_FOLDERS)
    throw new ImapError('bad_value', `folders: expected 1 to ${MAX_IMAP_FOLDERS} folders, each once.`);
  if ([...paths].some((path) => path === '' || path.length > limits.mail.imapPath))
    throw new ImapError('bad_value', `folders: a path must have 1 to ${limits.mail.imapPath} characters.`);
  return inputs.map(({ folder, kind }) => createImportedFolder(folder, kind ? parseImapKind(kind) : null));
}

/** Errors of the remote server after which the job is retried. */
const TRANSIENT_CODES: ReadonlySet<ImapCode> = new Set(['connect_failed', 'timeout', 'protocol_error']);

defineJobStep('import', async (ctx, job, mustStop) => {
  const account = await getMemberMailbox(ctx, job.account_id);
  await checkCanImport(ctx, account, 'mail.import_imap');
  const credentials = decryptText(ctx.runtime.config.secretKey, job.sealed ?? '');
  if (credentials === null)
    throw new MailError('The password can no longer be read. Start the import again.');
  const server = JSON.parse(credentials) as ImapServer;
  try {
    return await withImapSession(ctx, server, (session) => importUntilStopped(ctx, job, session, mustStop));
  } catch (error) {
    const code = error instanceof ImapError ? (error.more.code as ImapCode) : null;
    throw code && TRANSIENT_CODES.has(code)
      ? new TransientJobError((error as Error).message, { code })
      : error;
  }
});

/** Importing stops this long before the deadline. */
const CONNECTION_RESERVE_MS = 20_000;

/** Reconnects after this many bytes, because `MAX_IMAP_BYTES` limits each connection. */
const MAX_CONNECTION_BYTES = MAX_IMAP_BYTES - limits.mail.importBytes - limits.mail.importedBytes;

/** @returns true if the import is complete */
async function importUntilStopped(
  ctx: Ctx,
  job: JobRow,
  session: ImapSession,
  mustStop: () => boolean,
): Promise<boolean> {
  const plan = job.plan as ImportPlan;
  if (job.total === null) await countMessages(ctx, job, session);
  const isTurnOver = () =>
    mustStop() ||
    Date.now() > session.until - CONNECTION_RESERVE_MS ||
    session.getReceivedBytes() > MAX_CONNECTION_BYTES;
  for (const folder of plan.folders!) {
    while (!folder.isDone) {
      if (isTurnOver()) return false;
      await importNextBatch(ctx, job, session, folder);
    }
  }
  return true;
}

async function countMessages(ctx: Ctx, job: JobRow, session: ImapSession): Promise<void> {
  const plan = job.plan as ImportPlan;
  const folders = await session.listFolders();
  const countsByFolder = new Map(folders.map((item) => [item.folder, item]));
  const all = folders.slice(0, MAX_IMAP_FOLDERS).map(({ folder }) => createImportedFolder(folder, null));
  plan.folders ??= all;
  for (const folder of plan.folders) {
    folder.kind ??= countsByFolder.get(folder.folder)?.kind ?? 'folder';
    folder.messages = countsByFolder.get(folder.folder)?.messages ?? null;
  }
  job.total = sumMessages(plan.folders);
  await saveJob(ctx, job);
  job.attempts = 0;
}

/** Attempts to read a message on which the connection breaks or times out. */
const MAX_MESSAGE_ATTEMPTS = 2;

async function importNextBatch(
  ctx: Ctx,
  job: JobRow,
  session: ImapSession,
  folder: ImportedFolder,
): Promise<void> {
  const skipsBreaking = job.attempts > MAX_MESSAGE_ATTEMPTS;
  const source = { ...folder, from: folder.uidNext, limit: limits.mail.imapBatch, skipsBreaking };
  const result = await session.fetchNextMessages(source);
  const folderId = await ensureTargetFolder(ctx, job.account_id, folder.folder, folder.kind!);
  const filedCounts = await fileFetchedMessages(ctx, job.account_id, folderId, result.mails);
  const plan = job.plan as ImportPlan;
  const failures = [...result.failures, ...filedCounts.failures].map((failure) => ({
    folder: folder.folder,
    ...failure,
  }));
  plan.failures = [...plan.failures, ...failures].slice(0, MAX_RECORDED_FAILURES);
  folder.done += filedCounts.imported;
  folder.skipped += filedCounts.duplicates;
  folder.failed += failures.length;
  folder.uidNext = result.nextUid;
  folder.uidvalidity = result.uidvalidity;
  folder.isDone = result.done;
  folder.messages = Math.max(result.messages, folder.done + folder.skipped + folder.failed);
  job.done += filedCounts.imported;
  job.skipped += filedCounts.duplicates;
  job.failed += failures.length;
  job.total = sumMessages(plan.folders!);
  await saveJob(ctx, job);
  job.attempts = 0;
}

const sumMessages = (folders: readonly ImportedFolder[]): number =>
  limitCount(folders.reduce((sum, { messages }) => sum + (messages ?? 0), 0));
