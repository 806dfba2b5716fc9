import type { WebhookEventType } from './generated.ts';

/** In the order that the events occur. */
export const EVENT_GROUPS = {
  email: [
    'EMAIL_QUEUED',
    'EMAIL_SENT',
    'EMAIL_DELIVERY_DELAYED',
    'EMAIL_DELIVERED',
    'EMAIL_OPENED',
    'EMAIL_CLICKED',
    'EMAIL_BOUNCED',
    'EMAIL_COMPLAINED',
    'EMAIL_SUPPRESSED',
    'EMAIL_REJECTED',
    'EMAIL_RENDERING_FAILURE',
    'EMAIL_FAILED',
    'EMAIL_CANCELLED',
  ],
  contact: ['CONTACT_CREATED', 'CONTACT_UPDATED', 'CONTACT_DELETED'],
  domain: ['DOMAIN_CREATED', 'DOMAIN_VERIFIED', 'DOMAIN_UPDATED', 'DOMAIN_DELETED'],
  mail: ['MAIL_RECEIVED', 'MAIL_SENT', 'MAIL_DELIVERED', 'MAIL_BOUNCED'],
  agent: ['AGENT_HELD', 'AGENT_DECIDED'],
} satisfies Record<string, WebhookEventType[]>;

/** The event's name in payloads, such as `email.delivery_delayed`. */
export const toEventName = (type: WebhookEventType): string => type.toLowerCase().replace('_', '.');
