import type { DomainStatus } from '../../src/delivery/identities.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { emit } from '../../src/engine/events.ts';
import { defineModel } from '../../src/engine/model.ts';
import { verb } from '../../src/engine/verb.ts';
import { AppError, errors } from '../../src/errors.ts';
import { toAsciiDomain } from '../../src/mail/address.ts';
import { boundDomain } from './bound-domain.ts';
import { learn, record } from './domain-check.ts';
import { claimName, refuseTaken } from './domain-claim.ts';

defineModel('svc.domain', {
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  graph: { type: 'Domain', one: 'domain', many: 'domains' },
});

verb('domainAdd', {
  kind: 'mutation',
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email', audit: 'domain.add' },
  description:
    'Adds a sending domain. With the local transport it is verified at once, with a cloud provider when its DNS records are found, with an SMTP relay by the operator. Answers with its id.',
  args: (arg) => ({
    name: arg.string({ required: true }),
    region: arg.string({
      description: 'Of the cloud provider; must be the one this installation sends from.',
    }),
  }),
  type: 'Int',
  run(ctx, { name, region }) {
    if (boundDomain(ctx) !== null)
      throw errors.notAllowed('This key is bound to a domain; it cannot add another one.');
    const { mailTransport, awsRegion } = ctx.runtime.config;
    if (region && mailTransport === 'ses' && region !== awsRegion)
      throw errors.badRequest(`region: this installation sends from ${awsRegion}.`);
    return addDomain(ctx, name);
  },
});

/**
 * Adds a sending domain to the workspace. Only the operator (a ctx of the platform) may take one that the provider's
 * account holds already and that was not made for this workspace.
 * @throws BAD_REQUEST for a name that is none or that the provider refuses, NOT_UNIQUE when a workspace has it
 */
export async function addDomain(ctx: Ctx, given: string): Promise<number> {
  const name = domainName(given);
  return ctx.tx(async (tx) => {
    await refuseTaken(tx.db, tx.workspace.id, name);
    const { mailTransport, awsRegion } = tx.runtime.config;
    const [row] = await tx.db.rows<{ id: number }>(
      `insert into svc_domain (workspace_id, name, region, subdomain) values ($1, $2, $3, '')
       on conflict (workspace_id, name) do nothing returning id`,
      [tx.workspace.id, name, mailTransport === 'ses' ? awsRegion : 'local'],
    );
    if (!row) throw errors.notUnique(`This workspace has the domain ${name} already.`);
    const status = await begin(tx, row.id, name);
    await emit(tx, 'domain.created', { id: row.id, name, status });
    return row.id;
  });
}

/** The name in lower-case ASCII. @throws BAD_REQUEST */
export function domainName(given: string): string {
  const name = toAsciiDomain(given.trim().toLowerCase());
  if (!name?.includes('.')) throw errors.badRequest(`${given.slice(0, 100)} is not a domain name.`);
  return name;
}

/** The first status of a new domain. A provider that is away is asked again by the job. */
async function begin(ctx: Ctx, id: number, name: string): Promise<DomainStatus> {
  if (ctx.runtime.config.mailTransport === 'local') return vouchFor(ctx, id, name);
  const domain = {
    workspace_id: ctx.workspace.id,
    id,
    name,
    status: 'NOT_STARTED',
    dkim_tokens: [],
  } as const;
  try {
    const identity = await learn(ctx.db, ctx.runtime.config, domain, ctx.sudo);
    return identity ? await record(ctx.db, domain, identity) : 'NOT_STARTED';
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'BUSY') throw error;
    await ctx.db.rows(`update svc_domain set error_message = $3 where workspace_id = $1 and id = $2`, [
      ctx.workspace.id,
      id,
      error.message,
    ]);
    return 'NOT_STARTED';
  }
}

/** Verifies a domain on the word of whoever runs the installation. @throws NOT_UNIQUE when another workspace has it */
export async function vouchFor(ctx: Ctx, id: number, name: string): Promise<DomainStatus> {
  if (!(await claimName(ctx.db, ctx.workspace.id, name)))
    throw errors.notUnique(`The domain ${name} belongs to another workspace.`);
  await ctx.db.rows(
    `update svc_domain set status = 'SUCCESS', error_message = null, is_verifying = false, write_date = now()
     where workspace_id = $1 and id = $2`,
    [ctx.workspace.id, id],
  );
  return 'SUCCESS';
}

/** A timestamp column as an ISO string with milliseconds and Z. */
export const iso = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
