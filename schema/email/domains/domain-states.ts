import type { Config } from '../../../src/config.ts';
import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { MAIL_ADMIN_READ_POLICY, returnShape } from '../../mailbox/kit/operation.ts';
import { buildDnsRecords, type DnsRecord, type PublishedDomain } from './dns-records.ts';
import { PUBLISHED_DOMAIN_JSON } from './sending-domains.ts';
import { getZoneDomain } from './zone.ts';

const MAX_DOMAIN_STATES = 100;

const DomainRecordShape = defineTypedShape(
  'MailDomainRecord',
  'A DNS record for sending mail from a domain.',
  {
    purpose: { type: 'String', description: 'One of `dkim`, `bounces`, `spf` and `dmarc`.' },
    type: { type: 'String', description: 'Type of the record: MX, TXT or CNAME.' },
    host: { type: 'String', description: 'Full name of the record.' },
    value: { type: 'String', description: 'Value to publish.' },
    required: { type: 'Boolean', description: 'True if the domain cannot be verified without this record.' },
    status: {
      type: 'String',
      description: 'Status, as in `DnsRecord.status`, such as `SUCCESS` or `NOT_STARTED`.',
    },
    observedValue: {
      type: 'String',
      nullable: true,
      description: 'Same as `value` if the last check found it. Otherwise null.',
    },
  },
);

const DomainStateShape = defineTypedShape(
  'MailDomainState',
  'A sending domain and the status of its DNS records.',
  {
    id: { type: 'ID', description: 'Id of the domain.' },
    name: { type: 'String', description: 'Name.' },
    verificationState: { type: 'String', description: 'Same as `SendingDomain.status`.' },
    isSendable: { type: 'Boolean', description: 'True if the domain can send mail.' },
    lastChecked: {
      type: 'DateTime',
      nullable: true,
      description: 'When the domain was last checked. Null if it has never been checked.',
    },
    lastError: {
      type: 'String',
      nullable: true,
      description: 'Error from the last check. Null if there was none.',
    },
    records: { type: [DomainRecordShape], description: 'DNS records that the domain requires.' },
  },
);

export const mailDomainStates = defineOperation('mailDomainStates', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_ADMIN_READ_POLICY,
  description: `Lists up to ${MAX_DOMAIN_STATES} sending domains and the DNS records they require.`,
  args: (arg) => ({
    name: arg.string({ defaultValue: '', description: 'Only domains whose names contain this string.' }),
  }),
  ...returnShape('MailDomainStates', 'Sending domains of the workspace.', {
    domains: { type: [DomainStateShape], description: 'The domains, sorted by name.' },
    note: { type: 'String', description: 'Explanation of who verifies domains on this server, and when.' },
  }),
  run: async (ctx, { name }) => ({
    domains: await loadDomainStates(ctx, name?.trim().toLowerCase() ?? ''),
    note: TRANSPORT_NOTES[ctx.runtime.config.mailTransport],
  }),
});

const TRANSPORT_NOTES: Record<Config['mailTransport'], string> = {
  local: 'Mail stays on this server: a domain is verified as soon as it is added, without a DNS check.',
  smtp: 'Mail goes through an SMTP relay: the operator of the server verifies domains, with "domain verify".',
  ses: 'Domains are checked with the provider: new domains within minutes, others periodically.',
};

interface DomainRow {
  id: number;
  name: string;
  checked: string | null;
  error: string | null;
  published: PublishedDomain;
}

async function loadDomainStates(ctx: Ctx, part: string) {
  const domains = await ctx.db.rows<DomainRow>(
    sql`select id, name, ${toIsoSql(sql`checked_at`)} as checked, error_message as error,
      ${PUBLISHED_DOMAIN_JSON} as published
     from svc_domain where workspace_id = ${ctx.workspace.id} and strpos(name, ${part}) > 0
     order by name limit ${sql.literal(MAX_DOMAIN_STATES)}`,
  );
  return domains.map(({ id, name, checked, error, published }) => ({
    id,
    name,
    verification_state: published.status,
    is_sendable: published.status === 'SUCCESS' && !error,
    last_checked: checked,
    last_error: error,
    records: buildDnsRecords(published).map((record) =>
      toRecordRow(record, getZoneDomain(name, published.subdomain)),
    ),
  }));
}

const toRecordRow = (record: DnsRecord, zone: string) => ({
  purpose: getPurpose(record),
  type: record.type,
  host: `${record.name}.${zone}`,
  value: record.value,
  required: !record.recommended,
  status: record.status,
  observed_value: record.status === 'SUCCESS' ? record.value : null,
});

function getPurpose({ name, type }: DnsRecord): string {
  if (name.includes('_domainkey')) return 'dkim';
  if (name.startsWith('_dmarc')) return 'dmarc';
  return type === 'MX' ? 'bounces' : 'spf';
}
