import { BackLink } from '../../shell/back-link.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import './campaign.css';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { formatInstant } from '../../i18n/format.ts';
import { ConflictDialog } from '../../shell/dialogs/conflict.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { SaveButtons } from '../../shell/save-buttons.tsx';
import { Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type EditedDraft, useDraft } from '../drafts/use-draft.ts';
import { CampaignActions } from './actions.tsx';
import { CAMPAIGN_TABS, type CampaignView } from './address.ts';
import { CAMPAIGN_FORM_ID, CampaignContent } from './content.tsx';
import { type CampaignDraft, computeChanges, isEditable, toDraft } from './draft.ts';
import {
  type CampaignChanges,
  CampaignDocument,
  type CampaignFactsFragment,
  CampaignUpdateDocument,
} from './generated.ts';
import { CampaignPreview } from './preview.tsx';
import { CampaignResults } from './results.tsx';
import { CAMPAIGN_TONES } from './status.ts';
import { campaignStrings } from './strings.ts';

export function CampaignPage() {
  const { id } = useParams({ from: '/email/campaigns/$id' });
  const { data, refusal, reload } = useLiveQuery(CampaignDocument, { id }, 'svc.campaign');
  const campaign = data?.campaign;
  if (campaign) return <CampaignEditor key={id} campaign={campaign} reload={reload} />;
  return (
    <Screen title={campaignStrings.campaign}>
      <BackLink to="/email/campaigns">{campaignStrings.title}</BackLink>
      {data ? (
        <EmptyState title={campaignStrings.campaignNotFound} />
      ) : (
        <LoadStatus refusal={refusal} onAgain={reload} />
      )}
    </Screen>
  );
}

function CampaignEditor({ campaign, reload }: { campaign: CampaignFactsFragment; reload(): void }) {
  const view = useSearch({ from: '/email/campaigns/$id' });
  const { can } = useViewer();
  const edited = useDraft(campaign, { toDraft, computeChanges, reload });
  const { base, isDirty, load } = edited;
  const saveVersion = (expectedVersion: number) =>
    edited.save(async (changes) => {
      const variables = { id: base.id, campaign: changes, expectedVersion };
      const { campaignUpdate } = await runWithToast(CampaignUpdateDocument, variables, campaignStrings.saved);
      return campaignUpdate;
    });
  const save = () => isDirty && void saveVersion(base.version);
  const mayChange = isEditable(campaign) && can.has('campaignUpdate');
  const tab = view.tab ?? (isEditable(campaign) ? 'edit' : 'results');
  return (
    <Screen
      title={base.name}
      actions={<CampaignActions campaign={campaign} isDirty={isDirty} onChanged={load} />}
    >
      <BackLink to="/email/campaigns">{campaignStrings.title}</BackLink>
      <UnsavedGuard isDirty={isDirty} keepsInput={() => true} />
      <div className="stack">
        <CampaignState campaign={campaign} />
        <CampaignTabs
          tab={tab}
          view={view}
          campaign={campaign}
          edited={edited}
          mayChange={mayChange}
          onSave={save}
        />
        {mayChange && (
          <SaveButtons
            isSticky
            form={CAMPAIGN_FORM_ID}
            isDirty={isDirty}
            isBusy={edited.isBusy}
            onSave={tab === 'edit' ? undefined : save}
            onDiscard={() => load(campaign)}
          />
        )}
      </div>
      {edited.isInConflict && (
        <ConflictDialog
          title={campaignStrings.conflict}
          text={campaign.version > base.version ? campaignStrings.conflictText : undefined}
          onMine={() => saveVersion(campaign.version)}
          onTheirs={() => load(campaign)}
          onClose={edited.dismissRefusal}
        />
      )}
    </Screen>
  );
}

const CampaignState = ({
  campaign: { status, reason, scheduledAt },
}: {
  campaign: CampaignFactsFragment;
}) => (
  <>
    <p>
      <StatusBadge tone={CAMPAIGN_TONES[status]}>{campaignStrings.statuses[status]}</StatusBadge>{' '}
      {campaignStrings.meanings[status]}
      {scheduledAt && status !== 'SENT' && ` (${campaignStrings.atTime(formatInstant(scheduledAt))})`}
    </p>
    {reason && <p className="wrong">{reason}</p>}
  </>
);

interface CampaignTabsProps {
  tab: NonNullable<CampaignView['tab']>;
  view: CampaignView;
  campaign: CampaignFactsFragment;
  edited: EditedDraft<CampaignFactsFragment, CampaignDraft, CampaignChanges>;
  mayChange: boolean;
  onSave(): void;
}

function CampaignTabs({ tab, view, campaign, edited, mayChange, onSave }: CampaignTabsProps) {
  const navigate = useNavigate({ from: '/email/campaigns/$id' });
  const { base, draft, setDraft, refusal, changes } = edited;
  const show = (changedView: CampaignView) =>
    void navigate({ search: (old: CampaignView) => ({ ...old, ...changedView }), replace: true });
  return (
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
          refusal={refusal}
          mayChange={mayChange}
          onSave={onSave}
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
  );
}
