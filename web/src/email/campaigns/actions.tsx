import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { RequestError } from '../../graphql/request-error.ts';
import { Confirm } from '../../shell/dialogs/confirm.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { isEditable } from './draft.ts';
import {
  CampaignDeleteDocument,
  CampaignDuplicateDocument,
  type CampaignFactsFragment,
  CampaignPauseDocument,
  CampaignResumeDocument,
  CampaignUnscheduleDocument,
} from './generated.ts';
import { SendCampaign } from './send.tsx';
import { campaignStrings } from './strings.ts';
import { TestSend } from './test-send.tsx';

interface CampaignActionsProps {
  campaign: CampaignFactsFragment;
  isDirty: boolean;
  onChanged(campaign: CampaignFactsFragment): void;
}

export function CampaignActions({ campaign, isDirty, onChanged }: CampaignActionsProps) {
  const { id, name, status } = campaign;
  const { can } = useViewer();
  const navigate = useNavigate();
  const [openDialog, setOpenDialog] = useState<'send' | 'test' | 'delete'>();
  const [isBusy, setIsBusy] = useState(false);
  const close = () => setOpenDialog(undefined);
  const act = async (action: () => Promise<void>) => {
    setIsBusy(true);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      showErrorToast(error.failure.message);
    } finally {
      setIsBusy(false);
    }
  };
  const done = (next: CampaignFactsFragment, message: string) => {
    showToast(message);
    if (!isDirty) onChanged(next);
  };
  const pause = () =>
    act(async () =>
      done((await runMutation(CampaignPauseDocument, { id })).campaignPause, campaignStrings.paused),
    );
  const resume = () =>
    act(async () =>
      done((await runMutation(CampaignResumeDocument, { id })).campaignResume, campaignStrings.resumed),
    );
  const unschedule = () =>
    act(async () =>
      done(
        (await runMutation(CampaignUnscheduleDocument, { id })).campaignUnschedule,
        campaignStrings.unscheduled,
      ),
    );
  const duplicate = () =>
    act(async () => {
      const { campaignDuplicate } = await runMutation(CampaignDuplicateDocument, { id });
      showToast(campaignStrings.duplicated(campaignDuplicate.name));
      await navigate({ to: '/email/campaigns/$id', params: { id: campaignDuplicate.id } });
    });
  const remove = () =>
    act(async () => {
      await runMutation(CampaignDeleteDocument, { id });
      showToast(campaignStrings.deleted(name));
      await navigate({ to: '/email/campaigns', ignoreBlocker: true });
    });
  const isPaused = status === 'PAUSED';
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
        <Button icon="trash" onClick={() => setOpenDialog('delete')}>
          {campaignStrings.delete}
        </Button>
      )}
      {openDialog === 'send' && (
        <SendCampaign campaign={campaign} isDirty={isDirty} onSent={onChanged} onClose={close} />
      )}
      {openDialog === 'test' && <TestSend id={id} isDirty={isDirty} onClose={close} />}
      {openDialog === 'delete' && (
        <Confirm
          title={campaignStrings.deleteTitle(name)}
          yes={campaignStrings.delete}
          onYes={remove}
          onClose={close}
        >
          <p>{campaignStrings.deleteText}</p>
        </Confirm>
      )}
    </div>
  );
}
