import './campaign.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useLiveChanges } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { formatInstant } from '../../i18n/format.ts';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { CampaignActions } from './actions.tsx';
import { CAMPAIGN_TABS, type CampaignView } from './address.ts';
import { CAMPAIGN_FORM_ID, CampaignContent } from './content.tsx';
import { computeChanges, hasChanges, isEditable, toDraft } from './draft.ts';
import { CampaignDocument, type CampaignFactsFragment, CampaignUpdateDocument } from './generated.ts';
import { CampaignPreview } from './preview.tsx';
import { CampaignResults } from './results.tsx';
import { CAMPAIGN_TONES } from './status.ts';
import { campaignStrings } from './strings.ts';

export function CampaignPage() {
  const { id } = useParams({ from: '/email/campaigns/$id' });
  const { data, refusal, reload } = useGraphqlQuery(CampaignDocument, { id });
  useLiveChanges('svc.campaign', reload);
  const campaign = data?.campaign;
  if (campaign) return <CampaignEditor key={id} campaign={campaign} />;
  return (
    <Screen title={campaignStrings.campaign} needs="campaigns">
      <Back />
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data ? <EmptyState title={campaignStrings.campaignNotFound} /> : <Loading />}
    </Screen>
  );
}

const Back = () => (
  <p>
    <Link to="/email/campaigns">‹ {campaignStrings.title}</Link>
  </p>
);

function CampaignEditor({ campaign }: { campaign: CampaignFactsFragment }) {
  const view = useSearch({ from: '/email/campaigns/$id' });
  const navigate = useNavigate({ from: '/email/campaigns/$id' });
  const { can } = useViewer();
  const [base, setBase] = useState(campaign);
  const [draft, setDraft] = useState(toDraft(campaign));
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const changes = computeChanges(draft, base);
  const isDirty = hasChanges(changes);
  const loadCampaign = useCallback((next: CampaignFactsFragment) => {
    setBase(next);
    setDraft(toDraft(next));
    setRejection(null);
  }, []);
  useEffect(() => {
    // Changes by other users appear immediately, unless there are unsaved edits.
    if (!isDirty && campaign.updatedAt > base.updatedAt) loadCampaign(campaign);
  }, [campaign, base, isDirty, loadCampaign]);
  const save = async () => {
    if (!isDirty) return;
    setIsBusy(true);
    setRejection(null);
    try {
      const { campaignUpdate } = await runMutation(CampaignUpdateDocument, {
        id: base.id,
        campaign: changes,
      });
      showToast(campaignStrings.saved);
      loadCampaign(campaignUpdate);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
    } finally {
      setIsBusy(false);
    }
  };
  const show = (changedView: CampaignView) =>
    void navigate({ search: (old: CampaignView) => ({ ...old, ...changedView }), replace: true });
  const { status, reason, scheduledAt } = campaign;
  const mayChange = isEditable(campaign) && can.has('campaignUpdate');
  const tab = view.tab ?? (isEditable(campaign) ? 'edit' : 'results');
  return (
    <Screen
      title={base.name}
      needs="campaigns"
      actions={<CampaignActions campaign={campaign} isDirty={isDirty} onChanged={loadCampaign} />}
    >
      <Back />
      <UnsavedGuard isDirty={isDirty} />
      <div className="campaign">
        <p>
          <StatusBadge tone={CAMPAIGN_TONES[status]}>{campaignStrings.statuses[status]}</StatusBadge>{' '}
          {campaignStrings.meanings[status]}
          {scheduledAt && status !== 'SENT' && ` (${campaignStrings.atTime(formatInstant(scheduledAt))})`}
        </p>
        {reason && <p className="campaign-wrong">{reason}</p>}
        <Tabs
          label={campaignStrings.views}
          tabs={CAMPAIGN_TABS.map((campaignTab) => [campaignTab, campaignStrings.tabs[campaignTab]])}
          at={tab}
          onGo={(next) => show({ tab: next })}
        >
          {tab === 'edit' && (
            <CampaignContent
              campaign={base}
              draft={draft}
              setDraft={setDraft}
              refusal={rejection}
              mayChange={mayChange}
              onSave={save}
            />
          )}
          {tab === 'preview' && (
            <CampaignPreview
              id={base.id}
              isEditable={isEditable(campaign)}
              changes={changes}
              view={view}
              show={show}
            />
          )}
          {tab === 'results' && <CampaignResults campaign={campaign} view={view} show={show} />}
        </Tabs>
        {mayChange && (
          <div className="buttons campaign-save">
            <Button
              {...(tab === 'edit' ? { type: 'submit', form: CAMPAIGN_FORM_ID } : { onClick: save })}
              look="primary"
              isBusy={isBusy}
              disabled={!isDirty}
            >
              {campaignStrings.save}
            </Button>
            {isDirty && <Button onClick={() => loadCampaign(campaign)}>{campaignStrings.discard}</Button>}
          </div>
        )}
      </div>
    </Screen>
  );
}
