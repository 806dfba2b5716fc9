import { BackLink } from '../../shell/back-link.tsx';
import './webhooks.css';
import { useParams } from '@tanstack/react-router';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/layout/facts.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { emailStrings } from '../strings.ts';
import { toEventName } from './event-types.ts';
import { WebhookDocument, type WebhookFactsFragment } from './generated.ts';
import { WEBHOOK_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookCalls } from './webhook-calls.tsx';

export function WebhookPage() {
  const { id } = useParams({ from: '/email/webhooks/$id' });
  const { data, refusal, reload } = useGraphqlQuery(WebhookDocument, { id });
  const webhook = data?.webhook;
  return (
    <Screen
      title={webhook ? new URL(webhook.url).host : webhookStrings.webhook}
      actions={webhook && <WebhookActions webhook={webhook} reload={reload} />}
    >
      <BackLink to="/email/webhooks">{webhookStrings.title}</BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !webhook && <EmptyState title={webhookStrings.webhookNotFound} />}
      {webhook && (
        <>
          <WebhookDetails webhook={webhook} />
          <WebhookCalls webhook={id} onEnded={reload} />
        </>
      )}
    </Screen>
  );
}

const WebhookDetails = ({ webhook }: { webhook: WebhookFactsFragment }) => (
  <div className="stack">
    <p>
      <StatusBadge tone={WEBHOOK_TONES[webhook.status]}>
        {webhookStrings.statuses[webhook.status]}
      </StatusBadge>{' '}
      {webhookStrings.meanings[webhook.status]}
    </p>
    <Facts
      facts={[
        [webhookStrings.url, <code key="url">{webhook.url}</code>],
        [webhookStrings.description, webhook.description],
        [webhookStrings.events, webhook.eventTypes.map(toEventName).join(', ') || webhookStrings.allEvents],
        [
          webhookStrings.domains,
          webhook.domains.map(({ name }) => name).join(', ') || emailStrings.allDomains,
        ],
        [webhookStrings.failures, webhook.failures > 0 && formatNumber(webhook.failures)],
        [webhookStrings.createdAt, formatInstant(webhook.createdAt)],
      ]}
    />
  </div>
);
