import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import { localTime } from './draft.ts';
import {
  type CampaignFactsFragment,
  CampaignRecipientsDocument,
  CampaignScheduleDocument,
} from './generated.ts';
import { Recipients } from './recipients.tsx';
import { campaignWords } from './words.ts';

interface SendProps {
  campaign: CampaignFactsFragment;
  isDirty: boolean;
  onSent(campaign: CampaignFactsFragment): void;
  onClose(): void;
}

/** Says how many get a campaign before it is sent, now or at a time. */
export function Send({ campaign: { id, name, scheduledAt }, isDirty, onSent, onClose }: SendProps) {
  const { data, refusal: failed, reload } = useAnswer(CampaignRecipientsDocument, { id });
  const [isLater, setLater] = useState(scheduledAt !== null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const time = new FormData(event.currentTarget).get('time');
    const at = isLater ? new Date(String(time)).toISOString() : null;
    setBusy(true);
    try {
      const { campaignSchedule } = await change(CampaignScheduleDocument, { id, scheduledAt: at });
      say(at ? campaignWords.scheduled(formatInstant(at)) : campaignWords.sending);
      onSent(campaignSchedule);
      onClose();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefusal(error.refusal);
      setBusy(false);
    }
  };
  const isOfTime = refusal?.argument === 'scheduledAt';
  const preview = data?.campaignPreview;
  const canGo =
    preview && preview.recipients.subscribed > 0 && preview.unknownVariables.length === 0 && !isDirty;
  return (
    <Dialog title={campaignWords.sendTitle(name)} onClose={onClose}>
      {failed && <Failed refusal={failed} onAgain={reload} />}
      {!preview && !failed && <p role="status">{shellWords.loading}</p>}
      {preview && <Recipients unknownVariables={preview.unknownVariables} recipients={preview.recipients} />}
      {isDirty && <p>{campaignWords.saveFirst}</p>}
      {canGo && (
        <form className="campaign-form" onSubmit={send}>
          <Choice
            label={campaignWords.when}
            value={isLater ? 'later' : 'now'}
            options={[
              ['now', campaignWords.now],
              ['later', campaignWords.later],
            ]}
            onChange={({ target }) => setLater(target.value === 'later')}
          />
          {isLater && (
            <Field
              type="datetime-local"
              name="time"
              label={campaignWords.time}
              hint={campaignWords.timeHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
              required
              defaultValue={localTime(scheduledAt ?? new Date(Date.now() + HOUR).toISOString())}
              error={isOfTime ? refusal.message : null}
            />
          )}
          {refusal && !isOfTime && (
            <p role="alert" className="campaign-wrong">
              {refusal.message}
            </p>
          )}
          <div className="buttons">
            <Button type="submit" look="primary" icon="send" isBusy={isBusy}>
              {isLater ? campaignWords.schedule : campaignWords.sendNow}
            </Button>
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </form>
      )}
      {!canGo && (
        <div className="buttons">
          <Button onClick={onClose}>{shellWords.close}</Button>
        </div>
      )}
    </Dialog>
  );
}

const HOUR = 3_600_000;
