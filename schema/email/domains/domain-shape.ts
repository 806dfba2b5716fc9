import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineEnumShape } from '../../../src/engine/operation/shape.ts';
import { addResourceRoots } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { buildGraphFields, defineComponent, type Shape } from '../kit/shape.ts';
import { buildDnsRecords, type DnsRecord, type PublishedDomain } from './dns-records.ts';
import { buildRecordKey } from './domain-dns.ts';
import { getZoneDomain } from './zone.ts';

const Status = defineEnumShape(
  'SendingDomainStatus',
  'Verification status of a sending domain or of one of its records.',
  {
    NOT_STARTED: 'Nothing has been found yet.',
    PENDING: 'Verification is in progress.',
    SUCCESS: 'Verified.',
    FAILED: 'Not verified, or published with another value.',
    TEMPORARY_FAILURE: 'Could not be checked. The check will be retried.',
  },
  { field: 'svc.domain.status' },
);

const RecordType = defineEnumShape('DnsRecordType', 'Type of a DNS record.', {
  MX: 'Names the server that receives bounces.',
  TXT: 'Text, such as a key or a policy.',
  CNAME: 'Alias for another name.',
});

const dnsRecord: Shape = {
  type: { type: RecordType, description: 'Record type.' },
  name: { type: 'String', description: 'Record name, relative to the registrable domain.' },
  value: { type: 'String', description: 'Record value to publish.' },
  ttl: { type: 'String', description: 'Time to live. Always `Auto`.' },
  priority: { type: 'String', description: 'Priority of an MX record.' },
  status: {
    type: Status,
    description: 'Status of the record. FAILED if it is published with another value.',
  },
  recommended: { type: 'Boolean', description: 'True if the record is not required for verification.' },
};

const DNS_RECORD_DESCRIPTION = 'A DNS record to publish for a sending domain.';

/** Email REST API clients know only these two types and may reject others. */
const restDnsRecord: Shape = { ...dnsRecord, type: { ...dnsRecord.type!, form: { enum: ['MX', 'TXT'] } } };

const DnsRecordShape = defineComponent(
  'DnsRecord',
  DNS_RECORD_DESCRIPTION,
  restDnsRecord,
  Object.keys(dnsRecord),
  ['priority', 'recommended'],
);

const CnameRecordShape = defineComponent(
  'CnameRecord',
  'A CNAME record to publish for a sending domain.',
  dnsRecord,
  ['name', 'value', 'ttl', 'status'],
);

const DnsRecordType = builder.objectRef<DnsRecord & { observed: string[] }>('DnsRecord').implement({
  description: DNS_RECORD_DESCRIPTION,
  fields: (t) => {
    const { priority, recommended, ...always } = dnsRecord;
    return {
      ...buildGraphFields(t, always),
      priority: t.exposeString('priority', {
        nullable: true,
        description: `${priority!.description} Null for other types.`,
      }),
      recommended: t.boolean({
        description: recommended!.description,
        resolve: (record) => record.recommended ?? false,
      }),
      observed: t.exposeStringList('observed', {
        description:
          "Up to five values that the last check found under the record's name. Empty if it found none.",
      }),
    };
  },
});

function buildObservedRecords(
  domain: PublishedDomain & { name: string },
): (DnsRecord & { observed: string[] })[] {
  const zone = getZoneDomain(domain.name, domain.subdomain);
  const observed = domain.dns_seen?.observed ?? {};
  return buildDnsRecords(domain).map((record) => ({
    ...record,
    observed: observed[buildRecordKey(record.type, `${record.name}.${zone}`)] ?? [],
  }));
}

