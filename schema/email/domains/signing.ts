import { createCache } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { DkimKey } from '../../../src/email/identities.ts';
import { decryptText } from '../../../src/encryption.ts';
import { findSigningHold, MAX_KEY_AGE_MS } from './unsigned.ts';

interface DomainSigning {
  /** Null unless the key's record is published. */
  key: DkimKey | null;
  holdReason: string | null;
}

export type DomainKeys = (workspaceId: number, domain: string) => Promise<DomainSigning>;

const MAX_CACHED_DOMAINS = 1_000;

/** Creates a cached lookup of signing keys. Returns null if the transport signs. */
export function createDomainKeys(db: Db, config: Config): DomainKeys | null {
  if (config.mailTransport !== 'smtp') return null;
  const keys = createCache<string, Promise<DomainSigning>>({
    entries: MAX_CACHED_DOMAINS,
    age: MAX_KEY_AGE_MS,
  });
  return (workspaceId, domain) => {
    const name = `${workspaceId} ${domain}`;
    return keys.getOrCreate(name, () => {
      const pendingSigning = readSigning(db, config, workspaceId, domain);
      pendingSigning.catch(() => keys.delete(name));
      return pendingSigning;
    });
  };
}

async function readSigning(
  db: Db,
  config: Config,
  workspaceId: number,
  domain: string,
): Promise<DomainSigning> {
  const [row] = await db.rows<{ selector: string | null; sealed: string | null; dmarcPolicy: string | null }>(
    sql`select dkim_selector as selector,
       case when dns_seen ->> 'dkim' = 'SUCCESS' then dkim_private end as sealed,
       dns_seen ->> 'dmarcPolicy' as "dmarcPolicy"
     from svc_domain where workspace_id = ${workspaceId} and name = ${domain}`,
  );
  const privateKey = row?.sealed ? decryptText(config.secretKey, row.sealed) : null;
  const key = privateKey && row?.selector ? { selector: row.selector, privateKey } : null;
  const dmarcPolicy = row?.dmarcPolicy ?? null;
  return { key, holdReason: findSigningHold(config, domain, { isSigned: key !== null, dmarcPolicy }) };
}
