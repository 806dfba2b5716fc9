import { builder } from '../../../src/engine/operation/builder.ts';
import { defineEnumShape } from '../../../src/engine/operation/shape.ts';
import { getSettingsLoader } from '../../settings/read-resource.ts';
import { buildAuthorshipFields } from '../../settings/record-relation.ts';
import { addResourceRoots, buildRelatedList } from '../../settings/resource.ts';
import { createResource } from '../../settings/resources.ts';
import { domainResource, SendingDomain } from '../domains/domain-shape.ts';
import { ADMIN_READ_POLICY } from '../kit/policies.ts';
import { buildGraphFields } from '../kit/shape.ts';
import type { TEST_EVENT_TYPE, WEBHOOK_EVENT_TYPES } from './event-types.ts';

const EVENT_DESCRIPTIONS: Record<(typeof WEBHOOK_EVENT_TYPES)[number] | typeof TEST_EVENT_TYPE, string> = {
  'agent.held': 'An action of an agent is waiting for approval.',
  'agent.decided': 'A held action was approved and succeeded or failed, or it was rejected.',
  'contact.created': 'A contact was added to a book.',
  'contact.updated': 'A contact was changed.',
  'contact.deleted': 'A contact was deleted.',
  'domain.created': 'A sending domain was added.',
  'domain.verified': 'A sending domain was verified.',
  'domain.updated': 'A sending domain or its status was changed.',
  'domain.deleted': 'A sending domain was deleted.',
  'email.queued': 'An email was accepted for sending.',
  'email.sent': 'The provider accepted an email.',
  'email.delivery_delayed': "The recipient's mail server could not accept an email yet.",
  'email.delivered': "The recipient's mail server accepted an email.",
  'email.bounced': "The recipient's mail server rejected an email permanently.",
  'email.rejected': 'The provider rejected an email.',
  'email.rendering_failure': 'The provider could not render an email.',
  'email.complained': 'A recipient reported an email as spam.',
  'email.failed': 'An email could not be sent.',
  'email.cancelled': 'An email was canceled before it was sent.',
  'email.suppressed': 'An email was not sent, because its recipients are on the suppression list.',
  'email.opened': 'An email was opened. Requires open tracking.',
  'email.clicked': 'A link in an email was clicked. Requires click tracking.',
  'mail.received': 'A message arrived in a mailbox that shares its messages with webhooks.',
  'mail.sent': 'The provider accepted a message from a mailbox that shares its messages with webhooks.',
  'mail.delivered':
    "The recipient's mail server accepted a message from a mailbox that shares its messages with webhooks.",
  'mail.bounced': 'A message from a mailbox that shares its messages with webhooks bounced.',
  'webhook.test': 'A test event, sent by `webhookTest`.',
};

export const EventTypes = defineEnumShape('WebhookEventType', 'Type of a webhook event.', EVENT_DESCRIPTIONS);

const WebhookStatus = defineEnumShape(
  'WebhookStatus',
  'Status of a webhook.',
  {
    ACTIVE: 'Calls are made.',
    PAUSED: 'Pending calls are held, and new events are ignored.',
    AUTO_DISABLED: 'Disabled because its calls kept failing.',
  },
  { field: 'svc.webhook.status' },
);

const CallStatus = defineEnumShape(
  'WebhookCallStatus',
  'Delivery status of a webhook call.',
  {
    PENDING: 'Waiting for its first or next attempt.',
    IN_PROGRESS: 'An attempt is in progress.',
    DELIVERED: 'The endpoint accepted the call.',
    FAILED: 'Given up after the last attempt.',
    DISCARDED: 'Not sent, because it waited too long or the webhook was disabled.',
  },
  { field: 'svc.webhook.call.status' },
);