export const domainShape: Shape = {
  id: { type: 'ID', form: { type: 'integer' }, description: 'Unique identifier of the domain.' },
  name: { type: 'String', description: 'Domain name.' },
  teamId: {
    type: 'Int',
    column: 'workspace_id',
    only: 'protocols',
    description: 'Identifier of the Team that owns the domain.',
  },
  status: { type: Status, description: 'Verification status. Emails can be sent once it is SUCCESS.' },
  region: { type: 'String', description: 'Provider region the domain sends from.' },
  clickTracking: { type: 'Boolean', description: 'True if clicks on links are tracked.' },
  openTracking: { type: 'Boolean', description: 'True if opens are tracked.' },
  publicKey: { type: 'String', description: 'DKIM public key.' },
  dkimSelector: { type: 'String', nullable: true, description: 'Selector in the name of the DKIM record.' },
  dkimNextSelector: {
    type: 'String',
    nullable: true,
    column: 'dkim_next_selector',
    only: 'graphql',
    description:
      'Selector of the new key, which signs once its record is found; null unless the key is being replaced.',
  },
  dkimFormerSelector: {
    type: 'String',
    nullable: true,
    column: 'dkim_former_selector',
    only: 'graphql',
    description: 'Selector of the key that was replaced.',
  },
  dkimFormerUntil: {
    type: 'DateTime',
    nullable: true,
    column: 'dkim_former_until',
    only: 'graphql',
    description: "Time until which the former key's record must stay published, for mail in transit.",
  },
  dkimStatus: {
    type: Status,
    nullable: true,
    description:
      'DKIM status reported by the provider or, with an SMTP relay, by the check of the DKIM record. Mail is signed ' +
      'while it is SUCCESS.',
  },
  spfDetails: {
    type: 'String',
    nullable: true,
    only: 'protocols',
    description: 'Status of the custom MAIL FROM domain, reported by the provider.',
  },
  mailFromStatus: {
    type: Status,
    nullable: true,
    column: 'spf_details',
    only: 'graphql',
    description: 'Status of the custom MAIL FROM domain, reported by the provider; null if none is set.',
  },
  dmarcAdded: { type: 'Boolean', description: 'True if a DMARC record was found.' },
  errorMessage: { type: 'String', nullable: true, description: 'Last verification error.' },
  subdomain: {
    type: 'String',
    nullable: true,
    description: 'Part of the name below the registrable domain, such as `news` in `news.example.com`.',
  },
  sesTenantId: {
    type: 'String',
    nullable: true,
    only: 'protocols',
    rowSql: () => sql`null`,
    description: 'Not used. Always null.',
  },
  isVerifying: { type: 'Boolean', description: 'True if verification is in progress.' },
  verificationError: {
    type: 'String',
    nullable: true,
    column: 'error_message',
    only: 'protocols',
    description: 'Same as `errorMessage`.',
  },
  lastCheckedTime: {
    type: 'DateTime',
    nullable: true,
    column: 'checked_at',
    only: 'protocols',
    description: 'When verification was last checked.',
  },
  lastCheckedAt: {
    type: 'DateTime',
    nullable: true,
    column: 'checked_at',
    only: 'graphql',
    description: 'When verification was last checked.',
  },
  createdAt: { type: 'DateTime', column: 'create_date', description: 'When the domain was added.' },
  updatedAt: { type: 'DateTime', column: 'write_date', description: 'When the domain was last changed.' },
};

const RECORDS_DESCRIPTION = 'DNS records to publish.';
const DOMAIN_DESCRIPTION = 'A domain that emails are sent from.';

defineComponent('Domain', DOMAIN_DESCRIPTION, {
  ...domainShape,
  dnsRecords: {
    type: [DnsRecordShape],
    description: RECORDS_DESCRIPTION,
  },
  cnameRecords: {
    type: [CnameRecordShape],
    description: 'CNAME records to publish if the provider signs with its own keys.',
  },
});

/** Without a provider, only the operator can verify a domain. */
export const canVerifyDomains = ({ runtime: { config } }: Ctx): boolean => config.mailTransport !== 'smtp';

export const SendingDomain = builder.prismaObject('SvcDomain', {
  name: 'SendingDomain',
  description: DOMAIN_DESCRIPTION,
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, domainShape),
    canVerify: t.boolean({
      description:
        'True if `domainVerify` can verify the domain. False if only the operator of the server can, because emails ' +
        'are sent through an SMTP relay.',
      resolve: (_row, _args, ctx) => canVerifyDomains(ctx),
    }),
    dnsRecords: t.field({
      type: [DnsRecordType],
      description: RECORDS_DESCRIPTION,
      select: {
        name: true,
        subdomain: true,
        region: true,
        status: true,
        public_key: true,
        dkim_selector: true,
        dkim_next_selector: true,
        dkim_next_public: true,
        dkim_former_selector: true,
        dkim_former_public: true,
        dkim_tokens: true,
        dkim_status: true,
        spf_details: true,
        dns_seen: true,
      },
      resolve: (row) => buildObservedRecords(row as unknown as PublishedDomain & { name: string }),
    }),
  }),
});

export const domainResource = createResource('svc.domain', {
  type: 'SendingDomain',
  policy: TEAM_READ_POLICY,
  bound: (_ctx, id) => ({ id }),
});

addResourceRoots(domainResource, SendingDomain, { many: 'sendingDomains', one: 'sendingDomain' });
