import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { classifySesError } from '../../../src/email/classify-ses.ts';
import type {
  DkimKey,
  DomainIdentities,
  DomainIdentity,
  DomainStatus,
} from '../../../src/email/identities.ts';
import { getDomainIdentities } from '../../../src/email/provider-identities.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { recordEventRow } from '../../../src/engine/work/events.ts';
import { defineJob, type JobHost } from '../../../src/engine/work/jobs.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { assignDomainAddresses } from '../../mailbox/accounts/domain-addresses.ts';
import { claimDomainName } from './domain-claim.ts';
import {
  type DnsObservation,
  type DomainLookup,
  lookUpDomainRecords,
  type RecordCheckResult,
} from './domain-dns.ts';
import { ensureDkimKey } from './domain-key.ts';
import { rotateDomainKeys } from './key-rotation.ts';
import { findSigningHold, releaseHeldMail } from './unsigned.ts';

/** Maximum number of domains with a pending DNS record (for a new key or for held mail) that one run checks. */
const MAX_CHECKED_ROTATIONS = 20;
const ROTATION_CHECK_INTERVAL_MS = 10 * 60_000;
const NEW_DOMAIN_PERIOD_MS = 72 * 3_600_000;
/** Milliseconds between two checks of a new domain. The interval grows with the domain's age. */
const FIRST_CHECK_INTERVAL_MS = 50_000;
/** Interval for unverified domains that are no longer new. */
const OLD_CHECK_INTERVAL_MS = 3_600_000;
const VERIFIED_CHECK_INTERVAL_MS = 6 * 3_600_000;

type DomainCheckHost = Pick<JobHost, 'config' | 'log'> & { db: Db };

export interface CheckedDomain {
  workspace_id: number;
  id: number;
  name: string;
  status: DomainStatus;
  /** Empty until the domain is registered at the provider. */
  dkim_tokens: readonly string[];
}

/** Runs once a minute. Each domain's check interval depends on its age and status. */
defineJob({
  name: 'domain-check',
  cron: '* * * * *',
  run: async ({ db, log, config }) => {
    if (config.mailTransport === 'local') return;
    let faults = 0;
    for (const domain of await loadDueDomains(db)) {
      try {
        await checkDomain({ db, config, log }, domain);
      } catch (error) {
        log.warn({ err: error, domain: domain.name }, 'could not check a domain with the provider');
        // A failing domain must not block the others, but repeated failures mean that the provider is unavailable.
        if (++faults === MAX_FAILED_CHECKS) return;
      }
    }
  },
});

const MAX_FAILED_CHECKS = 3;

/**
 * Loads the domains due for a check: new unverified domains (newest first, because a user is waiting), old unverified
 * domains, verified domains (because verification can be lost), and domains with a pending DNS record. Each kind has a
 * separate limit, so that none delays the others.
 */
async function loadDueDomains(db: Db): Promise<CheckedDomain[]> {
  const buildSecondsSql = (ms: number): Sql => sql`make_interval(secs => ${ms / 1000})`;
  const buildCheckedBeforeSql = (pause: Sql): Sql =>
    sql`(checked_at is null or checked_at < now() - ${pause})`;
  const isYoung = sql`create_date > now() - ${buildSecondsSql(NEW_DOMAIN_PERIOD_MS)}`;
  return [
    ...(await loadCheckedDomains(
      db,
      sql`status <> 'SUCCESS' and ${isYoung}
        and ${buildCheckedBeforeSql(
          sql`greatest(${buildSecondsSql(FIRST_CHECK_INTERVAL_MS)}, (now() - create_date) / ${CHECK_AGE_DIVISOR})`,
        )}
        order by create_date desc limit ${limits.sendingDomain.checkedYoung}`,
    )),
    ...(await loadCheckedDomains(
      db,
      sql`status <> 'SUCCESS' and not ${isYoung} and ${buildCheckedBeforeSql(buildSecondsSql(OLD_CHECK_INTERVAL_MS))}
        order by checked_at nulls first limit ${limits.sendingDomain.checkedOld}`,
    )),
    ...(await loadCheckedDomains(
      db,
      sql`status = 'SUCCESS' and ${buildCheckedBeforeSql(buildSecondsSql(VERIFIED_CHECK_INTERVAL_MS))}
        order by checked_at nulls first limit ${limits.sendingDomain.checkedVerified}`,
    )),
    ...(await loadCheckedDomains(
      db,
      sql`(dkim_next_selector is not null or status = 'SUCCESS' and error_message is not null)
        and ${buildCheckedBeforeSql(buildSecondsSql(ROTATION_CHECK_INTERVAL_MS))}
        order by checked_at nulls first limit ${MAX_CHECKED_ROTATIONS}`,
    )),
  ];
}

