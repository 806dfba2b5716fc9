import { domainToASCII } from 'node:url';
import { createCache, memoizePerObject } from '../../../src/cache.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { createBatchingQueue } from '../../../src/engine/work/batching-queue.ts';

const MAX_CACHED_OWNERS = 10_000;
const OWNER_TTL_MS = 2_000;
/** Per workspace and process. */
const MAX_CONCURRENT_LOOKUPS = 2;
/** Maximum number of addresses per lookup. A message with more addresses gets its own lookup. */
const MAX_LOOKUP_ADDRESSES = 300;
/** Maximum number of unfiled messages counted toward a mailbox's quota. Bounds the cost of a lookup. */
const MAX_COUNTED_PENDING = 1_000;

export interface DeliveryTarget {
  recipient: string;
  workspaceId: number;
  accountId: number;
  /** True if the message exceeds the free quota. Unfiled messages use up quota too. */
  isFull: boolean;
  /** True if the message exceeds the whole quota. */
  isOver: boolean;
  /** Free bytes in the quota, after unfiled messages. Null if there is no quota. */
  room: number | null;
}

interface DomainOwner {
  domain: string;
  id: number;
}

/**
 * Finds the mailboxes of envelope addresses, and omits unknown addresses. Ignores a `+tag` that is not part of the
 * stored address. A catch-all receives mail for unknown addresses on its domain. Closed workspaces receive no mail.
 * @param size bytes of the message, if known
 * @param isLocal true for mail from this installation, which also reaches workspaces without a domain
 */
export async function findDeliveryTargets(
  { db }: Pick<Runtime, 'db'>,
  recipients: readonly string[],
  size = 0,
  isLocal = false,
): Promise<DeliveryTarget[]> {
  const addresses = [...new Set(recipients)].map((recipient) => ({ recipient, ...splitAddress(recipient) }));
  const owners = await loadDomainOwners(db, [...new Set(addresses.map(({ domain }) => domain))], isLocal);
  const targetLists = owners.map((owner) =>
    findWorkspaceTargets(
      db,
      owner,
      addresses.filter(({ domain }) => domain === owner.domain),
      size,
    ),
  );
  return (await Promise.all(targetLists)).flat();
}

export async function findOwnAddresses(
  { db }: Pick<Runtime, 'db'>,
  addresses: string[],
): Promise<Set<string>> {
  const parts = addresses.map((address) => ({ address, domain: splitAddress(address).domain }));
  const owners = await loadDomainOwners(db, [...new Set(parts.map(({ domain }) => domain))], true);
  const ownDomains = new Set(owners.map(({ domain }) => domain));
  return new Set(parts.flatMap(({ address, domain }) => (ownDomains.has(domain) ? [address] : [])));
}

/** Splits an address into lower-case parts. Unquotes the local part (RFC 5321 4.1.2). */
function splitAddress(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const local = address.slice(0, Math.max(0, at)).toLowerCase();
  const quoted = /^"(.*)"$/s.exec(local)?.[1];
  return { local: quoted?.replace(/\\(.)/gs, '$1') ?? local, domain: domainToASCII(domain) || domain };
}

/**
 * Finds the workspace that owns each domain. A verified domain belongs to one workspace. Local mail also finds
 * workspaces by `<slug>.localhost`. Results are cached briefly.
 */
async function loadDomainOwners(db: Db, domains: string[], isLocal: boolean): Promise<DomainOwner[]> {
  const cache = getOwnerCache(db);
  const cachedOwners = isLocal ? [] : domains.flatMap((domain) => cache.get(domain) ?? []);
  const uncachedDomains = domains.filter((domain) => cachedOwners.every((owner) => owner.domain !== domain));
  if (uncachedDomains.length === 0) return cachedOwners;
  const slugs = isLocal ? uncachedDomains.flatMap((name) => LOCALHOST_DOMAIN.exec(name)?.[1] ?? []) : [];
  const owners = await db.rows<DomainOwner>(
    sql`select c.name as domain, c.workspace_id as id from domain_claim c
     join workspace w on w.id = c.workspace_id and w.purge_at is null
     where c.name = any(${uncachedDomains}::text[])
     union all
     select w.slug || '.localhost' as domain, w.id from workspace w
     where w.slug = any(${slugs}::text[]) and w.purge_at is null
       and not exists (select 1 from domain_claim c where c.name = w.slug || '.localhost')`,
  );
  if (!isLocal) for (const owner of owners) cache.set(owner.domain, owner);
  return [...cachedOwners, ...owners];
}

