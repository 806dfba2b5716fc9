import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { DkimKey } from '../../../src/delivery/identities.ts';
import { decryptText, encryptText } from '../../../src/encryption.ts';

/** Selector of a domain's first key; later ones have a number behind it. */
const SELECTOR = 'atrium';

const generate = promisify(generateKeyPair);

/** A new DKIM key pair (RSA, 2048 bits), each half in base64 without the lines of PEM. */
export async function createKeyPair(): Promise<{ publicKey: string; privateKey: string }> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey: privateKey.toString('base64') };
}

/** The selector of the key after the one that has this selector: `atrium`, `atrium2`, `atrium3`. Pure. */
export const getNextSelector = (selector: string): string =>
  `${SELECTOR}${Number(/^atrium(\d{1,9})$/.exec(selector)?.[1] ?? 1) + 1}`;

/**
 * The DKIM key of a domain; a new one is made and kept when it has none that can be opened: the record of that one
 * is still to be found. Of several made at once the first is it.
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
  const kept =
    row?.dkim_private && row.dkim_selector ? decryptText(config.secretKey, row.dkim_private) : null;
  if (kept) return { selector: row!.dkim_selector!, privateKey: kept };
  const { publicKey, privateKey } = await createKeyPair();
  const done = await db.rows(
    sql`update svc_domain set public_key = ${publicKey}, dkim_selector = ${SELECTOR},
       dkim_private = ${encryptText(config.secretKey, privateKey)}, dns_seen = dns_seen - 'dkim',
       dkim_status = case when dkim_status is not null then 'PENDING' end
     where workspace_id = ${workspaceId} and id = ${id}
       and dkim_private is not distinct from ${row?.dkim_private ?? null}
       and dkim_selector is not distinct from ${row?.dkim_selector ?? null}
     returning workspace_id`,
  );
  return done.length > 0 || !row
    ? { selector: SELECTOR, privateKey }
    : ensureDkimKey(db, config, workspaceId, id);
}
