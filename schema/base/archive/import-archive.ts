import { randomBytes } from 'node:crypto';
import { importWorkspace, readManifest } from '../../../src/db/archive/import.ts';
import type { ArchiveManifest, ArchiveTotals } from '../../../src/db/archive/manifest.ts';
import { decryptKey } from '../../../src/db/backup/encrypted-key.ts';
import { readMigrations } from '../../../src/db/migrations/migration-files.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { buildSweepInsertSql } from '../../../src/engine/work/sweep.ts';
import { errors } from '../../../src/errors.ts';
import { chainImportedLogs } from '../workspace/audit-chain.ts';
import { purgeWorkspace } from '../workspace/delete-workspace.ts';
import { checkSlug, createSlugTakenError, WORKSPACE_FEATURES } from '../workspace/workspace.ts';
import { createRowCompleter, getNumberedColumns, IMPORT_CHANGES } from './import-changes.ts';
import { ARCHIVE_PLAN } from './plan.ts';

interface ArchiveOptions {
  /** Null keeps the archive's slug. */
  slug: string | null;
  /** Decrypts the secrets. If null, the users have no passwords. */
  passphrase: string | null;
  /** Keeps API keys active. Requires the same secret key. */
  keepKeys: boolean;
  onProgress?(rows: number): void;
}

/** Identifies an installation's secret key in archives without revealing it. */
export const computeKeyFingerprint = (secretKey: string): string => computeKeyedHash(secretKey, 'archive');

const CLEANUP_AFTER_HOURS = 24;

/**
 * Creates a workspace from an archive. Until the import is complete, the workspace is closed and has a temporary slug.
 * The remains of an interrupted import are deleted after a day.
 * @throws BAD_REQUEST, NOT_UNIQUE if the slug is taken, Error with a one-line message if the archive is damaged
 */
export async function importArchive(
  runtime: Runtime,
  file: string,
  { slug: requestedSlug, passphrase, keepKeys, onProgress }: ArchiveOptions,
): Promise<{ id: number; slug: string } & ArchiveTotals> {
  const { db, config, catalogs } = runtime;
  const manifest = await readManifest(file);
  const slug = requestedSlug ?? manifest.workspace.slug;
  checkSlug(slug);
  await rejectTakenSlug(runtime, slug);
  checkVersion(manifest);
  const archiveKey = await openArchiveKey(manifest, passphrase);
  if (keepKeys && (archiveKey === null || manifest.mark !== computeKeyFingerprint(config.secretKey)))
    throw errors.badRequest(
      'Keys can only be kept if the archive contains secrets and was exported with the same SECRET_KEY. ' +
        'Import it without --keys.',
    );
  const { version } = catalogs.provisioning!;
  const now = new Date();
  const purgeAt = new Date(now.getTime() + CLEANUP_AFTER_HOURS * 3_600_000);
  const [row] = await db.rows<{ id: number }>(
    sql`insert into workspace (slug, name, features, equipped, filled, purge_at)
     values (${`import-${randomBytes(8).toString('hex')}`}, ${manifest.workspace.name}, '{}', ${version},
       ${manifest.workspace.filled}, ${toInstant(purgeAt)}::timestamp) returning id`,
  );
  const workspace = { id: row!.id };
  const importing = importWorkspace(db.directUrl, { db, workspace, runtime }, file, {
    plan: ARCHIVE_PLAN,
    numbered: getNumberedColumns(runtime),
    changed: IMPORT_CHANGES,
    archiveKey,
    complete: createRowCompleter(config.secretKey, keepKeys, toInstant(now)),
    onProgress,
    finish: async (query) => {
      if (keepKeys) await rejectKnownKeys(runtime, workspace.id, query);
      const features = Object.keys(WORKSPACE_FEATURES).filter((key) => WORKSPACE_FEATURES[key]);
      await query('update workspace set slug = $2, features = $3, purge_at = null where id = $1', [
        workspace.id,
        slug,
        features,
      ]).catch((error) => {
        throw error.code === '23505' ? createSlugTakenError(slug) : error;
      });
    },
  });
  const end = await importing.catch(async (error) => {
    await purgeWorkspace(runtime, workspace.id).catch((failure) =>
      runtime.log.warn(
        { err: failure },
        'could not delete the data of a failed import; it will be deleted within a day',
      ),
    );
    throw error;
  });
  await chainImportedLogs(db, config, workspace.id);
  await db.rows(buildSweepInsertSql(workspace.id));
  return { id: workspace.id, slug, ...end };
}

async function rejectTakenSlug({ db }: Runtime, slug: string): Promise<void> {
  const [existingWorkspace] = await db.rows(sql`select 1 from workspace where slug = ${slug}`);
  if (existingWorkspace) throw createSlugTakenError(slug);
}

/**
 * Rejects API keys that exist on this installation. Otherwise a key would also grant access to the copy, even after the
 * original workspace revokes it.
 * @throws BAD_REQUEST
 */
async function rejectKnownKeys(
  { db }: Runtime,
  id: number,
  query: (text: string, values: unknown[]) => Promise<unknown>,
): Promise<void> {
  const added = await query('select prefix from svc_api_key where workspace_id = $1', [id]);
  const prefixes = (added as { rows: { prefix: string }[] }).rows.map(({ prefix }) => prefix);
  const existingRows = await db.rows(
    sql`select 1 from svc_api_key where prefix = any(${prefixes}) and workspace_id <> ${id} limit 1`,
  );
  if (existingRows.length > 0)
    throw errors.badRequest(
      "A workspace on this installation uses the archive's keys. Import the archive without --keys.",
    );
}

function checkVersion({ migration, version }: ArchiveManifest): void {
  const latest = readMigrations().at(-1)?.name;
  if (migration !== latest)
    throw errors.badRequest(
      `The archive was exported by version ${version}, which has different tables (archive: ${migration}, ` +
        `installation: ${latest}). Update both installations to the same version.`,
    );
}

async function openArchiveKey({ key }: ArchiveManifest, passphrase: string | null): Promise<string | null> {
  if (key === null || passphrase === null) return null;
  return decryptKey(key, passphrase).catch(() => {
    throw errors.badRequest(
      'EXPORT_PASSPHRASE does not match this archive. Set it to the passphrase used for the export.',
    );
  });
}

/** Drops the `Z`, because timestamp columns have no time zone and store UTC. */
const toInstant = (time: Date): string => time.toISOString().slice(0, 23);
