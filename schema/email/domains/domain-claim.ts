import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { errors } from '../../../src/errors.ts';

/**
 * Claims a verified name for a workspace. The first workspace to claim it owns it. Rejects a subdomain of another
 * workspace's name, even if it was added first, because a provider would consider it verified too.
 * @param isVouched true if the operator assigns the name to the workspace
 * @returns true if the workspace owns the name; false if its domain has been deleted
 */
export async function claimDomainName(
  db: Db,
  workspaceId: number,
  name: string,
  isVouched: boolean,
): Promise<boolean> {
  if (!isVouched && (await isSubdomainOfForeignDomain(db, workspaceId, name))) return false;
  const [row] = await db.rows<{ workspace_id: number }>(
    sql`insert into domain_claim (name, workspace_id)
     select name, workspace_id from svc_domain where name = ${name} and workspace_id = ${workspaceId} for update
     on conflict (name) do update set name = excluded.name returning workspace_id`,
  );
  return row?.workspace_id === workspaceId;
}

/**
 * @param includesSubdomains true to also reject subdomains of names claimed by another workspace, because a provider
 * treats them as verified
 * @throws NOT_UNIQUE if another workspace has claimed the name
 */
export async function rejectClaimedDomain(
  db: Db,
  workspaceId: number,
  name: string,
  includesSubdomains: boolean,
): Promise<void> {
  const names = includesSubdomains ? [name, ...getParentDomains(name)] : [name];
  const [existingClaim] = await db.rows<{ name: string }>(
    sql`select name from domain_claim where name = any(${names}) and workspace_id <> ${workspaceId} limit 1`,
  );
  if (existingClaim) throw errors.notUnique(`The domain ${existingClaim.name} belongs to another workspace.`);
}

/** True if another workspace has claimed a parent domain and the name itself is unclaimed. */
async function isSubdomainOfForeignDomain(db: Db, workspaceId: number, name: string): Promise<boolean> {
  const claims = await db.rows<{ name: string; workspace_id: number }>(
    sql`select name, workspace_id from domain_claim where name = any(${[name, ...getParentDomains(name)]})`,
  );
  if (claims.some((claim) => claim.name === name)) return false;
  return claims.some((claim) => claim.workspace_id !== workspaceId);
}

/** Returns `b.example` and `example` for `a.b.example`. */
const getParentDomains = (name: string): string[] =>
  name
    .split('.')
    .map((_, index, labels) => labels.slice(index + 1).join('.'))
    .slice(0, -1);