/** An unverified domain's check interval is its age divided by this number. */
const CHECK_AGE_DIVISOR = sql.literal(20);

const loadCheckedDomains = (db: Db, condition: Sql): Promise<CheckedDomain[]> =>
  db.rows<CheckedDomain>(
    sql`select workspace_id, id, name, status, dkim_tokens from svc_domain where workspace_id > 0 and ${condition}`,
  );

/**
 * Queries the provider about a domain, stores the result, and emits an event if the status has changed.
 * @param isVouched see `syncDomainIdentity`
 * @throws BUSY, before any change, if the provider is unavailable
 */
export async function checkDomain(
  host: DomainCheckHost,
  domain: CheckedDomain,
  isVouched = false,
): Promise<DomainStatus> {
  const { db, config } = host;
  const identity = await syncDomainIdentity(db, config, domain, isVouched).catch(toRejectedIdentity);
  const status = await db.transaction(async (tx) => {
    const status = identity ? await record(tx, domain, identity, isVouched) : domain.status;
    if (status === domain.status) return status;
    const topic = status === 'SUCCESS' ? 'domain.verified' : 'domain.updated';
    await recordEventRow(tx, domain.workspace_id, topic, { id: domain.id, name: domain.name, status });
    return status;
  });
  if (identity || signsLocally(config)) await runDomainCheck(host, { ...domain, status });
  return status;
}

/** Looks up the domain's records and stores the result. Keeps the previous result if no name server responds. */
async function runDomainCheck(host: DomainCheckHost, domain: CheckedDomain): Promise<void> {
  const { db, config } = host;
  const { workspace_id, id } = domain;
  const [row] = await db.rows<DomainLookup & { dkim: string | null; dns_seen: DnsObservation | null }>(
    sql`select coalesce(dkim_status, dns_seen ->> 'dkim') as dkim, dns_seen, name, subdomain, region,
       public_key, dkim_selector, dkim_tokens, dkim_next_selector, dkim_next_public,
       dkim_former_selector, dkim_former_public
     from svc_domain where workspace_id = ${workspace_id} and id = ${id}`,
  );
  if (!row) return;
  const lookedUp = await lookUpDomainRecords(config, row);
  // A policy that cannot be read keeps its previous value.
  const observation = lookedUp && { dmarcPolicy: row.dns_seen?.dmarcPolicy, ...lookedUp };
  // If this server signs, its lookup determines the DKIM status. A provider that signs reports its own status.
  const dkim = signsLocally(config) && observation ? observation.dkim : null;
  const [heldBefore, current] = [row.dns_seen, observation ?? row.dns_seen].map((observation) =>
    findHoldReason(config, row.name, observation),
  );
  // Discards the result if the key has been replaced in the meantime.
  const updatedRows = await db.rows(
    sql`update svc_domain set dkim_status = coalesce(${dkim}, dkim_status),
       error_message = case when ${signsLocally(config)} then ${current}::text else error_message end,
       dns_seen = coalesce(${observation && JSON.stringify(observation)}::jsonb, dns_seen),
       dmarc_added = coalesce(${observation && observation.dmarc === 'SUCCESS'}::boolean, dmarc_added),
              checked_at = now()
     where workspace_id = ${workspace_id} and id = ${id} and public_key is not distinct from ${row.public_key}
     returning id`,
  );
  if (dkim && updatedRows.length > 0) {
    await notifySigningChange(host, domain, row.dkim, dkim, current !== null);
    if (heldBefore && !current) await releaseHeldMail(db, workspace_id, id, heldBefore);
  }
  if (observation && (row.dkim_next_selector || row.dkim_former_selector))
    await rotateDomainKeys(db, domain, row.dkim_next_selector ?? null, observation);
}

/**
 * Returns why the domain's mail must be held, or null. Treats a published next key as the current key, because it will
 * soon be used.
 */
const findHoldReason = (config: Config, name: string, observation: DnsObservation | null): string | null =>
  observation &&
  findSigningHold(config, name, {
    isSigned: observation.dkim === 'SUCCESS' || observation.next === 'SUCCESS',
    dmarcPolicy: observation.dmarcPolicy,
  });

/** Notifies the owner and the operator when signing starts or stops. */
async function notifySigningChange(
  { db, log }: DomainCheckHost,
  domain: CheckedDomain,
  previousStatus: string | null,
  dkim: RecordCheckResult,
  isHeld: boolean,
): Promise<void> {
  const { workspace_id, id, name, status } = domain;
  if (previousStatus === dkim || (previousStatus === null && dkim !== 'SUCCESS')) return;
  await recordEventRow(db, workspace_id, 'domain.updated', { id, name, status });
  if (dkim !== 'SUCCESS')
    log.warn(
      { domain: name, dkim },
      `the DKIM record of a domain no longer has its key: mail ${isHeld ? 'is held' : 'leaves unsigned'}`,
    );
}

