import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/verb/builder.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { decryptText, encryptText } from '../../../src/seal.ts';
import { accountOf } from '../accounts/member-of.ts';
import { STARTED } from '../jobs/job-cancel.ts';
import { type JobRow, PassingJobRefusal, saveJob, startJob } from '../jobs/job-row.ts';
import { onMailJob } from '../jobs/run-jobs.ts';
import { answersShape } from '../kit/answer.ts';
import { mailWrites } from '../kit/policies.ts';
import { MailRefusal } from '../kit/refusal.ts';
import { fileFetched } from './file-fetched.ts';
import { fetchNext } from './imap-fetch.ts';
import { checkedKind, IMAP_KINDS, targetFolder } from './imap-folder.ts';
import { listFolders } from './imap-list.ts';
import { answeringImap, CODE, type ImapCode, ImapRefusal, refusalOf } from './imap-refusal.ts';
import { ImapAccount, type ImapServer, serverOf } from './imap-server.ts';
import { type ImapSession, inImap } from './imap-session.ts';
import { type ImportedFolder, type ImportPlan, newFolder } from './import-plan.ts';
import { checkImport } from './may-import.ts';

const WantedFolder = builder.inputType('MailImportFolderInput', {
  description: 'A folder of another mail server that is to be imported.',
  fields: (t) => ({
    folder: t.string({ required: true, description: 'Path of the folder.' }),
    kind: t.string({
      description: `What it is for: ${IMAP_KINDS.join(', ')}. By default as the other server says.`,
    }),
  }),
});

export const mailImportStartVerb = verb('mailImportStart', {
  kind: 'mutation',
  effects: ['writes'],
  policy: mailWrites,
  description:
    'Imports a mailbox on another mail server by a job (`mailJobs`), which goes on where it was when a process ends. ' +
    'Folders there are opened for reading alone. The password is kept sealed until the job ends; `code` and ' +
    '`error` of the job say why it cannot sign in.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to import into.' }),
    conn: arg({ type: ImapAccount, required: true, description: 'The other mailbox.' }),
    folders: arg({
      type: [WantedFolder],
      description: 'Folders to import, in this order; all that there are by default.',
    }),
  }),
  ...answersShape('MailImportStarted', 'An import that was started.', { ...STARTED, ...CODE }),
  run: async (ctx, { accountId, conn, folders }) => {
    const account = await accountOf(ctx, accountId);
    return answeringImap(async () => {
      await checkImport(ctx, account, 'mail.import_imap');
      const server = serverOf(conn);
      const plan: ImportPlan = { folders: folders ? wantedOf(folders) : null, failures: [] };
      const sealed = encryptText(ctx.runtime.config.secretKey, JSON.stringify(server));
      const job = { accountId, kind: 'import' as const, plan, server: server.host, sealed };
      return { job_id: await startJob(ctx, job) };
    });
  },
});

/** @throws ImapRefusal bad_value */
function wantedOf(given: readonly (typeof WantedFolder.$inferInput)[]): ImportedFolder[] {
  const paths = new Set(given.map(({ folder }) => folder));
  if (paths.size === 0 || paths.size < given.length || given.length > limits.mail.imapFolders)
    throw new ImapRefusal(
      'bad_value',
      `folders: expected 1 to ${limits.mail.imapFolders} folders, each once.`,
    );
  if ([...paths].some((path) => path === '' || path.length > limits.mail.imapPath))
    throw new ImapRefusal('bad_value', `folders: a path has 1 to ${limits.mail.imapPath} characters.`);
  return given.map(({ folder, kind }) => newFolder(folder, kind ? checkedKind(kind) : null));
}

/** What the other server may have put right by the next attempt. */
const PASSING: ReadonlySet<ImapCode> = new Set(['connect_failed', 'timeout', 'protocol_error']);

