import { putBlob } from '../../../src/db/blobs/put.ts';
import { readBlob } from '../../../src/db/blobs/read.ts';
import { markBlobsDeleted, purgeDeletedBlobs } from '../../../src/db/blobs/remove.ts';
import { defineBlobUse } from '../../../src/db/blobs/uses.ts';
import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { defineJob, type JobHost } from '../../../src/engine/work/jobs.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { returnShape } from '../../mailbox/kit/operation.ts';
import { notify } from '../notifications/notify.ts';
import { rejectAgents } from '../reject-agents.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { createArchiveStream } from './export-archive.ts';

const EXPORT_TTL_DAYS = 7;
/** Maximum number of archives per workspace. A new archive replaces the oldest. */
const MAX_STORED_ARCHIVES = 3;
/** Failed exports count toward this limit. */
const MAX_EXPORTS_PER_DAY = 5;
/** Maximum total size of a workspace's archives. */
const MAX_ARCHIVE_BYTES = 20 * 1024 ** 3;
const DOWNLOAD_LINK_MINUTES = 10;

defineBlobUse({ table: 'svc_workspace_export', column: 'content_hash' });

defineModel('svc.workspace.export', {
  group: 'data',
  display: 'state',
  order: 'id desc',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: { type: 'WorkspaceExport', one: 'workspaceExport', many: 'workspaceExports', writes: false },
});

const EXPORT_JOB = 'workspace-export';

export const workspaceExportStart = defineOperation('workspaceExportStart', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'workspace.export' },
  description:
    'Starts an export of the whole workspace as an archive. Records are exported as JSON Lines, and ' +
    'messages and files are exported unchanged. Passwords, keys and secrets are left out. The returned ' +
    `record shows the progress. Only one export runs at a time. The ${MAX_STORED_ARCHIVES} latest archives ` +
    'are kept.',
  args: () => ({}),
  ...returnRecord('svc.workspace.export', facadeResult.id, (id: number) => id),
  run: (ctx) => startExport(ctx),
});

/** @throws USER_ERROR if another export is in progress, BUSY if the daily limit is reached */
async function startExport(ctx: Ctx): Promise<number> {
  await rejectAgents(ctx);
  const workspace = sql.param(ctx.workspace.id);
  await ctx.db.rows(sql`select pg_advisory_xact_lock(hashtext('export of a workspace'), ${workspace}::int)`);
  const [otherExport] = await ctx.db.rows(
    sql`select 1 from svc_workspace_export where workspace_id = ${workspace} and state in ('waiting', 'running')`,
  );
  if (otherExport)
    throw errors.user('An export of this workspace is already running. Wait until it has finished.');
  await rejectTooManyExports(ctx);
  const id = await allocateId(ctx, 'svc_workspace_export');
  await ctx.db.rows(
    sql`insert into svc_workspace_export (workspace_id, id, user_id, create_date, expires_at)
     values (${workspace}, ${id}, ${ctx.principal!.userId},
        ${computeDatabaseTime(0)}::timestamp, ${computeDatabaseTime(HOURS_PER_DAY)}::timestamp)`,
  );
  await ctx.runtime.jobs.enqueue(ctx, EXPORT_JOB, { workspaceId: ctx.workspace.id, id });
  return id;
}

async function rejectTooManyExports(ctx: Ctx): Promise<void> {
  const [row] = await ctx.db.rows<{ n: number; first: string }>(
    sql`select count(*)::int as n, ${toIsoSql(sql`min(create_date)`)} as first from svc_workspace_export
     where workspace_id = ${ctx.workspace.id} and create_date > ${computeDatabaseTime(-HOURS_PER_DAY)}::timestamp`,
  );
  if (row!.n < MAX_EXPORTS_PER_DAY) return;
  const seconds = (Date.parse(row!.first) - Date.now()) / 1000 + HOURS_PER_DAY * 3_600;
  throw errors.overLimit(`A workspace can start at most ${MAX_EXPORTS_PER_DAY} exports per day.`, seconds);
}

export const workspaceExportLink = defineOperation('workspaceExportLink', {
  kind: 'mutation',
  effects: ['writes', 'secret'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'workspace.export.link' },
  description:
    `Returns the download path of a finished export. It is valid for ${DOWNLOAD_LINK_MINUTES} minutes and ` +
    'requires a signed-in administrator; API keys are not accepted.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Export.' }) }),
  type: 'String',
  run: async (ctx, { id }) => {
    await rejectAgents(ctx);
    await getFinishedExport(ctx, id);
    const expires = Date.now() + DOWNLOAD_LINK_MINUTES * 60_000;
    const { secretKey } = ctx.runtime.config;
    const link = signLink(secretKey, EXPORT_LINK_KIND, ctx.workspace.id, String(id), expires);
    const query = new URLSearchParams({ id: link.id, hash: link.hash, expires: String(expires) });
    return `/workspace/export?${query}`;
  },
});

const EXPORT_LINK_KIND = 'workspace-export';

interface ArchiveDownload {
  name: string;
  size: number;
  file: AsyncIterable<Uint8Array>;
}

export const workspaceExportFile = defineOperation('workspaceExportFile', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['ADMIN'], scope: 'read' },
  description:
    "Returns the name and size of a finished export's archive, which a signed-in browser can download.",
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Export.' }) }),
  ...returnShape('WorkspaceExportFile', 'A workspace archive.', {
    name: { type: 'String', description: 'Name of the file.' },
    size: { type: 'Float', description: 'Size in bytes.' },
  }),
  run: async (ctx, { id }): Promise<ArchiveDownload> => {
    const { content_hash: hash, size, day } = await getFinishedExport(ctx, id);
    return { name: `${ctx.workspace.slug}-${day}.tar.gz`, size, file: readBlob(ctx, hash) };
  },
});

