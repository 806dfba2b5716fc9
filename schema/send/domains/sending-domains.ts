import { iso } from '../../../src/db/iso.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { teamReads } from '../kit/policies.ts';
import { dnsRecordsOf, type Published } from './dns-records.ts';

verb('sendingDomains', {
  kind: 'query',
  policy: teamReads,
  description: 'Returns all sending domains, newest first. Same shape as in the email REST API.',
  args: () => ({}),
  async run(ctx) {
    const domains = await shown(ctx, boundDomain(ctx));
    return new RawJson(JSON.stringify(domains), domains.length);
  },
});

verb('sendingDomain', {
  kind: 'query',
  policy: teamReads,
  description: 'Returns a sending domain. Same shape as in the email REST API.',
  args: (arg) => ({ id: arg.int({ required: true, description: 'Domain id.' }) }),
  async run(ctx, { id }) {
    const bound = boundDomain(ctx);
    const [domain] = bound === null || bound === id ? await shown(ctx, id) : [];
    if (!domain) throw errors.notFound('Domain');
    return new RawJson(JSON.stringify(domain), 1);
  },
});

/** @param id of one of them; null for all */
async function shown(ctx: Ctx, id: number | null): Promise<object[]> {
  const rows = await ctx.db.rows<{ shown: object; published: Published }>(
    sql`select json_build_object('id', id, 'name', name, 'teamId', workspace_id, 'status', status, 'region', region,
         'clickTracking', click_tracking, 'openTracking', open_tracking, 'publicKey', public_key,
         'dkimSelector', dkim_selector, 'dkimStatus', dkim_status, 'spfDetails', spf_details,
         'dmarcAdded', dmarc_added, 'errorMessage', error_message, 'subdomain', subdomain, 'sesTenantId', null,
         'isVerifying', is_verifying, 'verificationError', error_message,
         'lastCheckedTime', ${iso(sql`checked_at`)}, 'createdAt', ${iso(sql`create_date`)},
         'updatedAt', ${iso(sql`write_date`)}) as shown,
       json_build_object('region', region, 'status', status, 'public_key', public_key,
         'dkim_selector', dkim_selector, 'dkim_tokens', dkim_tokens, 'dkim_status', dkim_status,
         'spf_details', spf_details, 'dns_seen', dns_seen) as published
     from svc_domain where workspace_id = ${ctx.workspace.id} and ${id === null ? sql`true` : sql`id = ${id}`}
     order by id desc`,
  );
  return rows.map(({ shown, published }) => ({ ...shown, dnsRecords: dnsRecordsOf(published) }));
}
