import { GraphQLInt } from 'graphql';
import { getSubdomain } from 'tldts';
import { assertNodesUp } from '../../../src/db/citus/nodes.ts';
import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { DomainIdentity, DomainStatus } from '../../../src/email/identities.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import {
  allowField,
  buildArguments,
  defineArguments,
  requireField,
} from '../../../src/engine/operation/input.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { toAsciiDomain } from '../../../src/message/address.ts';
import { ADMIN_GROUP } from '../../base/roles.ts';
import { assignDomainAddresses } from '../../mailbox/accounts/domain-addresses.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { type CheckedDomain, record, syncDomainIdentity } from './domain-check.ts';
import { claimDomainName, rejectClaimedDomain } from './domain-claim.ts';
import { domainResource, SendingDomain } from './domain-shape.ts';

defineModel('svc.domain', {
  group: 'data',
  order: 'id desc',
  team: 'r',
  boundBy: 'id',
  access: { [ADMIN_GROUP]: 'r' },
  ceiling: { [ADMIN_GROUP]: 'r' },
  graph: {
    type: 'SendingDomain',
    one: 'sendingDomain',
    many: 'sendingDomains',
    names: { spf_details: 'mailFromStatus' },
    prisma: true,
  },
});

export const DOMAIN_EVENT_JSON = sql`jsonb_build_object('id', id, 'name', name, 'status', status, 'region', region,
  'createdAt', ${toIsoSql(sql`create_date`)}, 'updatedAt', ${toIsoSql(sql`write_date`)}, 'clickTracking',
    click_tracking,
  'openTracking', open_tracking, 'subdomain', subdomain, 'sesTenantId', null, 'dkimStatus', dkim_status,
  'spfDetails', spf_details, 'dmarcAdded', dmarc_added)`;

const NEW_DOMAIN = defineArguments('NewDomain', 'A sending domain to add.', {
  name: requireField('String', 'Domain name.', { form: { example: 'example.com' } }),
  region: allowField(
    'String',
    'Provider region, which must match the region that this installation sends from. If the provider has no ' +
      "regions, any value is accepted, and the domain's region is `local`.",
    { form: { example: 'eu-west-1' } },
  ),
});

export const domainAdd = defineOperation('domainAdd', {
  effects: ['writes'],
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email', audit: 'domain.add', waits: true },
  description:
    'Adds a sending domain and returns it. With the local transport, the domain is verified ' +
    'immediately, and emails to its addresses are delivered to the mailboxes of this server or bounce. ' +
    'With a cloud provider, it is verified once its DNS records are found. With an SMTP relay, the ' +
    'operator verifies it.',
  args: (arg) => buildArguments(arg, NEW_DOMAIN),
  type: SendingDomain,
  returns: GraphQLInt,
  run(ctx, { name, region }) {
    if (getBoundDomain(ctx) !== null)
      throw errors.notAllowed('This key is bound to one domain and cannot add another. Use another key.');
    const { mailTransport, awsRegion } = ctx.runtime.config;
    if (region && mailTransport === 'ses' && region !== awsRegion)
      throw errors.badRequest(`region: must be ${awsRegion}, the region of this installation.`);
    return addDomain(ctx, name);
  },
  answer: (ctx, id, _args, info) => returnResource(ctx, domainResource, id, info),
});

/**
 * Adds a sending domain to the workspace. Only the operator (a platform context) can add a domain that already exists
 * in the provider account and was not created for this workspace.
 * @throws BAD_REQUEST if the name is invalid or the provider rejects it
 * @throws NOT_UNIQUE if a workspace already has it
 */
export async function addDomain(ctx: Ctx, domainName: string): Promise<number> {
  const name = parseDomainName(domainName);
  await assertNodesUp(ctx.runtime.db);
  const domain = await createDomain(ctx, name);
  try {
    const identity = await registerDomain(ctx, domain);
    await ctx.tx(async (tx) => {
      const status = await recordFirstStatus(tx, domain, identity);
      await emitEvent(tx, 'domain.created', { id: domain.id, name, status });
    });
    return domain.id;
  } catch (error) {
    await ctx.db.rows(
      sql`delete from svc_domain where workspace_id = ${ctx.workspace.id} and id = ${domain.id}`,
    );
    throw error;
  }
}

/**
 * Inserts the row before the provider is queried, so that the second of two concurrent calls fails here. `checked_at`
 * hides the row from the check job until then.
 */
async function createDomain(ctx: Ctx, name: string): Promise<CheckedDomain> {
  const { mailTransport, awsRegion } = ctx.runtime.config;
  await rejectClaimedDomain(ctx.db, ctx.workspace.id, name, !ctx.sudo);
  const region = mailTransport === 'ses' ? awsRegion : 'local';
  const [row] = await ctx.db.rows<CheckedDomain>(
    sql`insert into svc_domain (workspace_id, id, name, region, subdomain, checked_at)
     values (${ctx.workspace.id}, ${await allocateId(ctx, 'svc_domain')}, ${name}, ${region},
        ${getSubdomain(name) ?? ''},
       ${region === 'local' ? null : sql`now()`})
     on conflict (workspace_id, name) do nothing returning workspace_id, id, name, status, dkim_tokens`,
  );
  if (!row) throw errors.notUnique(`This workspace already has the domain ${name}.`);
  return row;
}

/** Normalizes the name to lower-case ASCII. @throws BAD_REQUEST */
export function parseDomainName(domainName: string): string {
  const name = toAsciiDomain(domainName.trim().toLowerCase());
  if (!name?.includes('.'))
    throw errors.badRequest(`'${domainName.slice(0, 100)}' is not a valid domain name.`);
  return name;
}

/** Returns null for transports without a provider, and a BUSY error if the provider is unavailable. */
async function registerDomain(ctx: Ctx, domain: CheckedDomain): Promise<DomainIdentity | AppError | null> {
  try {
    return await syncDomainIdentity(ctx.db, ctx.runtime.config, domain, ctx.sudo);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'BUSY') return error;
    throw error;
  }
}

/** If the provider is unavailable, the check job retries. */
async function recordFirstStatus(
  ctx: Ctx,
  domain: CheckedDomain,
  word: DomainIdentity | AppError | null,
): Promise<DomainStatus> {
  if (word === null) {
    const isLocal = ctx.runtime.config.mailTransport === 'local';
    return isLocal ? confirmDomain(ctx, domain.id, domain.name) : 'NOT_STARTED';
  }
  if (!(word instanceof AppError)) return record(ctx.db, domain, word, ctx.sudo);
  await ctx.db.rows(
    sql`update svc_domain set error_message = ${word.message}, checked_at = null
     where workspace_id = ${domain.workspace_id} and id = ${domain.id}`,
  );
  return 'NOT_STARTED';
}

/** Marks a domain that the operator vouches for as verified. @throws NOT_UNIQUE if another workspace has claimed it */
export async function confirmDomain(ctx: Ctx, id: number, name: string): Promise<DomainStatus> {
  return ctx.tx<DomainStatus>(async ({ db, workspace, sudo }) => {
    if (!(await claimDomainName(db, workspace.id, name, sudo)))
      throw errors.notUnique(`The domain ${name} belongs to another workspace.`);
    await db.rows(
      sql`update svc_domain set status = 'SUCCESS', error_message = null, is_verifying = false, write_date = now()
       where workspace_id = ${workspace.id} and id = ${id}`,
    );
    await assignDomainAddresses(db, workspace.id, name);
    return 'SUCCESS';
  });
}
