import { existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setSeats } from '../../../schema/base/administration/seats.ts';
import { createArchiveStream } from '../../../schema/base/archive/export-archive.ts';
import { importArchive } from '../../../schema/base/archive/import-archive.ts';
import { createWorkspace } from '../../../schema/base/workspace/create-workspace.ts';
import {
  closeWorkspace,
  purgeWorkspace,
  reopenWorkspace,
} from '../../../schema/base/workspace/delete-workspace.ts';
import { changeSlug, renameWorkspace } from '../../../schema/base/workspace/workspace.ts';
import { writeAtomically } from '../../../src/db/backup/atomic-file.ts';
import { sql } from '../../../src/db/sql.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBareCtx, loadSystemCtx } from '../../../src/engine/ctx/system-ctx.ts';
import { errors } from '../../../src/errors.ts';
import { resolveCallerPath } from '../caller-path.ts';
import { formatInstantFields } from '../instant.ts';
import { createProgress } from '../progress.ts';
import { runOnRuntime } from '../run-on-runtime.ts';
import { runInWorkspace } from './run-in-workspace.ts';

/** Default number of days from closing a workspace until its data is deleted. */
const DEFAULT_GRACE_DAYS = 30;
const MAX_GRACE_DAYS = 365;

/** @param apps comma-separated names, or `none` */
export const runWorkspaceCreate = (slug: string, name?: string, apps?: string) =>
  runOnRuntime(async (runtime) => {
    const appNames = apps === 'none' ? [] : apps?.split(',').map((item) => item.trim());
    const ctx = await createWorkspace(runtime, slug, name, undefined, appNames);
    return { id: ctx.workspace.id, slug };
  });

/** @throws BAD_REQUEST if neither a name nor a slug is passed */
export function runWorkspaceRename(slug: string, name: string | null, newSlug: string | null) {
  if (name === null && newSlug === null)
    throw errors.badRequest('Nothing to change. Pass a new display name, or --slug and a new slug.');
  return runInWorkspace(slug, 'workspace.rename', { name, slug: newSlug }, async (ctx) => ({
    id: ctx.workspace.id,
    slug: newSlug === null ? slug : await changeSlug(ctx, newSlug),
    name: name === null ? ctx.workspace.name : await renameWorkspace(ctx, name),
  }));
}

/** @param seats a number, or `none` for no limit */
export const setWorkspaceSeats = (slug: string, seats: string) =>
  runInWorkspace(slug, 'workspace.seats', { seats }, async (ctx) => {
    const { used, limit, serviceAccounts } = await setSeats(ctx, seats === 'none' ? null : Number(seats));
    return { slug, seats: limit, used, service_accounts: serviceAccounts };
  });

export const runWorkspaceList = () =>
  runOnRuntime(async (runtime) => {
    const rows = await runtime.db.rows<{ created: string; deleted_on: string | null }>(
      sql`select id, slug, name, features, seats, created_at as created, purge_at as deleted_on
       from workspace order by id`,
    );
    return rows.map((row) => formatInstantFields(row, 'created', 'deleted_on'));
  });

/**
 * Exports a workspace to a file with mode 0600. The file appears only once it is complete.
 * @throws BAD_REQUEST if the file exists
 */
export const runWorkspaceExport = (slug: string, path: string) => {
  const file = resolveCallerPath(path);
  if (existsSync(file)) throw errors.badRequest(`${file} already exists.`);
  const passphrase = getExportPassphrase();
  return runInWorkspace(
    slug,
    'workspace.export',
    { file, secrets: passphrase !== null },
    async ({ runtime, workspace }) => {
      const show = createProgress();
      const onProgress = (count: number, total: number) => show(`${count} of ${total} records and files`);
      await writeAtomically(file, [createArchiveStream(runtime, workspace.id, { passphrase, onProgress })]);
      return { file, bytes: statSync(file).size, secrets: passphrase === null ? 'omitted' : 'encrypted' };
    },
    false,
  );
};