const signsLocally = ({ mailTransport }: Config): boolean => mailTransport === 'smtp';

const UNKNOWN_IDENTITY: DomainIdentity = {
  status: 'FAILED',
  dkimStatus: 'FAILED',
  dkimTokens: [],
  mailFromStatus: null,
  error: null,
  owner: null,
};

function toRejectedIdentity(error: unknown): DomainIdentity {
  if (!(error instanceof AppError) || error.kind === 'BUSY') throw error;
  return { ...UNKNOWN_IDENTITY, error: error.message };
}

/**
 * Queries the provider about a domain, and registers it if necessary. Creates a missing DKIM key. Returns null for
 * transports without a provider.
 * @param isVouched true if the operator assigns the domain to the workspace
 * @throws NOT_UNIQUE if the provider account already uses the domain for something else
 * @throws BAD_REQUEST if the provider rejects it
 * @throws BUSY if the provider is unavailable
 */
export async function syncDomainIdentity(
  db: Db,
  config: Config,
  domain: CheckedDomain,
  isVouched: boolean,
): Promise<DomainIdentity | null> {
  if (signsLocally(config)) await ensureDkimKey(db, config, domain.workspace_id, domain.id);
  const identities = await getDomainIdentities(config);
  if (!identities) return null;
  const owner = buildOwnerTag(config, domain.workspace_id);
  try {
    if (domain.dkim_tokens.length === 0) {
      const key = await ensureDkimKey(db, config, domain.workspace_id, domain.id);
      return await register(identities, domain.name, owner, isVouched, key);
    }
    const missingIdentity = {
      ...UNKNOWN_IDENTITY,
      dkimTokens: [...domain.dkim_tokens],
      error: 'The provider no longer has this domain.',
    };
    return (await identities.get(domain.name)) ?? missingIdentity;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const result = classifySesError(error, domain.name);
    if (result.kind === 'refused') throw errors.badRequest(`${domain.name}: ${result.reason}`);
    throw errors.busy(
      `The provider could not be reached, so ${domain.name} was not checked. Try again later.`,
    );
  }
}

export const buildOwnerTag = (config: Config, workspaceId: number): string =>
  computeKeyedHash(config.secretKey, `workspace ${workspaceId}`).slice(0, 32);

/**
 * Registers the domain. Rejects an identity that the account already uses for something else: it may be verified, so a
 * workspace that adds the name could send from it without proving ownership.
 */
async function register(
  identities: DomainIdentities,
  name: string,
  owner: string,
  isVouched: boolean,
  key: DkimKey,
): Promise<DomainIdentity> {
  const identity = await identities.register(name, owner, key);
  const isOurs = identity.owner === owner;
  if (!isOurs && !isVouched)
    throw errors.notUnique(
      `The provider account already uses ${name} for something else. Only the operator can assign it to this ` +
        `workspace.`,
    );
  if (!isOurs || identity.mailFromStatus !== null) return identity;
  await identities.setMailFrom(name);
  return { ...identity, mailFromStatus: 'PENDING' };
}

/**
 * Stores the provider's response.
 * @param isVouched see `claimDomainName`
 * @returns FAILED for a verified name that another workspace has claimed; the previous status if the domain was deleted
 */
export async function record(
  db: Db,
  domain: CheckedDomain,
  identity: DomainIdentity,
  isVouched: boolean,
): Promise<DomainStatus> {
  const { workspace_id, name } = domain;
  const isClaimed =
    identity.status === 'SUCCESS' && !(await claimDomainName(db, workspace_id, name, isVouched));
  const status = isClaimed ? 'FAILED' : identity.status;
  const error = isClaimed ? 'The domain belongs to another workspace.' : identity.error;
  const isOurKey = sql`dkim_selector = any(${identity.dkimTokens})`;
  const updatedRows = await db.rows(
    sql`update svc_domain set status = ${status}, dkim_status = ${identity.dkimStatus},
       dkim_tokens = ${identity.dkimTokens}, spf_details = ${identity.mailFromStatus}, error_message = ${error},
       dkim_selector = case when ${isOurKey} then dkim_selector end,
       public_key = case when ${isOurKey} then public_key else '' end,
       is_verifying = ${status !== 'SUCCESS' && status !== 'FAILED'}, checked_at = now(),
       write_date = case when status = ${status} then write_date else ${new Date().toISOString()}::timestamp end
     where workspace_id = ${domain.workspace_id} and id = ${domain.id} returning workspace_id`,
  );
  if (updatedRows.length === 0) return domain.status;
  if (status === 'SUCCESS' && domain.status !== status) await assignDomainAddresses(db, workspace_id, name);
  return status;
}
