/** Event types of webhooks. */
export const WEBHOOK_EVENT_TYPES = [
  'agent.held',
  'agent.decided',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'domain.created',
  'domain.verified',
  'domain.updated',
  'domain.deleted',
  'email.queued',
  'email.sent',
  'email.delivery_delayed',
  'email.delivered',
  'email.bounced',
  'email.rejected',
  'email.rendering_failure',
  'email.complained',
  'email.failed',
  'email.cancelled',
  'email.suppressed',
  'email.opened',
  'email.clicked',
  'mail.received',
  'mail.sent',
  'mail.delivered',
  'mail.bounced',
] as const;

/** Sent to one webhook when its owner asks for it, whatever its filters. */
export const TEST_EVENT_TYPE = 'webhook.test';
