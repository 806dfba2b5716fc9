import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { DkimKey } from '../../../src/email/identities.ts';
import { decryptText, encryptText } from '../../../src/encryption.ts';

/** Selector of a domain's first key. Later selectors have a number appended. */
const SELECTOR_PREFIX = 'atrium';

const generateKeyPairAsync = promisify(generateKeyPair);

/** Generates a DKIM key pair (RSA, 2048 bits) in Base64-encoded DER. */
export async function createKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await generateKeyPairAsync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey: privateKey.toString('base64') };
}

/** Returns `atrium2` after `atrium`, then `atrium3` and so on. */
export const getNextSelector = (selector: string): string =>
  `${SELECTOR_PREFIX}${Number(/^atrium(\d{1,9})$/.exec(selector)?.[1] ?? 1) + 1}`;

/**
 * Returns a domain's DKIM key. Creates and stores an unpublished key if none exists or the key cannot be decrypted. Of
 * several keys created concurrently, the first one wins.
 */
export async function ensureDkimKey(
  db: Db,
  config: Config,
  workspaceId: number,
  id: number,
): Promise<DkimKey> {
  const [row] = await db.rows<{ dkim_private: string | null; dkim_selector: string | null }>(
    sql`select dkim_private, dkim_selector from svc_domain where workspace_id = ${workspaceId} and id = ${id}`,
  );
  const decryptedKey =
    row?.dkim_private && row.dkim_selector ? decryptText(config.secretKey, row.dkim_private) : null;
  if (decryptedKey) return { selector: row!.dkim_selector!, privateKey: decryptedKey };
  const { publicKey, privateKey } = await createKeyPair();
  const result = await db.rows(
    sql`update svc_domain set public_key = ${publicKey}, dkim_selector = ${SELECTOR_PREFIX},
       dkim_private = ${encryptText(config.secretKey, privateKey)}, dns_seen = dns_seen - 'dkim',
       dkim_status = case when dkim_status is not null then 'PENDING' end
     where workspace_id = ${workspaceId} and id = ${id}
       and dkim_private is not distinct from ${row?.dkim_private ?? null}
       and dkim_selector is not distinct from ${row?.dkim_selector ?? null}
     returning workspace_id`,
  );
  return result.length > 0 || !row
    ? { selector: SELECTOR_PREFIX, privateKey }
    : ensureDkimKey(db, config, workspaceId, id);
}
