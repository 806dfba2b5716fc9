import type { ArchiveImport } from '../../../src/db/archive/import.ts';
import type { NumberedColumn } from '../../../src/db/archive/manifest.ts';
import type { ArchivedRow } from '../../../src/db/archive/secrets.ts';
import { encryptWithPrefix } from '../../../src/encryption.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { isStored } from '../../../src/engine/model/field.ts';
import { createWebhookSecret } from '../../email/webhooks/sign.ts';

// Changes made to a workspace's data on import into another installation.

const NUMBERED_MODELS = { 'ir.model': 'models', 'ir.model.fields': 'fields' } as const;

/** Returns the columns that refer to built-in models and fields, whose ids differ between installations. */
export const getNumberedColumns = ({ registry }: Runtime): NumberedColumn[] =>
  [...registry.values()].flatMap((model) =>
    [...model.fields.values()].flatMap((field) => {
      const to = NUMBERED_MODELS[field.relation as keyof typeof NUMBERED_MODELS];
      return to && field.type === 'many2one' && isStored(field)
        ? [{ table: model.table, column: field.name, to }]
        : [];
    }),
  );

/** Prefix of imported request ids. Request ids of this installation never contain a space. */
const IMPORTED_PREFIX = 'imported ';

/**
 * Marks log entries from another installation, because this installation cannot verify them, and moves future dates to
 * the present.
 */
const LOG_COLUMNS_BY_TABLE = {
  request_id: `case when r.request_id like '${IMPORTED_PREFIX}%' then r.request_id
    else '${IMPORTED_PREFIX}' || coalesce(r.request_id, '') end`,
  create_date: `least(r.create_date, current_timestamp at time zone 'UTC')`,
};

const IS_PENDING = `r.state in ('queued', 'sending', 'unknown')`;

/**
 * Pending work stays with the original installation, so that nothing is sent twice. Domains are verified again, because
 * DNS may still point there. Agents must ask for consent again. Log entries are marked as imported.
 */
export const IMPORT_CHANGES: ArchiveImport['changed'] = {
  svc_email: {
    state: `case when ${IS_PENDING} then 'cancelled' else r.state end`,
    latest_status: `case when ${IS_PENDING} then 'CANCELLED' else r.latest_status end`,
  },
  svc_campaign: { status: `case when r.status in ('SCHEDULED', 'RUNNING') then 'PAUSED' else r.status end` },
  svc_webhook_call: {
    status: `case when r.status in ('PENDING', 'IN_PROGRESS') then 'DISCARDED' else r.status end`,
  },
  svc_domain: { status: `'NOT_STARTED'`, checked_at: 'null::timestamp', dns_seen: 'null::jsonb' },
  svc_audit_event: LOG_COLUMNS_BY_TABLE,
  svc_mcp_log: LOG_COLUMNS_BY_TABLE,
  svc_connected_agent: { revoked_at: `coalesce(r.revoked_at, current_timestamp at time zone 'UTC')` },
};

/**
 * Creates a secret for a webhook if the archive contains none. Revokes API keys unless they are kept, which requires
 * the same secret key.
 */
export const completeRow =
  (secretKey: string, keepKeys: boolean, now: string) =>
  (table: string, row: ArchivedRow): ArchivedRow => {
    if (table === 'svc_webhook')
      return { ...row, secret: row.secret ?? encryptWithPrefix(secretKey, createWebhookSecret()) };
    if (table !== 'svc_api_key' || (keepKeys && row.hash)) return row;
    return { ...row, hash: '', revoked_at: row.revoked_at ?? now };
  };
