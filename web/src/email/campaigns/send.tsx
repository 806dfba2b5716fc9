import { type FormEvent, useEffect, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { formatInstant } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { toLocalInput } from './draft.ts';
import {
  type CampaignFactsFragment,
  CampaignReviewDocument,
  type CampaignReviewQuery,
  CampaignScheduleDocument,
} from './generated.ts';
import { Recipients } from './recipients.tsx';
import { findSampleText, isBlocking, type ReviewProblem } from './review.ts';
import { campaignStrings, loadSampleTexts } from './strings.ts';

interface SendCampaignProps {
  campaign: CampaignFactsFragment;
  isDirty: boolean;
  onSent(campaign: CampaignFactsFragment): void;
  onClose(): void;
}

/** Shows the sender, the subject, the number of recipients and problems, then sends or schedules the campaign. */
export function SendCampaign({ campaign, isDirty, onSent, onClose }: SendCampaignProps) {
  const { id, name, scheduledAt } = campaign;
  const { data, refusal: loadFailure, reload } = useGraphqlQuery(CampaignReviewDocument, { id });
  const samples = useSampleTexts();
  const [isLater, setIsLater] = useState(scheduledAt !== null);
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const time = new FormData(event.currentTarget).get('time');
    const at = isLater ? new Date(String(time)).toISOString() : null;
    setIsBusy(true);
    try {
      const { campaignSchedule } = await runMutation(CampaignScheduleDocument, { id, scheduledAt: at });
      showToast(at ? campaignStrings.scheduled(formatInstant(at)) : campaignStrings.sendingStarted);
      onSent(campaignSchedule);
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
      setIsBusy(false);
    }
  };
  const isTimeError = rejection?.argument === 'scheduledAt';
  const preview = samples && data?.campaignPreview;
  const problems = preview ? [...preview.problems, ...findSampleText(campaign, samples)] : [];
  const canSend =
    preview &&
    preview.recipients.subscribed > 0 &&
    preview.unknownVariables.length === 0 &&
    !problems.some(isBlocking) &&
    !isDirty;
  return (
    <Dialog title={campaignStrings.sendTitle(name)} onClose={onClose}>
      {loadFailure && <LoadError refusal={loadFailure} onAgain={reload} />}
      {!preview && !loadFailure && <Loading />}
      {preview && <Review from={campaign.from} preview={preview} problems={problems} />}
      {isDirty && <p>{campaignStrings.saveFirst}</p>}
      {canSend && (
        <form className="campaign-form" onSubmit={send}>
          <Select
            label={campaignStrings.when}
            value={isLater ? 'later' : 'now'}
            options={[
              ['now', campaignStrings.now],
              ['later', campaignStrings.later],
            ]}
            onChange={({ target }) => setIsLater(target.value === 'later')}
          />
          {isLater && (
            <Field
              type="datetime-local"
              name="time"
              label={campaignStrings.time}
              hint={campaignStrings.timeHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
              required
              defaultValue={toLocalInput(scheduledAt ?? new Date(Date.now() + HOUR_MS).toISOString())}
              error={isTimeError ? rejection.message : null}
            />
          )}
          {problems.length > 0 && <Checkbox label={campaignStrings.ignoreProblems} required />}
          {rejection && !isTimeError && (
            <p role="alert" className="campaign-wrong">
              {rejection.message}
            </p>
          )}
          <DialogButtons onClose={onClose}>
            <Button type="submit" look="primary" icon="send" isBusy={isBusy}>
              {isLater ? campaignStrings.schedule : campaignStrings.sendNow}
            </Button>
          </DialogButtons>
        </form>
      )}
      {!canSend && <DialogButtons onClose={onClose} />}
    </Dialog>
  );
}

const HOUR_MS = 3_600_000;

/** Undefined until the texts are loaded. */
function useSampleTexts() {
  const [samples, setSamples] = useState<Awaited<ReturnType<typeof loadSampleTexts>>>();
  useEffect(() => void loadSampleTexts().then(setSamples), []);
  return samples;
}

interface ReviewProps {
  from: string;
  preview: CampaignReviewQuery['campaignPreview'];
  problems: ReviewProblem[];
}

const Review = ({ from, preview: { subject, unknownVariables, recipients }, problems }: ReviewProps) => (
  <>
    <dl className="campaign-review">
      <dt>{campaignStrings.from}</dt>
      <dd>{from}</dd>
      <dt>{campaignStrings.subject}</dt>
      <dd>{subject}</dd>
    </dl>
    <Recipients unknownVariables={unknownVariables} recipients={recipients} />
    {problems.length > 0 && (
      <ul className="campaign-problems">
        {problems.map((problem) => (
          <li key={problem}>{campaignStrings.problems[problem]}</li>
        ))}
      </ul>
    )}
  </>
);