onMailJob('import', async (ctx, job, mustStop) => {
  const account = await accountOf(ctx, job.account_id);
  await checkImport(ctx, account, 'mail.import_imap');
  const opened = decryptText(ctx.runtime.config.secretKey, job.sealed ?? '');
  if (opened === null) throw new MailRefusal('The password can no longer be read; start the import again.');
  const server = JSON.parse(opened) as ImapServer;
  const outcome = await inImap(ctx, server, (session) =>
    // What fails on this side is not put into words of the other server's.
    importSome(ctx, job, session, mustStop).catch((thrown: unknown) => ({ thrown })),
  ).catch((thrown: unknown) => ({ thrown }));
  if (typeof outcome === 'boolean') return outcome;
  const { thrown } = outcome;
  const code = thrown instanceof ImapRefusal ? (thrown.more.code as ImapCode) : null;
  throw code && PASSING.has(code) ? new PassingJobRefusal((thrown as Error).message, { code }) : thrown;
});

/** Milliseconds before the end of a connection in which no further batch is begun. */
const SPARE = 20_000;

/** Bytes after which the other server is connected to again, as one connection may send so many alone. */
const ENOUGH = limits.mail.imapBytes - limits.mail.importBytes - limits.mail.importedBytes;

/** @returns whether there is no more */
async function importSome(
  ctx: Ctx,
  job: JobRow,
  session: ImapSession,
  mustStop: () => boolean,
): Promise<boolean> {
  const plan = job.plan as ImportPlan;
  if (job.total === null) await countAll(ctx, job, session);
  const isOver = () =>
    mustStop() || Date.now() > session.until - SPARE || session.client.stats().received > ENOUGH;
  for (const folder of plan.folders!) {
    while (!folder.isDone) {
      if (isOver()) return false;
      await importNext(ctx, job, session, folder);
    }
  }
  return true;
}

/** What there is to import, and how many messages that is. */
async function countAll(ctx: Ctx, job: JobRow, { client, until }: ImapSession): Promise<void> {
  const plan = job.plan as ImportPlan;
  const listed = await listFolders(client, until).catch(refused);
  const known = new Map(listed.map((each) => [each.folder, each]));
  const all = listed.slice(0, limits.mail.imapFolders).map(({ folder }) => newFolder(folder, null));
  plan.folders ??= all;
  for (const each of plan.folders) {
    each.kind ??= known.get(each.folder)?.kind ?? 'folder';
    each.messages = known.get(each.folder)?.messages ?? null;
  }
  job.total = totalOf(plan.folders);
  await saveJob(ctx, job);
  job.attempts = 0;
}

async function importNext(
  ctx: Ctx,
  job: JobRow,
  session: ImapSession,
  folder: ImportedFolder,
): Promise<void> {
  const source = { ...folder, from: folder.uidNext, limit: limits.mail.imapBatch };
  const fetched = await fetchNext(session, source).catch(refused);
  const folderId = await targetFolder(ctx, job.account_id, folder.folder, folder.kind!);
  const filed = await fileFetched(ctx, job.account_id, folderId, fetched.mails);
  const plan = job.plan as ImportPlan;
  const failures = [...fetched.failures, ...filed.failures].map((each) => ({
    folder: folder.folder,
    ...each,
  }));
  plan.failures = [...plan.failures, ...failures].slice(0, limits.mail.jobFailures);
  folder.done += filed.imported;
  folder.skipped += filed.duplicates;
  folder.failed += failures.length;
  folder.uidNext = fetched.nextUid;
  folder.uidvalidity = fetched.uidvalidity;
  folder.isDone = fetched.done;
  folder.messages = Math.max(fetched.messages, folder.done + folder.skipped + folder.failed);
  job.done += filed.imported;
  job.skipped += filed.duplicates;
  job.failed += failures.length;
  job.total = totalOf(plan.folders!);
  await saveJob(ctx, job);
  job.attempts = 0;
}

const totalOf = (folders: readonly ImportedFolder[]): number =>
  folders.reduce((sum, { messages }) => sum + (messages ?? 0), 0);

const refused = (error: Error): never => {
  throw refusalOf(error);
};
