import type { Ctx } from '../../src/engine/ctx.ts';
import { emit } from '../../src/engine/events.ts';
import { defineModel } from '../../src/engine/model.ts';
import { RawJson } from '../../src/engine/records.ts';
import { verb } from '../../src/engine/verb.ts';
import { errors } from '../../src/errors.ts';
import { toAsciiDomain } from '../../src/mail/address.ts';

defineModel('svc.domain', {
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  graph: { type: 'Domain', one: 'domain', many: 'domains' },
});

verb('domainAdd', {
  kind: 'mutation',
  policy: { auth: ['ADMIN'], scope: 'write', feature: 'email', audit: 'domain.add' },
  description: 'Adds a sending domain. With the local transport it is verified at once. Answers with its id.',
  args: (arg) => ({ name: arg.string({ required: true }) }),
  type: 'Int',
  run: (ctx, { name }) => addDomain(ctx, name),
});

/**
 * Adds a sending domain to the workspace.
 * @throws BAD_REQUEST for a name that is none, NOT_UNIQUE when a workspace has it
 */
export async function addDomain(ctx: Ctx, given: string): Promise<number> {
  const name = toAsciiDomain(given.trim().toLowerCase());
  if (!name?.includes('.')) throw errors.badRequest(`${given.slice(0, 100)} is not a domain name.`);
  const verified = ctx.runtime.config.mailTransport === 'local';
  return ctx.tx(async (tx) => {
    if (verified) await claim(tx, name);
    const [row] = await tx.db.rows<{ id: number }>(
      `insert into svc_domain (workspace_id, name, region, status, subdomain) values ($1, $2, $3, $4, '')
       on conflict (workspace_id, name) do nothing returning id`,
      [tx.workspace.id, name, tx.runtime.config.awsRegion ?? 'local', verified ? 'SUCCESS' : 'NOT_STARTED'],
    );
    if (!row) throw errors.notUnique(`This workspace has the domain ${name} already.`);
    await emit(tx, 'domain.created', { id: row.id, name, status: verified ? 'SUCCESS' : 'NOT_STARTED' });
    return row.id;
  });
}

/** A verified name belongs to one workspace of the installation. */
async function claim(ctx: Ctx, name: string): Promise<void> {
  const rows = await ctx.db.rows<{ workspace_id: number }>(
    `insert into domain_claim (name, workspace_id) values ($1, $2) on conflict (name) do update set name = excluded.name returning workspace_id`,
    [name, ctx.workspace.id],
  );
  if (rows[0]!.workspace_id !== ctx.workspace.id)
    throw errors.notUnique(`The domain ${name} belongs to another workspace.`);
}

verb('sendingDomains', {
  kind: 'query',
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' },
  description: 'The sending domains in the shape of the email REST API, newest first.',
  args: () => ({}),
  async run(ctx) {
    const [row] = await ctx.db.rows<{ json: string; n: number }>(
      `select coalesce(json_agg(d order by d.id desc), '[]')::text as json, count(*)::int as n from (
         select id, name, workspace_id as "teamId", status, region, click_tracking as "clickTracking", open_tracking as "openTracking",
                public_key as "publicKey", dkim_selector as "dkimSelector", dkim_status as "dkimStatus", spf_details as "spfDetails",
                dmarc_added as "dmarcAdded", error_message as "errorMessage", subdomain, null as "sesTenantId", is_verifying as "isVerifying",
                ${iso('create_date')} as "createdAt", ${iso('write_date')} as "updatedAt",
                json_build_array(
                  json_build_object('type', 'MX', 'name', 'mail', 'value', 'feedback-smtp.' || region || '.amazonses.com', 'ttl', 'Auto', 'priority', '10', 'status', coalesce(spf_details, status)),
                  json_build_object('type', 'TXT', 'name', 'mail', 'value', 'v=spf1 include:amazonses.com ~all', 'ttl', 'Auto', 'status', coalesce(spf_details, status)),
                  json_build_object('type', 'TXT', 'name', '_dmarc', 'value', 'v=DMARC1; p=none;', 'ttl', 'Auto', 'status', case when dmarc_added then 'SUCCESS' else status end, 'recommended', true)
                ) as "dnsRecords"
         from svc_domain where workspace_id = $1
       ) d`,
      [ctx.workspace.id],
    );
    return new RawJson(row!.json, row!.n);
  },
});

/** A timestamp column as an ISO string with milliseconds and Z. */
export const iso = (column: string): string => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
