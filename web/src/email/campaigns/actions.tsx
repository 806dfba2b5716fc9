import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { ConfirmButton } from '../../shell/dialogs/confirm.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
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
  const { can } = useViewer();
  const [openDialog, setOpenDialog] = useState<'send' | 'test'>();
  const { isBusy, pause, resume, unschedule, duplicate, remove } = useCampaignMutations(
    campaign,
    (next) => !isDirty && onChanged(next),
  );
  const isPaused = status === 'PAUSED';
  const close = () => setOpenDialog(undefined);
  return (
    <div className="buttons">
      {can.has('campaignSchedule') && isEditable(campaign) && !isPaused && (
        <Button look="primary" icon="send" onClick={() => setOpenDialog('send')}>
          {status === 'DRAFT' ? campaignStrings.send : campaignStrings.reschedule}
        </Button>
      )}
      {can.has('campaignPause') && (status === 'SCHEDULED' || status === 'RUNNING') && (
        <Button isBusy={isBusy} onClick={pause}>
          {campaignStrings.pause}
        </Button>
      )}
      {can.has('campaignResume') && isPaused && (
        <Button look="primary" isBusy={isBusy} onClick={resume}>
          {campaignStrings.resume}
        </Button>
      )}
      {can.has('campaignUnschedule') && isEditable(campaign) && status !== 'DRAFT' && (
        <Button isBusy={isBusy} onClick={unschedule}>
          {campaignStrings.unschedule}
        </Button>
      )}
      {can.has('campaignTestSend') && (
        <Button icon="mail" onClick={() => setOpenDialog('test')}>
          {campaignStrings.test}
        </Button>
      )}
      {can.has('campaignDuplicate') && (
        <Button icon="copy" isBusy={isBusy} onClick={duplicate}>
          {campaignStrings.duplicate}
        </Button>
      )}
      {can.has('campaignDelete') && (
        <ConfirmButton
          icon="trash"
          label={campaignStrings.delete}
          title={campaignStrings.deleteTitle(campaign.name)}
          text={campaignStrings.deleteText}
          onYes={remove}
        />
      )}
      {openDialog === 'send' && (
        <SendCampaignDialog campaign={campaign} isDirty={isDirty} onSent={onChanged} onClose={close} />
      )}
      {openDialog === 'test' && <TestSendDialog id={campaign.id} isDirty={isDirty} onClose={close} />}
    </div>
  );
}

function useCampaignMutations(
  { id, name }: CampaignFactsFragment,
  onChanged: (campaign: CampaignFactsFragment) => void,
) {
  const navigate = useNavigate();
  const { isBusy, act } = useAction();
  const change = (run: () => Promise<CampaignFactsFragment>, message: string) => () =>
    act(async () => {
      const changed = await run();
      showToast(message);
      onChanged(changed);
    });
  return {
    isBusy,
    pause: change(
      async () => (await runMutation(CampaignPauseDocument, { id })).campaignPause,
      campaignStrings.paused,
    ),
    resume: change(
      async () => (await runMutation(CampaignResumeDocument, { id })).campaignResume,
      campaignStrings.resumed,
    ),
    unschedule: change(
      async () => (await runMutation(CampaignUnscheduleDocument, { id })).campaignUnschedule,
      campaignStrings.unscheduled,
    ),
    duplicate: () =>
      act(async () => {
        const { campaignDuplicate } = await runMutation(CampaignDuplicateDocument, { id });
        showToast(campaignStrings.duplicated(campaignDuplicate.name));
        await navigate({ to: '/email/campaigns/$id', params: { id: campaignDuplicate.id } });
      }),
    remove: async () => {
      await runMutation(CampaignDeleteDocument, { id });
      showToast(campaignStrings.deleted(name));
      await navigate({ to: '/email/campaigns', ignoreBlocker: true });
    },
  };
}
