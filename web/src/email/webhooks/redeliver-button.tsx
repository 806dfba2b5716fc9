import { ActionButton } from '../../shell/action-buttons.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { toEventName } from './event-types.ts';
import { type WebhookCallFactsFragment, WebhookRedeliverDocument } from './generated.ts';
import { webhookStrings } from './strings.ts';

export const isInProgress = ({ status }: WebhookCallFactsFragment): boolean =>
  status === 'PENDING' || status === 'IN_PROGRESS';

/** Repeats a webhook call that has ended. */
export function RedeliverButton({ call, reload }: { call: WebhookCallFactsFragment; reload(): void }) {
  if (isInProgress(call)) return null;
  const redeliver = () =>
    runWithToast(WebhookRedeliverDocument, { id: call.id }, webhookStrings.requeued).then(reload);
  return (
    <ActionButton
      needs="webhookRedeliver"
      icon="refresh"
      aria-label={`${webhookStrings.retry}: ${toEventName(call.type)}`}
      onAct={redeliver}
    >
      {webhookStrings.retry}
    </ActionButton>
  );
}
