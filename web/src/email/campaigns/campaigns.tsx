import './campaigns.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useLiveChanges } from '../../graphql/live.ts';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CAMPAIGN_STATUSES, type CampaignsView } from './address.ts';
import { CreateCampaign } from './create-campaign.tsx';
import { CampaignsDocument, type CampaignsQuery } from './generated.ts';
import { CAMPAIGN_TONES } from './status.ts';
import { campaignWords } from './words.ts';

type CampaignListItem = CampaignsQuery['campaigns']['nodes'][number];

/** Messages to contact books, the newest first. */
export function Campaigns() {
  const { can } = useViewer();
  const view = useSearch({ from: '/email/campaigns' });
  const [isCreating, setCreating] = useState(false);
  const begin = can.has('campaignCreate') && (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {campaignWords.create}
    </Button>
  );
  return (
    <Screen title={campaignWords.title} needs="campaigns" measure="broad" actions={begin}>
      <CampaignList view={view} begin={begin} />
      {isCreating && <CreateCampaign onClose={() => setCreating(false)} />}
    </Screen>
  );
}

/** As many as one answer holds. */
const MAX_CAMPAIGNS = 500;

interface CampaignListProps {
  view: CampaignsView;
  /** Creates the first one. */
  begin: ReactNode;
}

function CampaignList({ view: { status, q }, begin: createButton }: CampaignListProps) {
  const navigate = useNavigate({ from: '/email/campaigns' });
  const { data, refusal, reload } = useGraphqlQuery(CampaignsDocument, {
    status,
    name: q,
    first: MAX_CAMPAIGNS,
  });
  useLiveChanges('svc.campaign', reload);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { nodes, totalCount } = data.campaigns;
  if (totalCount === 0 && !q && !status)
    return (
      <EmptyState title={campaignWords.none}>
        <p>{campaignWords.noneText}</p>
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
          label={campaignWords.search}
          placeholder={campaignWords.searchHint}
          defaultValue={q ?? ''}
          onChange={({ target }) => show({ q: target.value.trim() || undefined })}
        />
        <Select
          label={campaignWords.status}
          value={status ?? ''}
          options={[
            ['', campaignWords.all],
            ...CAMPAIGN_STATUSES.map((each) => [each, campaignWords.statuses[each]] as const),
          ]}
          onChange={({ target }) => show({ status: CAMPAIGN_STATUSES.find((each) => each === target.value) })}
        />
      </search>
      {totalCount === 0 && <EmptyState title={campaignWords.noneFits} />}
      <ul className="campaigns">
        {nodes.map((campaign) => (
          <CampaignRow key={campaign.id} campaign={campaign} />
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p className="quiet small">{campaignWords.oldest(nodes.length, totalCount)}</p>
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
        {subject} · {book ? campaignWords.toBook(book.name) : campaignWords.noBook}
      </p>
      {reason && <p className="campaign-wrong">{reason}</p>}
    </div>
    <p className="quiet small">
      {status === 'SCHEDULED' && scheduledAt && campaignWords.at(formatInstant(scheduledAt))}
      {sent > 0 && campaignWords.deliveredOf(formatNumber(delivered), formatNumber(total))}
    </p>
    <StatusBadge tone={CAMPAIGN_TONES[status]}>{campaignWords.statuses[status]}</StatusBadge>
  </li>
);
