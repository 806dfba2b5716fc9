import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import { toCsvCell } from '../contacts/csv-cell.ts';
import { DeliveryStatus } from '../kit/delivery-status.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import type { EmailStatus } from '../state/email-status.ts';

const MAX_EXPORTED_EMAILS = 20_000;

export const emailsExport = defineOperation('emailsExport', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    `Returns up to ${MAX_EXPORTED_EMAILS} emails as CSV, newest first: id, time, sender, recipients, ` +
    'subject, status and reason. Cells that a spreadsheet would run as formulas are escaped.',
  args: (arg) => ({
    status: arg({ type: [DeliveryStatus], description: 'Only emails with one of these statuses.' }),
    domainId: arg.recordId({ description: 'Only emails sent from this domain.' }),
    keyId: arg.recordId({ description: 'Only emails sent with this API key.' }),
    tags: arg({
      type: 'JSON',
      description: 'Only emails that have all of these tags, with the same values.',
    }),
    subject: arg.string({ description: 'Only emails whose subject contains this text, ignoring case.' }),
    to: arg.string({ description: 'Only emails to this recipient.' }),
    from: arg({ type: 'DateTime', description: 'Created at or after this time.' }),
    until: arg({ type: 'DateTime', description: 'Created before this time.' }),
  }),
  type: 'String',
  async run(ctx, filter) {
    const records = await searchRead(ctx, {
      model: 'svc.email',
      domain: buildExportDomain(filter),
      fields: COLUMNS.map(([field]) => field),
      page: { limit: MAX_EXPORTED_EMAILS },
    });
    return toCsv(records.value<EmailExportRow[]>());
  },
});

interface EmailExportFilter {
  status?: readonly EmailStatus[] | null;
  domainId?: number | null;
  keyId?: number | null;
  tags?: unknown;
  subject?: string | null;
  to?: string | null;
  from?: unknown;
  until?: unknown;
}

const buildExportDomain = (filter: EmailExportFilter): unknown[] => {
  const { status, domainId, keyId, tags, subject, to, from, until } = filter;
  return [
    ...(status ? [['latest_status', 'in', status]] : []),
    ...(domainId ? [['domain_id', '=', domainId]] : []),
    ...(keyId ? [['key_id', '=', keyId]] : []),
    ...(tags ? [['tags', 'contains', tags]] : []),
    ...(subject ? [['subject', 'ilike', subject]] : []),
    ...(to ? [['to', 'in', [to]]] : []),
    ...(from ? [['create_date', '>=', toRecordTime(from)]] : []),
    ...(until ? [['create_date', '<', toRecordTime(until)]] : []),
  ];
};

const toRecordTime = (value: unknown): string =>
  new Date(String(value)).toISOString().slice(0, 19).replace('T', ' ');

type EmailExportRow = Record<string, string | string[] | false>;

const COLUMNS = [
  ['public_id', 'id'],
  ['create_date', 'createdAt'],
  ['from', 'from'],
  ['to', 'to'],
  ['subject', 'subject'],
  ['latest_status', 'status'],
  ['reason', 'reason'],
  ['sent_at', 'sentAt'],
] as const;

const toCsv = (rows: EmailExportRow[]): string =>
  [
    COLUMNS.map(([, name]) => name).join(','),
    ...rows.map((row) => COLUMNS.map(([field]) => toCsvCell(toCellText(row[field]!))).join(',')),
    '',
  ].join('\r\n');

const toCellText = (value: EmailExportRow[string]): string =>
  value === false ? '' : Array.isArray(value) ? value.join(' ') : value;
