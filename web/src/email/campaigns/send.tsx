import { useEffect, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { DialogForm } from '../../shell/dialogs/form-dialog.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field, Select } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { toLocalInput } from '../../ui/input/local-input.ts';
import { Facts } from '../../ui/layout/facts.tsx';
import { showToast } from '../../ui/toasts.tsx';
import {
  type CampaignFactsFragment,
  CampaignReviewDocument,
  type CampaignReviewQuery,
  CampaignScheduleDocument,
} from './generated.ts';
import { Recipients } from './recipients.tsx';
import { findSampleText, isBlocking, type ReviewProblem } from './review.ts';
import { campaignStrings, loadSampleTexts } from './strings.ts';

interface SendCampaignDialogProps {
  campaign: CampaignFactsFragment;
  isDirty: boolean;
  onSent(campaign: CampaignFactsFragment): void;
  onClose(): void;
}

/** Shows the sender, the subject, the number of recipients and problems, then sends or schedules the campaign. */
export function SendCampaignDialog({ campaign, isDirty, onSent, onClose }: SendCampaignDialogProps) {
  const { id, name, from } = campaign;
  const { data, refusal, reload } = useGraphqlQuery(CampaignReviewDocument, { id });
  const samples = useSampleTexts();
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
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!preview && !refusal && <Loading />}
      {preview && <Review from={from} preview={preview} problems={problems} />}
      {isDirty && <p>{campaignStrings.saveFirst}</p>}
      {canSend ? (
        <SendForm campaign={campaign} hasProblems={problems.length > 0} onSent={onSent} onClose={onClose} />
      ) : (
        <DialogButtons onClose={onClose} />
      )}
    </Dialog>
  );
}

type SendFormProps = Omit<SendCampaignDialogProps, 'isDirty'> & { hasProblems: boolean };

function SendForm({ campaign: { id, scheduledAt }, hasProblems, onSent, onClose }: SendFormProps) {
  const [isLater, setIsLater] = useState(scheduledAt !== null);
  const send = async (form: FormData) => {
    const at = isLater ? new Date(getText(form, 'scheduledAt')).toISOString() : null;
    const { campaignSchedule } = await runMutation(CampaignScheduleDocument, { id, scheduledAt: at });
    showToast(at ? campaignStrings.scheduledFor(formatInstant(at)) : campaignStrings.sendingStarted);
    onSent(campaignSchedule);
  };
  return (
    <DialogForm
      submit={isLater ? campaignStrings.schedule : campaignStrings.sendNow}
      icon="send"
      onSubmit={send}
      onClose={onClose}
    >
      <Select
        label={campaignStrings.sendTime}
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
          name="scheduledAt"
          label={campaignStrings.time}
          hint={campaignStrings.timeHint(Intl.DateTimeFormat().resolvedOptions().timeZone)}
          required
          defaultValue={toLocalInput(scheduledAt ?? new Date(Date.now() + HOUR_MS).toISOString())}
        />
      )}
      {hasProblems && <Checkbox label={campaignStrings.ignoreProblems} required />}
    </DialogForm>
  );
}

const HOUR_MS = 3_600_000;

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
    <Facts
      facts={[
        [campaignStrings.from, from],
        [campaignStrings.subject, subject],
      ]}
    />
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