export const Webhook = builder.prismaObject('SvcWebhook', {
  name: 'Webhook',
  description: 'A URL that receives events. To read its signing secret, use `webhookSecret`.',
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: { type: 'ID', description: 'Unique identifier of the webhook.' },
      url: { type: 'String', description: 'URL that is called.' },
      description: { type: 'String', nullable: true, description: 'Note shown in the list of webhooks.' },
      eventTypes: {
        type: [EventTypes],
        description: 'Event types to send. Empty for all types except mailbox events, which must be listed.',
      },
      status: { type: WebhookStatus, description: 'Status of the webhook.' },
      failures: {
        type: 'Int',
        description: 'Number of consecutive failed calls. After too many, the webhook is disabled.',
      },
      lastSuccessAt: { type: 'DateTime', nullable: true, description: 'When a call last succeeded.' },
      lastFailureAt: { type: 'DateTime', nullable: true, description: 'When a call last failed.' },
      createdAt: { type: 'DateTime', column: 'create_date', description: 'When the webhook was created.' },
      updatedAt: {
        type: 'DateTime',
        column: 'write_date',
        description: 'When the webhook was last changed.',
      },
      version: {
        type: 'Int',
        column: 'row_version',
        description: 'Increases with each update. Pass it as `expectedVersion`.',
      },
    }),
    ...buildAuthorshipFields(t, 'svc.webhook'),
    domains: t.field({
      type: [SendingDomain],
      description:
        'Sending domains whose events are sent. Empty for all domains. Events without a domain are ' +
        'always sent.',
      select: { domain_ids: true },
      resolve: async ({ domain_ids: ids }, _args, ctx, info) => {
        const domains = await getSettingsLoader(ctx, domainResource, info).loadMany(ids);
        return domains.filter((row) => row !== null) as never;
      },
    }),
  }),
});

export const WebhookCall = builder.prismaObject('SvcWebhookCall', {
  name: 'WebhookCall',
  description: 'Delivery of one event to one webhook.',
  select: { workspace_id: true, id: true },
  fields: (t) => ({
    ...buildGraphFields(t, {
      id: { type: 'ID', description: 'Unique identifier of the call.' },
      callId: {
        type: 'String',
        column: 'public_id',
        description: 'Identifier sent to the receiver with every attempt.',
      },
      type: { type: EventTypes, description: 'Type of the event.' },
      status: { type: CallStatus, description: 'Delivery status of the call.' },
      attempt: { type: 'Int', description: 'Number of attempts so far.' },
      payload: {
        type: 'JSON',
        nullable: true,
        description: 'Body that was sent; null before the first attempt.',
      },
      responseStatus: { type: 'Int', nullable: true, description: 'HTTP status of the last response.' },
      responseText: { type: 'String', nullable: true, description: 'Beginning of the last response.' },
      responseMs: {
        type: 'Int',
        nullable: true,
        description: 'Response time of the last attempt in milliseconds.',
      },
      lastError: { type: 'String', nullable: true, description: 'Reason why the last attempt failed.' },
      nextAttemptAt: {
        type: 'DateTime',
        column: 'run_at',
        description: 'When the next attempt of a pending call is made.',
      },
      createdAt: { type: 'DateTime', column: 'create_date', description: 'When the event happened.' },
      updatedAt: { type: 'DateTime', column: 'write_date', description: 'When the call was last changed.' },
    }),
    webhook: t.field({
      type: Webhook,
      nullable: true,
      description: 'Webhook that is called; null if you cannot read it.',
      select: { webhook_id: true },
      resolve: ({ webhook_id }, _args, ctx, info) =>
        getSettingsLoader(ctx, webhookResource, info).load(Number(webhook_id)) as never,
    }),
  }),
});

export const webhookResource = createResource('svc.webhook', { type: 'Webhook', policy: ADMIN_READ_POLICY });

export const webhookCallResource = createResource('svc.webhook.call', {
  type: 'WebhookCall',
  policy: ADMIN_READ_POLICY,
});

builder.prismaObjectField(Webhook, 'calls', (t) =>
  buildRelatedList(
    t,
    { owner: webhookResource, relation: 'call_ids' },
    webhookCallResource,
    WebhookCall,
    'Its calls, newest first.',
  ),
);

addResourceRoots(webhookResource, Webhook, { many: 'webhooks', one: 'webhook' });
addResourceRoots(webhookCallResource, WebhookCall, { many: 'webhookCalls', one: 'webhookCall' });
