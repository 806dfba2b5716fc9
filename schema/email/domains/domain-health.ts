import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { type DomainLookup, lookUpDomainRecords } from './domain-dns.ts';
import { findSigningHold } from './unsigned.ts';

type CheckedRecord = 'dkim' | 'mx' | 'spf' | 'dmarc';

/** A verified domain and its missing or wrong records; null if no name server responds. */
export interface DomainHealth {
  workspace: string;
  name: string;
  failedRecords: CheckedRecord[] | null;
  holdReason: string | null;
  /** True if this server signs the domain's mail. It then sends the mail unsigned while the DKIM record is wrong. */
  isSignedHere: boolean;
}

type VerifiedDomain = DomainLookup & { workspace: string; spf_details: string | null };

/**
 * Looks up the records of the newest verified domains without storing the result. Omits domains with imported keys,
 * whose expected record is unknown.
 */
export async function checkVerifiedDomains(db: Db, config: Config): Promise<DomainHealth[]> {
  const domains = await db.rows<VerifiedDomain>(
    sql`select w.slug as workspace, d.name, d.subdomain, d.region, d.public_key, d.dkim_selector, d.dkim_tokens,
       d.spf_details
     from svc_domain d join workspace w on w.id = d.workspace_id
     where d.status = 'SUCCESS' and (cardinality(d.dkim_tokens) > 1 or d.dkim_selector is not null
       and (cardinality(d.dkim_tokens) > 0 or ${config.mailTransport === 'smtp'}))
     order by d.create_date desc limit ${sql.literal(limits.sendingDomain.checkedVerified)}`,
  );
  return Promise.all(domains.map((domain) => checkDomainHealth(config, domain)));
}

async function checkDomainHealth(config: Config, domain: VerifiedDomain): Promise<DomainHealth> {
  const { workspace, name, spf_details } = domain;
  const observation = await lookUpDomainRecords(config, domain);
  const expectedRecords: CheckedRecord[] =
    spf_details === null ? ['dkim', 'dmarc'] : ['dkim', 'mx', 'spf', 'dmarc'];
  const isSignedHere = config.mailTransport === 'smtp';
  return {
    workspace,
    name,
    isSignedHere,
    holdReason:
      observation &&
      findSigningHold(config, name, {
        isSigned: observation.dkim === 'SUCCESS',
        dmarcPolicy: observation.dmarcPolicy,
      }),
    failedRecords: observation && expectedRecords.filter((record) => observation[record] !== 'SUCCESS'),
  };
}
