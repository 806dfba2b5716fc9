import { createCache } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { DkimKey } from '../../../src/delivery/identities.ts';
import { unseal } from '../../../src/seal.ts';

/**
 * The key that mail of a sending domain is signed with; null while its record is not published, or not with this key.
 */
export type DomainKeys = (workspaceId: number, domain: string) => Promise<DkimKey | null>;

/** Milliseconds for which a key is kept. */
const AGE = 60_000;
const MOST = 1_000;

/** Keys for a transport whose provider does not sign; null for one that does. */
export function createSigning(db: Db, config: Config): DomainKeys | null {
  if (config.mailTransport !== 'smtp') return null;
  const keys = createCache<string, Promise<DkimKey | null>>({ entries: MOST, age: AGE });
  return (workspaceId, domain) => {
    const name = `${workspaceId} ${domain}`;
    return keys.remember(name, () => {
      const key = readKey(db, config, workspaceId, domain);
      key.catch(() => keys.delete(name));
      return key;
    });
  };
}

async function readKey(db: Db, config: Config, workspaceId: number, domain: string): Promise<DkimKey | null> {
  const [row] = await db.rows<{ selector: string; sealed: string }>(
    sql`select dkim_selector as selector, dkim_private as sealed from svc_domain
     where workspace_id = ${workspaceId} and name = ${domain} and dkim_selector is not null
       and dkim_private is not null and dns_seen ->> 'dkim' = 'SUCCESS'`,
  );
  const privateKey = row && unseal(config.secretKey, row.sealed);
  return privateKey ? { selector: row.selector, privateKey } : null;
}
