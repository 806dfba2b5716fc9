import { GraphQLString } from 'graphql';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { DomainStatus } from '../../../src/email/identities.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { type CheckedDomain, checkDomain } from './domain-check.ts';
import { canVerifyDomains, domainResource, SendingDomain } from './domain-shape.ts';
import { confirmDomain, parseDomainName } from './domains.ts';

export const domainVerify = defineOperation('domainVerify', {
  effects: ['writes'],
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email', audit: 'domain.verify', waits: true },
  description:
    'Verifies a sending domain now and returns it with its status. The server also checks domains periodically.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Domain id.' }) }),
  type: SendingDomain,
  returns: GraphQLString,
  run: (ctx, { id }) => checkDomainNow(ctx, parseRowId(id)),
  answer: (ctx, _status, { id }, info) => returnResource(ctx, domainResource, id, info),
});

async function checkDomainNow(ctx: Ctx, id: number): Promise<DomainStatus> {
  const domain = await getDomain(ctx, sql`id = ${id}`);
  const boundDomain = getBoundDomain(ctx);
  if (boundDomain !== null && domain.id !== boundDomain) throw errors.notFound('Domain');
  if (!canVerifyDomains(ctx))
    throw errors.badRequest(
      'Only the operator can verify domains if emails are sent through an SMTP relay (command "domain verify").',
    );
  if (ctx.runtime.config.mailTransport === 'local') return confirmDomain(ctx, domain.id, domain.name);
  return checkDomain(toCheckHost(ctx), domain);
}

/**
 * Verifies a domain that the operator vouches for. Without a provider, this is sufficient. With a provider, it only
 * lets the workspace use a domain that the provider account already uses for something else; the provider still decides
 * whether the domain is verified.
 * @throws NOT_FOUND
 * @throws BAD_REQUEST if the settings do not match the domain's provider
 * @throws NOT_UNIQUE if another workspace has claimed the name
 * @throws BUSY if the provider is unavailable
 */
export async function verifyDomain(
  ctx: Ctx,
  domainName: string,
): Promise<{ id: number; name: string; status: DomainStatus }> {
  const domain = await getDomain(ctx, sql`name = ${parseDomainName(domainName)}`);
  const { config } = ctx.runtime;
  if (config.mailTransport === 'local' && domain.region !== 'local')
    throw errors.badRequest(
      `${domain.name} is registered with the provider in ${domain.region}. Run the command with the server's ` +
        'settings (MAIL_TRANSPORT).',
    );
  if (config.mailTransport === 'ses') {
    const status = await checkDomain(toCheckHost(ctx), domain, true);
    return { id: domain.id, name: domain.name, status };
  }
  const status = await confirmDomain(ctx, domain.id, domain.name);
  if (config.mailTransport === 'smtp') await checkDomain(toCheckHost(ctx), { ...domain, status });
  return { id: domain.id, name: domain.name, status };
}

const toCheckHost = ({ db, runtime: { config, log } }: Ctx) => ({ db, config, log });

async function getDomain(ctx: Ctx, condition: Sql): Promise<CheckedDomain & { region: string }> {
  const [row] = await ctx.db.rows<CheckedDomain & { region: string }>(
    sql`select workspace_id, id, name, status, region, dkim_tokens from svc_domain
     where workspace_id = ${ctx.workspace.id} and ${condition}`,
  );
  if (!row) throw errors.notFound('Domain');
  return row;
}
