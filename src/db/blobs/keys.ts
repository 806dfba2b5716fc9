import { createHmac, createSecretKey, type Hmac, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { createCache, memoizePerObject } from '../../cache.ts';
import type { Config } from '../../config.ts';
import { decryptText, encryptText } from '../../encryption.ts';
import { limits } from '../../limits.ts';
import { sql } from '../sql.ts';
import type { BlobHost } from './host.ts';

/** What the contents of a workspace are named and sealed by. */
export interface BlobKeys {
  /** Computes the name of a content, in hexadecimal: only who has the key can say whether a content is there. */
  createNameHmac(): Hmac;
  /** The key of the content in a place. */
  getEncryptionKey(place: string): KeyObject;
}

/** A key never changes, so it is read once for a process. */
const keyCaches = memoizePerObject((_config: Pick<Config, 'secretKey'>) =>
  createCache<number, BlobKeys>({ entries: limits.blob.keys }),
);

/** The keys of a workspace, made at their first use. @throws when they were sealed with another secret key */
export async function loadBlobKeys({ db, workspace, runtime: { config } }: BlobHost): Promise<BlobKeys> {
  const cache = keyCaches(config);
  const known = cache.get(workspace.id);
  if (known) return known;
  const kept =
    (await findStoredKey(db, workspace.id)) ?? (await createStoredKey(db, workspace.id, config.secretKey));
  const opened = decryptText(config.secretKey, kept.sealed);
  if (opened === null) throw new Error('the key of contents was sealed with another SECRET_KEY');
  const keys = buildBlobKeys(Buffer.from(opened, 'base64'));
  // One that a transaction has made may yet be undone, and a commit whose answer is lost may not have been made.
  if (!kept.is_uncommitted) cache.set(workspace.id, keys);
  return keys;
}

interface StoredKey {
  sealed: string;
  /** This transaction has made it. */
  is_uncommitted: boolean;
}

async function findStoredKey(db: BlobHost['db'], workspaceId: number): Promise<StoredKey | undefined> {
  const [row] = await db.rows<StoredKey>(
    sql`select k.sealed, coalesce(k.xmin = pg_current_xact_id_if_assigned()::xid, false) as is_uncommitted
     from svc_blob_key k where k.workspace_id = ${workspaceId}`,
  );
  return row;
}

/** Waits for another that makes it at the same time, and takes that one's. */
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

/** Keys are objects of the library: it takes 10 to 20 µs to make one of bytes, each time these are used. */
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
