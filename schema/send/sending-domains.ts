import { RawJson } from '../../src/engine/records.ts';
import { verb } from '../../src/engine/verb.ts';
import { dnsRecordsOf, type Published } from './dns-records.ts';
import { iso } from './domains.ts';

verb('sendingDomains', {
  kind: 'query',
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'read', feature: 'email' },
  description: 'The sending domains in the shape of the email REST API, newest first.',
  args: () => ({}),
  async run(ctx) {
    const rows = await ctx.db.rows<{ shown: object; published: Published }>(
      `select json_build_object('id', id, 'name', name, 'teamId', workspace_id, 'status', status, 'region', region,
                'clickTracking', click_tracking, 'openTracking', open_tracking, 'publicKey', public_key, 'dkimSelector', dkim_selector,
                'dkimStatus', dkim_status, 'spfDetails', spf_details, 'dmarcAdded', dmarc_added, 'errorMessage', error_message,
                'subdomain', subdomain, 'sesTenantId', null, 'isVerifying', is_verifying,
                'createdAt', ${iso('create_date')}, 'updatedAt', ${iso('write_date')}) as shown,
              json_build_object('region', region, 'status', status, 'dkim_tokens', dkim_tokens, 'dkim_status', dkim_status,
                'spf_details', spf_details, 'dmarc_added', dmarc_added) as published
       from svc_domain where workspace_id = $1 order by id desc`,
      [ctx.workspace.id],
    );
    const domains = rows.map(({ shown, published }) => ({ ...shown, dnsRecords: dnsRecordsOf(published) }));
    return new RawJson(JSON.stringify(domains), rows.length);
  },
});
