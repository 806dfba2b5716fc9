import type { ArchivePlan } from '../../../src/db/archive/plan.ts';

/** Tables are archived unless they are excluded here. */
export const ARCHIVE_PLAN: ArchivePlan = {
  // The installation's sign-in data and pending work, data that only its secret key can decrypt, and blob contents,
  // which the archive stores as files.
  leftOut: new Set([
    ...[
      'svc_session',
      'svc_session_use',
      'svc_sign_in_failure',
      'svc_oauth_payload',
      'svc_agent_spent',
      'svc_api_key_use',
    ],
    ...['res_users_apikeys_description', 'res_users_identitycheck'],
    ...[
      'svc_idempotency',
      'svc_soft_bounce',
      'svc_replay',
      'svc_change',
      'svc_live',
      'svc_due',
      'svc_event',
      'svc_provider_event',
    ],
    ...['svc_mail_undo', 'svc_mail_outgoing', 'svc_mail_intake', 'svc_mail_delivery', 'svc_outbox'],
    'svc_record_undo',
    ...['svc_blob', 'svc_blob_chunk', 'svc_blob_key', 'svc_audit_block', 'workspace_counter', 'domain_claim'],
    'svc_workspace_export',
  ]),
  // These tokens grant access without sign-in.
  empty: { ir_attachment: ['access_token'], svc_mcp_log: ['undo_token'] },
  secrets: {
    res_users: [{ column: 'password', storage: 'plain' }],
    svc_api_key: [{ column: 'hash', storage: 'plain' }],
    svc_domain: [
      { column: 'dkim_private', storage: 'sealed' },
      { column: 'dkim_next_private', storage: 'sealed' },
    ],
    svc_webhook: [
      { column: 'secret', storage: 'marked' },
      { column: 'old_secret', storage: 'marked' },
    ],
  },
  numbers: {
    models: 'select id, model as name from ir_model_stock',
    fields: `select id, model || '/' || name as name from ir_field_stock`,
  },
};
