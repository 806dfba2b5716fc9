import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { say, sayWrong } from '../../ui/toasts.tsx';
import { isOpen } from './draft.ts';
import {
  CampaignDeleteDocument,
  type CampaignFactsFragment,
  CampaignPauseDocument,
  CampaignResumeDocument,
  CampaignUnscheduleDocument,
} from './generated.ts';
import { Send } from './send.tsx';
import { campaignWords } from './words.ts';

interface ActionsProps {
  campaign: CampaignFactsFragment;
  isDirty: boolean;
  onChanged(campaign: CampaignFactsFragment): void;
}

/** What can be done with a campaign, by how far it is. */
export function Actions({ campaign, isDirty, onChanged }: ActionsProps) {
  const { id, name, status } = campaign;
  const { can } = useViewer();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'send' | 'delete'>();
  const [isBusy, setBusy] = useState(false);
  const close = () => setAsked(undefined);
  const act = async (what: () => Promise<void>) => {
    setBusy(true);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    } finally {
      setBusy(false);
    }
  };
  const done = (next: CampaignFactsFragment, what: string) => {
    say(what);
    if (!isDirty) onChanged(next);
  };
  const pause = () =>
    act(async () => done((await change(CampaignPauseDocument, { id })).campaignPause, campaignWords.paused));
  const resume = () =>
    act(async () =>
      done((await change(CampaignResumeDocument, { id })).campaignResume, campaignWords.resumed),
    );
  const unschedule = () =>
    act(async () =>
      done((await change(CampaignUnscheduleDocument, { id })).campaignUnschedule, campaignWords.unscheduled),
    );
  const remove = () =>
    act(async () => {
      await change(CampaignDeleteDocument, { id });
      say(campaignWords.deleted(name));
      await navigate({ to: '/email/campaigns', ignoreBlocker: true });
    });
  const isPaused = status === 'PAUSED';
  return (
    <div className="buttons">
      {can.has('campaignSchedule') && isOpen(campaign) && !isPaused && (
        <Button look="primary" icon="send" onClick={() => setAsked('send')}>
          {status === 'DRAFT' ? campaignWords.send : campaignWords.reschedule}
        </Button>
      )}
      {can.has('campaignPause') && (status === 'SCHEDULED' || status === 'RUNNING') && (
        <Button isBusy={isBusy} onClick={pause}>
          {campaignWords.pause}
        </Button>
      )}
      {can.has('campaignResume') && isPaused && (
        <Button look="primary" isBusy={isBusy} onClick={resume}>
          {campaignWords.resume}
        </Button>
      )}
      {can.has('campaignUnschedule') && isOpen(campaign) && status !== 'DRAFT' && (
        <Button isBusy={isBusy} onClick={unschedule}>
          {campaignWords.unschedule}
        </Button>
      )}
      {can.has('campaignDelete') && (
        <Button icon="trash" onClick={() => setAsked('delete')}>
          {campaignWords.delete}
        </Button>
      )}
      {asked === 'send' && <Send campaign={campaign} isDirty={isDirty} onSent={onChanged} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={campaignWords.deleteOf(name)}
          yes={campaignWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={close}
        >
          <p>{campaignWords.deleteText}</p>
        </Confirm>
      )}
    </div>
  );
}
