import { iso } from '../../../src/db/iso.ts';

/** SQL of what webhooks are told of a domain, on its columns. */
export const DOMAIN_EVENT = `jsonb_build_object('id', id, 'name', name, 'status', status, 'region', region, 'createdAt', ${iso('create_date')},
  'updatedAt', ${iso('write_date')}, 'clickTracking', click_tracking, 'openTracking', open_tracking, 'subdomain', subdomain,
  'sesTenantId', null, 'dkimStatus', dkim_status, 'spfDetails', spf_details, 'dmarcAdded', dmarc_added)`;
