import './campaigns.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Field } from '../../ui/form/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { emailStrings } from '../strings.ts';
import { CAMPAIGN_STATUSES, type CampaignsView } from './address.ts';
import { CreateCampaignDialog } from './create-campaign.tsx';
import { CampaignsDocument, type CampaignsQuery } from './generated.ts';
import { CAMPAIGN_TONES } from './status.ts';
import { campaignStrings } from './strings.ts';

type CampaignListItem = CampaignsQuery['campaigns']['nodes'][number];

export function Campaigns() {
  const view = useSearch({ from: '/email/campaigns' });
  const createButton = (
    <DialogOpener needs="campaignCreate" look="primary" icon="plus" label={campaignStrings.create}>
      {(onClose) => <CreateCampaignDialog onClose={onClose} />}
    </DialogOpener>
  );
  return (
    <Screen title={campaignStrings.title} actions={createButton}>
      <CampaignList view={view} createButton={createButton} />
    </Screen>
  );
}

/** The server's page size limit. */
const MAX_CAMPAIGNS = 500;

interface CampaignListProps {
  view: CampaignsView;
  createButton: ReactNode;
}

function CampaignList({ view: { status, q }, createButton }: CampaignListProps) {
  const navigate = useNavigate({ from: '/email/campaigns' });
  const { data, refusal, reload } = useLiveQuery(
    CampaignsDocument,
    {
      status,
      name: q,
      first: MAX_CAMPAIGNS,
    },
    'svc.campaign',
  );
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { nodes, totalCount } = data.campaigns;
  if (totalCount === 0 && !q && !status)
    return (
      <EmptyState title={campaignStrings.none} text={campaignStrings.noneText}>
        {createButton}
      </EmptyState>
    );
  const show = (changes: CampaignsView) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: true });
  return (
    <>
      <search className="campaign-filters">
        <Field
          type="search"
          label={campaignStrings.search}
          placeholder={campaignStrings.searchHint}
          defaultValue={q ?? ''}
          onChange={({ target }) => show({ q: target.value.trim() || undefined })}
        />
        <FilterSelect
          label={campaignStrings.status}
          choices={CAMPAIGN_STATUSES}
          labels={campaignStrings.statuses}
          value={status}
          onChoose={(next) => show({ status: next })}
        />
      </search>
      {totalCount === 0 && <EmptyState title={campaignStrings.noMatches} />}
      <ul className="card-list">
        {nodes.map((campaign) => (
          <CampaignRow key={campaign.id} campaign={campaign} />
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p className="quiet small">{emailStrings.showingNewest(nodes.length, totalCount)}</p>
      )}
    </>
  );
}

const CampaignRow = ({
  campaign: { id, name, subject, status, reason, scheduledAt, total, sent, delivered, book },
}: {
  campaign: CampaignListItem;
}) => (
  <li className="card">
    <div>
      <Link to="/email/campaigns/$id" params={{ id }}>
        {name}
      </Link>
      <p className="quiet">
        {subject} · {book ? campaignStrings.toBook(book.name) : campaignStrings.bookDeleted}
      </p>
      {reason && <p className="wrong">{reason}</p>}
    </div>
    <p className="quiet small">
      {status === 'SCHEDULED' && scheduledAt && campaignStrings.atTime(formatInstant(scheduledAt))}
      {sent > 0 && campaignStrings.deliveredCount(formatNumber(delivered), formatNumber(total))}
    </p>
    <StatusBadge tone={CAMPAIGN_TONES[status]}>{campaignStrings.statuses[status]}</StatusBadge>
  </li>
);
