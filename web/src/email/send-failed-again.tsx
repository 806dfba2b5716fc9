import { useState } from 'react';
import { change } from '../graphql/client.ts';
import { formatInstant, formatNumber } from '../i18n/format.ts';
import { useAct } from '../shell/act.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { say } from '../ui/toasts.tsx';
import { type EmailsView, emailsAsked } from './address.ts';
import { EmailsSendAgainDocument } from './generated.ts';
import { emailWords } from './words.ts';

const DAYS = 30;

/** Queues what has failed in the time that the list shows, of its domain; without one, in the last days. */
export function SendFailedAgain({ view }: { view: EmailsView }) {
  const [range, setRange] = useState<{ startDate: string; endDate: string } | null>(null);
  const { act } = useAct();
  const ask = () => {
    const { from, until } = emailsAsked(view);
    const now = Date.now();
    setRange({
      startDate: from ?? new Date(now - DAYS * 86_400_000).toISOString(),
      endDate: until ?? new Date(now).toISOString(),
    });
  };
  const send = () =>
    act(async () => {
      const domains = view.domain === undefined ? null : [view.domain];
      const { emailsSendAgain } = await change(EmailsSendAgainDocument, { ...range!, domains });
      say(emailWords.queuedCount(formatNumber(emailsSendAgain.queued), emailsSendAgain.hasMore));
    });
  return (
    <>
      <Button onClick={ask}>{emailWords.sendFailedAgain}</Button>
      {range && (
        <Confirm
          title={emailWords.sendFailedAgain}
          yes={emailWords.sendAgain}
          no={shellWords.close}
          onYes={send}
          onClose={() => setRange(null)}
        >
          <p>
            {emailWords.sendFailedAgainText(formatInstant(range.startDate), formatInstant(range.endDate))}
          </p>
        </Confirm>
      )}
    </>
  );
}
