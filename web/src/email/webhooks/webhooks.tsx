import './webhooks.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { WebhooksDocument, type WebhooksQuery } from './generated.ts';
import { WEBHOOK_TONES } from './status.ts';
import { webhookStrings } from './strings.ts';
import { WebhookForm } from './webhook-form.tsx';

export function Webhooks() {
  const { can } = useViewer();
  const [isAdding, setIsAdding] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(WebhooksDocument, { first: MAX_WEBHOOKS });
  const webhooks = data?.webhooks.nodes;
  const createButton = can.has('webhookCreate') && (
    <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {webhookStrings.create}
    </Button>
  );
  return (
    <Screen title={webhookStrings.title} actions={createButton}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {webhooks?.length === 0 && (
        <EmptyState title={webhookStrings.none} text={webhookStrings.noneText}>
          {createButton}
        </EmptyState>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="card-list">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      {isAdding && <WebhookForm onClose={() => setIsAdding(false)} onSaved={reload} />}
    </Screen>
  );
}

/** Exceeds the number of webhooks that a workspace can have. */
const MAX_WEBHOOKS = 500;

type WebhookListItem = WebhooksQuery['webhooks']['nodes'][number];

const WebhookRow = ({ webhook }: { webhook: WebhookListItem }) => {
  const { id, url, description, status, eventTypes, domains, lastSuccessAt, lastFailureAt } = webhook;
  return (
    <li className="card">
      <div>
        <Link to="/email/webhooks/$id" params={{ id }}>
          {url}
        </Link>
        <p className="quiet small">
          {[
            description,
            webhookStrings.listensTo(eventTypes.length),
            domains.map(({ name }) => name).join(', '),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <StatusBadge tone={WEBHOOK_TONES[status]}>{webhookStrings.statuses[status]}</StatusBadge>
      <LastCall success={lastSuccessAt} failure={lastFailureAt} />
    </li>
  );
};

function LastCall({ success, failure }: { success: string | null; failure: string | null }) {
  const last = [success ?? '', failure ?? ''].sort().at(-1);
  if (!last) return <span className="quiet small">{webhookStrings.neverCalled}</span>;
  return (
    <Timestamp at={last} format={last === success ? webhookStrings.succeededAt : webhookStrings.failedAt} />
  );
}