const getOwnerCache = memoizePerObject((_db: Db) =>
  createCache<string, DomainOwner>({ entries: MAX_CACHED_OWNERS, age: OWNER_TTL_MS }),
);

const LOCALHOST_DOMAIN = /^([^.]+)\.localhost$/;

async function findWorkspaceTargets(
  db: Db,
  { id, domain }: DomainOwner,
  addresses: { recipient: string; local: string }[],
  size: number,
): Promise<DeliveryTarget[]> {
  const names = new Map(
    addresses.map((address) => [address.recipient, buildCandidates(address.local, domain)]),
  );
  const knownAddresses = await getLookupQueue(db).add({
    workspace: id,
    addresses: [...new Set([...names.values()].flat())],
  });
  const rowsByAddress = new Map(knownAddresses.map((row) => [row.address, row]));
  return [...names].flatMap(([recipient, candidates]) => {
    const row = candidates.flatMap((name) => rowsByAddress.get(name) ?? [])[0];
    return row
      ? {
          recipient,
          workspaceId: id,
          accountId: row.account_id,
          isFull: row.room !== null && size > row.room,
          isOver: row.quota !== null && size > row.quota,
          room: row.room,
        }
      : [];
  });
}

interface AddressLookup {
  workspace: number;
  addresses: string[];
}

interface FoundAddress {
  address: string;
  account_id: number;
  quota: number | null;
  room: number | null;
}

const getLookupQueue = memoizePerObject((db: Db) =>
  createBatchingQueue<AddressLookup, FoundAddress[]>({
    getKey: ({ workspace }) => workspace,
    async runBatch(items) {
      const addresses = [...new Set(items.flatMap((item) => item.addresses))];
      const workspace = items[0]!.workspace;
      const rows = await db.rows<FoundAddress>(
        sql`select d.address, d.account_id, a.quota,
           case when a.quota is null then null else a.quota - c.used_bytes - (
             select coalesce(sum(i.size), 0)::int8 from (
               select o.intake_id from svc_mail_delivery o
               where o.workspace_id = ${workspace} and o.account_id = d.account_id and o.next_at is not null
               limit ${sql.literal(MAX_COUNTED_PENDING)}) o
             join svc_mail_intake i on i.workspace_id = ${workspace} and i.id = o.intake_id) end as room
         from svc_mail_address d
         join svc_mail_account a on a.workspace_id = ${workspace} and a.id = d.account_id and a.active
         join svc_mail_clock c on c.workspace_id = ${workspace} and c.account_id = d.account_id
         join workspace w on w.id = ${workspace} and w.purge_at is null
         where d.workspace_id = ${workspace} and d.address = any(${addresses}::text[])`,
      );
      const rowsByAddress = new Map(rows.map((row) => [row.address, row]));
      return items.map((item) => item.addresses.flatMap((address) => rowsByAddress.get(address) ?? []));
    },
    concurrency: MAX_CONCURRENT_LOOKUPS,
    maxSize: MAX_LOOKUP_ADDRESSES,
    getSize: ({ addresses }) => addresses.length,
    isItemError: () => false,
  }),
);

/** Returns the stored addresses that match an address, closest match first. */
function buildCandidates(local: string, domain: string): string[] {
  const untaggedLocal = local.replace(/^([^+]+)\+.*$/s, '$1');
  return [...new Set([`${local}@${domain}`, `${untaggedLocal}@${domain}`, `@${domain}`])];
}