export const runWorkspaceImport = (path: string, options: { slug?: string; keys?: boolean }) =>
  runOnRuntime(async (runtime) => {
    const show = createProgress();
    const imported = await importArchive(runtime, resolveCallerPath(path), {
      slug: options.slug ?? null,
      passphrase: getExportPassphrase(),
      keepKeys: options.keys ?? false,
      onProgress: (rows) => show(`${rows} records`),
    });
    const ctx = await loadSystemCtx(runtime, imported.slug);
    return runAudited(ctx, 'workspace.import', { file: path }, async () => imported);
  });

const MIN_PASSPHRASE_LENGTH = 12;

function getExportPassphrase(): string | null {
  const passphrase = process.env.EXPORT_PASSPHRASE ?? '';
  if (passphrase === '') return null;
  if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return passphrase;
  throw errors.badRequest(`EXPORT_PASSPHRASE must have at least ${MIN_PASSPHRASE_LENGTH} characters.`);
}

export interface DeleteOptions {
  /** The slug, repeated as confirmation. If it is not set, the command prompts for it. */
  confirm?: string;
  now?: boolean;
  days?: string;
}

/**
 * Closes a workspace and deletes it after a grace period, or immediately with `now`.
 * @throws BAD_REQUEST if the typed slug differs, before anything is changed
 */
export const runWorkspaceDelete = (slug: string, { confirm, now = false, days }: DeleteOptions) =>
  runOnRuntime(async (runtime) => {
    const { id } = await getWorkspaceEvenIfClosed(runtime, slug);
    const grace = now ? 0 : parseGraceDays(days);
    const typed =
      confirm ??
      (await promptLine(`This deletes the workspace ${slug} and all its data. To confirm, type the slug: `));
    if (typed !== slug) throw errors.badRequest(`Nothing was deleted: "${typed}" does not match ${slug}.`);
    const purgeAt = new Date(Date.now() + grace * 86_400_000);
    await runAudited(createBareCtx(runtime, id), 'workspace.delete', { slug, purgeAt }, () =>
      closeWorkspace(runtime, id, purgeAt),
    );
    if (!now) return { id, slug, closed: true, deleted_on: purgeAt.toISOString() };
    return { id, slug, ...(await purgeWorkspace(runtime, id)), deleted: true };
  });

function parseGraceDays(days: string | undefined): number {
  if (days === undefined) return DEFAULT_GRACE_DAYS;
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > MAX_GRACE_DAYS)
    throw errors.badRequest(`--days: must be a whole number from 1 to ${MAX_GRACE_DAYS}.`);
  return Number(days);
}

/** @throws NOT_FOUND, BAD_REQUEST if the workspace is not scheduled for deletion */
export const runWorkspaceRestore = (slug: string) =>
  runOnRuntime(async (runtime) => {
    const { id, purge_at: purgeAt } = await getWorkspaceEvenIfClosed(runtime, slug);
    if (purgeAt === null) throw errors.badRequest(`The workspace ${slug} is not scheduled for deletion.`);
    if (/^import-[0-9a-f]{16}$/.test(slug))
      throw errors.badRequest(`The import of the workspace ${slug} was interrupted. Import it again.`);
    await runAudited(createBareCtx(runtime, id), 'workspace.restore', { slug }, () =>
      reopenWorkspace(runtime, id),
    );
    return { id, slug, restored: true };
  });

/** @throws NOT_FOUND */
async function getWorkspaceEvenIfClosed(
  { db }: Runtime,
  slug: string,
): Promise<{ id: number; purge_at: string | null }> {
  const [row] = await db.rows<{ id: number; purge_at: string | null }>(
    sql`select id, purge_at from workspace where slug = ${slug}`,
  );
  if (!row) throw errors.notFound(`Workspace ${slug}`);
  return row;
}

/** Returns an empty string at the end of input. */
async function promptLine(question: string): Promise<string> {
  process.stderr.write(question);
  for await (const line of createInterface({ input: process.stdin })) return line.trim();
  return '';
}
