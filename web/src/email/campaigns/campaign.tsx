import './campaign.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useLive } from '../../graphql/live.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { Unsaved } from '../../shell/unsaved.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { say } from '../../ui/toasts.tsx';
import { Actions } from './actions.tsx';
import { CAMPAIGN_TABS, type CampaignView } from './address.ts';
import { CAMPAIGN_FORM, Content } from './content.tsx';
import { changesOf, draftOf, isChanged, isOpen } from './draft.ts';
import { CampaignDocument, type CampaignFactsFragment, CampaignUpdateDocument } from './generated.ts';
import { Preview } from './preview.tsx';
import { Results } from './results.tsx';
import { CAMPAIGN_TONES } from './status.ts';
import { campaignWords } from './words.ts';

/** One campaign: its content, how its readers see it, and what became of it. */
export function CampaignPage() {
  const { id } = useParams({ from: '/email/campaigns/$id' });
  const { data, refusal, reload } = useAnswer(CampaignDocument, { id });
  useLive('svc.campaign', reload);
  const campaign = data?.campaign;
  if (campaign) return <Editor key={id} campaign={campaign} />;
  return (
    <Screen title={campaignWords.campaign} needs="campaigns">
      <Back />
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data ? <Empty title={campaignWords.noCampaign} /> : <p role="status">{shellWords.loading}</p>}
    </Screen>
  );
}

const Back = () => (
  <p>
    <Link to="/email/campaigns">‹ {campaignWords.title}</Link>
  </p>
);

function Editor({ campaign }: { campaign: CampaignFactsFragment }) {
  const view = useSearch({ from: '/email/campaigns/$id' });
  const navigate = useNavigate({ from: '/email/campaigns/$id' });
  const { can } = useViewer();
  const [base, setBase] = useState(campaign);
  const [draft, setDraft] = useState(draftOf(campaign));
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const changes = changesOf(draft, base);
  const isDirty = isChanged(changes);
  const take = useCallback((next: CampaignFactsFragment) => {
    setBase(next);
    setDraft(draftOf(next));
    setRefusal(null);
  }, []);
  useEffect(() => {
    // What somebody else saves shows at once where nothing is typed over it.
    if (!isDirty && campaign.updatedAt > base.updatedAt) take(campaign);
  }, [campaign, base, isDirty, take]);
  const save = async () => {
    if (!isDirty) return;
    setBusy(true);
    setRefusal(null);
    try {
      const { campaignUpdate } = await change(CampaignUpdateDocument, { id: base.id, campaign: changes });
      say(campaignWords.saved);
      take(campaignUpdate);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefusal(error.refusal);
    } finally {
      setBusy(false);
    }
  };
  const show = (changed: CampaignView) =>
    void navigate({ search: (old: CampaignView) => ({ ...old, ...changed }), replace: true });
  const { status, reason, scheduledAt } = campaign;
  const mayChange = isOpen(campaign) && can.has('campaignUpdate');
  const tab = view.tab ?? (isOpen(campaign) ? 'edit' : 'results');
  return (
    <Screen
      title={base.name}
      needs="campaigns"
      actions={<Actions campaign={campaign} isDirty={isDirty} onChanged={take} />}
    >
      <Back />
      <Unsaved isDirty={isDirty} />
      <div className="campaign">
        <p>
          <StatusBadge tone={CAMPAIGN_TONES[status]}>{campaignWords.statuses[status]}</StatusBadge>{' '}
          {campaignWords.meanings[status]}
          {scheduledAt && status !== 'SENT' && ` (${campaignWords.at(formatInstant(scheduledAt))})`}
        </p>
        {reason && <p className="campaign-wrong">{reason}</p>}
        <Tabs
          label={campaignWords.views}
          tabs={CAMPAIGN_TABS.map((each) => [each, campaignWords.tabs[each]])}
          at={tab}
          onGo={(next) => show({ tab: next })}
        >
          {tab === 'edit' && (
            <Content
              campaign={base}
              draft={draft}
              setDraft={setDraft}
              refusal={refusal}
              mayChange={mayChange}
              onSave={save}
            />
          )}
          {tab === 'preview' && <Preview id={base.id} changes={changes} view={view} show={show} />}
          {tab === 'results' && <Results campaign={campaign} />}
        </Tabs>
        {mayChange && (
          <div className="buttons campaign-save">
            <Button
              {...(tab === 'edit' ? { type: 'submit', form: CAMPAIGN_FORM } : { onClick: save })}
              look="primary"
              isBusy={isBusy}
              disabled={!isDirty}
            >
              {campaignWords.save}
            </Button>
            {isDirty && <Button onClick={() => take(campaign)}>{campaignWords.discard}</Button>}
          </div>
        )}
      </div>
    </Screen>
  );
}
