import { createHmac, createSecretKey, type Hmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { createCache, memoizePerObject } from '../../cache.ts';
import type { Config } from '../../config.ts';
import { decryptText, encryptText } from '../../encryption.ts';
import { sql } from '../sql.ts';
import type { BlobHost } from './host.ts';

const MAX_CACHED_KEYS = 10_000;

export interface BlobKeys {
  /**
   * Creates the HMAC whose hexadecimal digest is a blob's hash. It is keyed, so that a caller cannot probe whether a
   * file is stored.
   */
  createNameHmac(): Hmac;
  getEncryptionKey(place: string): KeyObject;
}

/** Keys never change, so entries do not expire. */
const keyCaches = memoizePerObject((_config: Pick<Config, 'secretKey'>) =>
  createCache<number, BlobKeys>({ entries: MAX_CACHED_KEYS }),
);

/**
 * Returns the keys of a workspace. Creates them on first use.
 * @throws Error if they were encrypted with another secret key
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
  // Not cached before the commit, because the transaction may be rolled back.
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

/** Waits for a concurrent insert, and then returns its key. */
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

/** Uses key objects, because creating one from bytes takes 10 to 20 µs. */
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