interface FinishedExport {
  content_hash: string;
  size: number;
  day: string;
}

/** @throws NOT_FOUND if the export does not exist, is not done or has expired */
async function getFinishedExport(ctx: Ctx, id: number): Promise<FinishedExport> {
  const [row] = await ctx.db.rows<FinishedExport>(
    sql`select content_hash, size, create_date::date::text as day from svc_workspace_export
     where workspace_id = ${ctx.workspace.id} and id = ${id} and state = 'done'
       and expires_at > ${computeDatabaseTime(0)}::timestamp`,
  );
  if (!row) throw errors.notFound('Export');
  return row;
}

/** If a worker dies, another restarts its export. The partial archive is deleted as an unused blob. */
defineJob({
  name: EXPORT_JOB,
  run: async (host, data) => {
    const { workspaceId, id } = data as { workspaceId: number; id: number };
    const workspace = sql.param(workspaceId);
    const [row] = await host.db.rows<{ id: number; user_id: number | null }>(
      sql`update svc_workspace_export set state = 'running', done = 0
       where workspace_id = ${workspace} and id = ${id} and state in ('waiting', 'running')
       returning id, user_id`,
    );
    if (!row) return;
    const { user_id: userId } = row;
    const work = { kind: 'workspace_export', model: 'svc.workspace.export', resId: id } as const;
    try {
      const remaining = await deleteOldestArchives(host, workspaceId);
      const { hash, size } = await storeArchive(host, workspaceId, id, remaining);
      const title = 'The workspace export is ready to download.';
      await host.db.transaction(async (tx) => {
        await tx.rows(
          sql`update svc_workspace_export set state = 'done', done = total, size = ${size}, content_hash = ${hash},
             finished_at = ${computeDatabaseTime(0)}::timestamp,
             expires_at = ${computeDatabaseTime(EXPORT_TTL_DAYS * HOURS_PER_DAY)}::timestamp
           where workspace_id = ${workspace} and id = ${id}`,
        );
        await notify(tx, workspaceId, userId, { ...work, outcome: 'done', title, details: null });
      });
    } catch (error) {
      const isTooLarge = error instanceof AppError && error.kind === 'BAD_REQUEST';
      host.log.error({ err: error, workspace: workspaceId }, 'a workspace could not be exported');
      const title = 'The workspace could not be exported.';
      const details = isTooLarge ? ARCHIVES_TOO_LARGE_ERROR : EXPORT_FAILED_ERROR;
      await host.db.transaction(async (tx) => {
        await tx.rows(
          sql`update svc_workspace_export set state = 'failed', finished_at = ${computeDatabaseTime(0)}::timestamp,
             error = ${details}
           where workspace_id = ${workspace} and id = ${id}`,
        );
        await notify(tx, workspaceId, userId, { ...work, outcome: 'failed', title, details });
      });
    }
  },
});

const EXPORT_FAILED_ERROR = 'The export failed. Start it again. The server log contains the cause.';

const ARCHIVES_TOO_LARGE_ERROR =
  "The workspace's archives would exceed the server's storage limit. The operator can export the workspace to a file.";

/** @returns the number of bytes available for the new archive */
async function deleteOldestArchives({ db, config }: JobHost, workspaceId: number): Promise<number> {
  const host = { db, workspace: { id: workspaceId }, runtime: { config } };
  const oldArchives = await db.rows<{ id: number; size: number; content_hash: string }>(
    sql`select id, size::float8 as size, content_hash from svc_workspace_export
     where workspace_id = ${workspaceId} and state = 'done' order by id desc`,
  );
  const oldest = oldArchives.splice(MAX_STORED_ARCHIVES - 1);
  for (const { id, content_hash: hash } of oldest)
    await db.transaction(async (tx) => {
      await tx.rows(
        sql`update svc_workspace_export set state = 'expired', content_hash = null
         where workspace_id = ${workspaceId} and id = ${id}`,
      );
      await markBlobsDeleted({ ...host, db: tx }, [hash]);
    });
  await purgeDeletedBlobs(host, oldest.length);
  return MAX_ARCHIVE_BYTES - oldArchives.reduce((sum, { size }) => sum + size, 0);
}

const PROGRESS_INTERVAL_MS = 500;

function storeArchive({ db, config, log }: JobHost, workspaceId: number, id: number, limit: number) {
  let next = 0;
  const onProgress = async (done: number, total: number) => {
    if (Date.now() < next) return;
    next = Date.now() + PROGRESS_INTERVAL_MS;
    await db.rows(
      sql`update svc_workspace_export set done = ${done}, total = ${total}
       where workspace_id = ${workspaceId} and id = ${id}`,
    );
  };
  const host = { db, workspace: { id: workspaceId }, runtime: { config } };
  return putBlob(
    host,
    createArchiveStream({ db, config, log }, workspaceId, { passphrase: null, onProgress }),
    {
      limit,
    },
  );
}

/** Deletes expired exports. An unfinished export expires a day after it was started. */
definePurgeJob('workspace-export-purge', '29 * * * *', {
  table: 'svc_workspace_export',
  time: 'expires_at',
  before: sql`now()`,
  key: { id: 'bigint' },
});

const HOURS_PER_DAY = 24;

/** Drops the `Z`, because timestamp columns have no time zone and store UTC. */
const computeDatabaseTime = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 23);
