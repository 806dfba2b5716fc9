import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatInstant, formatNumber } from '../i18n/format.ts';
import { ConfirmDialog } from '../shell/action-buttons.tsx';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { type EmailsView, toEmailsVariables } from './address.ts';
import { EmailsSendAgainDocument } from './generated.ts';
import { emailStrings } from './strings.ts';

const DEFAULT_DAYS = 30;

/** Requeues the failed emails in the listed period and domain. The default period is the last few days. */
export function ResendFailedButton({ view }: { view: EmailsView }) {
  const [range, setRange] = useState<{ startDate: string; endDate: string } | null>(null);
  const confirm = () => {
    const { from, until } = toEmailsVariables(view);
    const now = Date.now();
    setRange({
      startDate: from ?? new Date(now - DEFAULT_DAYS * 86_400_000).toISOString(),
      endDate: until ?? new Date(now).toISOString(),
    });
  };
  const send = async () => {
    const domains = view.domain === undefined ? null : [view.domain];
    const { emailsSendAgain } = await runMutation(EmailsSendAgainDocument, { ...range!, domains });
    showToast(emailStrings.queuedCount(formatNumber(emailsSendAgain.queued), emailsSendAgain.hasMore));
  };
  return (
    <>
      <Button onClick={confirm}>{emailStrings.resendFailed}</Button>
      {range && (
        <ConfirmDialog
          title={emailStrings.resendFailed}
          isDangerous={false}
          yes={emailStrings.resend}
          onYes={send}
          text={emailStrings.resendFailedText(formatInstant(range.startDate), formatInstant(range.endDate))}
          onClose={() => setRange(null)}
        />
      )}
    </>
  );
}
