import { createHmac, createSecretKey, type Hmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { createCache, memoizePerObject } from '../../cache.ts';
import type { Config } from '../../config.ts';
import { decryptText, encryptText } from '../../encryption.ts';
import { sql } from '../sql.ts';
import type { BlobHost } from './host.ts';

/** Maximum number of workspace keys cached by a process. */
const MAX_CACHED_KEYS = 10_000;

/** Keys that name and encrypt the blobs of a workspace. */
export interface BlobKeys {
  /**
   * Creates the HMAC that computes a blob's hash in hexadecimal. Without the key, a caller cannot probe whether a file
   * is stored.
   */
  createNameHmac(): Hmac;
  getEncryptionKey(place: string): KeyObject;
}

/** A key never changes, so each process reads it once. */
const keyCaches = memoizePerObject((_config: Pick<Config, 'secretKey'>) =>
  createCache<number, BlobKeys>({ entries: MAX_CACHED_KEYS }),
);

/**
 * Returns the keys of a workspace. Creates them on first use.
 * @throws if they were encrypted with another secret key
 */
export async function loadBlobKeys({ db, workspace, runtime: { config } }: BlobHost): Promise<BlobKeys> {
  const cache = keyCaches(config);
  const cachedKeys = cache.get(workspace.id);
  if (cachedKeys) return cachedKeys;
  const key =
    (await findStoredKey(db, workspace.id)) ?? (await createStoredKey(db, workspace.id, config.secretKey));
  const decrypted = decryptText(config.secretKey, key.sealed);
  if (decrypted === null) throw new Error('the content key was encrypted with another SECRET_KEY');
  const keys = buildBlobKeys(Buffer.from(decrypted, 'base64'));
  // A key from this transaction may be rolled back, and a commit with a lost response may have failed. So it is not
  // cached yet.
  if (!key.is_uncommitted) cache.set(workspace.id, keys);
  return keys;
}

interface StoredKey {
  sealed: string;
  /** True if the current transaction created the key. */
  is_uncommitted: boolean;
}

async function findStoredKey(db: BlobHost['db'], workspaceId: number): Promise<StoredKey | undefined> {
  const [row] = await db.rows<StoredKey>(
    sql`select k.sealed, coalesce(k.xmin = pg_current_xact_id_if_assigned()::xid, false) as is_uncommitted
     from svc_blob_key k where k.workspace_id = ${workspaceId}`,
  );
  return row;
}

/** Waits for a concurrent insert and returns its key if there is one. */
async function createStoredKey(
  db: BlobHost['db'],
  workspaceId: number,
  secretKey: string,
): Promise<StoredKey> {
  await db.rows(
    sql`insert into svc_blob_key (workspace_id, sealed)
     values (${workspaceId}, ${encryptText(secretKey, randomBytes(32).toString('base64'))})
     on conflict (workspace_id) do nothing`,
  );
  return (await findStoredKey(db, workspaceId))!;
}

/** Uses key objects, because creating one from bytes on each use takes 10 to 20 µs. */
function buildBlobKeys(bytes: Buffer): BlobKeys {
  const key = createSecretKey(bytes);
  const nameKey = deriveKey(key, '', 'name');
  return {
    createNameHmac: () => createHmac('sha256', nameKey),
    getEncryptionKey: (place) => deriveKey(key, place, 'seal'),
  };
}

const deriveKey = (key: KeyObject, salt: string, purpose: string): KeyObject =>
  createSecretKey(new Uint8Array(hkdfSync('sha256', key, salt, `atrium blob ${purpose}`, 32)));
