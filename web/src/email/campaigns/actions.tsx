import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { ActionButton, ConfirmButton, DialogOpener } from '../../shell/action-buttons.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { showToast } from '../../ui/toasts.tsx';
import { isEditable } from './draft.ts';
import {
  CampaignDeleteDocument,
  CampaignDuplicateDocument,
  type CampaignFactsFragment,
  CampaignPauseDocument,
  CampaignResumeDocument,
  CampaignUnscheduleDocument,
} from './generated.ts';
import { SendCampaignDialog } from './send.tsx';
import { campaignStrings } from './strings.ts';
import { TestSendDialog } from './test-send.tsx';

interface CampaignActionsProps {
  campaign: CampaignFactsFragment;
  isDirty: boolean;
  onChanged(campaign: CampaignFactsFragment): void;
}

export function CampaignActions({ campaign, isDirty, onChanged }: CampaignActionsProps) {
  const { status } = campaign;
  const { pause, resume, unschedule, duplicate, remove } = useCampaignMutations(
    campaign,
    (next) => !isDirty && onChanged(next),
  );
  const isPaused = status === 'PAUSED';
  return (
    <div className="buttons">
      {isEditable(campaign) && !isPaused && (
        <DialogOpener
          needs="campaignSchedule"
          look="primary"
          icon="send"
          label={status === 'DRAFT' ? campaignStrings.send : campaignStrings.reschedule}
        >
          {(onClose) => (
            <SendCampaignDialog campaign={campaign} isDirty={isDirty} onSent={onChanged} onClose={onClose} />
          )}
        </DialogOpener>
      )}
      {(status === 'SCHEDULED' || status === 'RUNNING') && (
        <ActionButton needs="campaignPause" onAct={pause}>
          {campaignStrings.pause}
        </ActionButton>
      )}
      {isPaused && (
        <ActionButton needs="campaignResume" look="primary" onAct={resume}>
          {campaignStrings.resume}
        </ActionButton>
      )}
      {isEditable(campaign) && status !== 'DRAFT' && (
        <ActionButton needs="campaignUnschedule" onAct={unschedule}>
          {campaignStrings.unschedule}
        </ActionButton>
      )}
      <DialogOpener needs="campaignTestSend" icon="mail" label={campaignStrings.test}>
        {(onClose) => <TestSendDialog id={campaign.id} isDirty={isDirty} onClose={onClose} />}
      </DialogOpener>
      <ActionButton needs="campaignDuplicate" icon="copy" onAct={duplicate}>
        {campaignStrings.duplicate}
      </ActionButton>
      <ConfirmButton
        needs="campaignDelete"
        icon="trash"
        label={campaignStrings.delete}
        title={campaignStrings.deleteTitle(campaign.name)}
        text={campaignStrings.deleteText}
        onYes={remove}
      />
    </div>
  );
}

function useCampaignMutations(
  { id, name }: CampaignFactsFragment,
  onChanged: (campaign: CampaignFactsFragment) => void,
) {
  const navigate = useNavigate();
  const report = (changed: CampaignFactsFragment, message: string) => {
    showToast(message);
    onChanged(changed);
  };
  return {
    pause: async () =>
      report((await runMutation(CampaignPauseDocument, { id })).campaignPause, campaignStrings.paused),
    resume: async () =>
      report((await runMutation(CampaignResumeDocument, { id })).campaignResume, campaignStrings.resumed),
    unschedule: async () => {
      const { campaignUnschedule } = await runMutation(CampaignUnscheduleDocument, { id });
      report(campaignUnschedule, campaignStrings.unscheduled);
    },
    duplicate: async () => {
      const { campaignDuplicate } = await runMutation(CampaignDuplicateDocument, { id });
      showToast(campaignStrings.duplicated(campaignDuplicate.name));
      await navigate({ to: '/email/campaigns/$id', params: { id: campaignDuplicate.id } });
    },
    remove: async () => {
      await runWithToast(CampaignDeleteDocument, { id }, campaignStrings.deleted(name));
      await navigate({ to: '/email/campaigns', ignoreBlocker: true });
    },
  };
}
