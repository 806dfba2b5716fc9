import './campaigns.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useLive } from '../../graphql/live.ts';
import { formatInstant, formatNumber } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CAMPAIGN_STATUSES, type CampaignsView } from './address.ts';
import { Create } from './create.tsx';
import { CampaignsDocument, type CampaignsQuery } from './generated.ts';
import { CAMPAIGN_TONES } from './status.ts';
import { campaignWords } from './words.ts';

type Row = CampaignsQuery['campaigns']['nodes'][number];

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
      <List view={view} begin={begin} />
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Screen>
  );
}

/** As many as one answer holds. */
const MOST = 500;

interface ListProps {
  view: CampaignsView;
  /** Creates the first one. */
  begin: ReactNode;
}

function List({ view: { status, q }, begin }: ListProps) {
  const navigate = useNavigate({ from: '/email/campaigns' });
  const { data, refusal, reload } = useAnswer(CampaignsDocument, { status, name: q, first: MOST });
  useLive('svc.campaign', reload);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { nodes, totalCount } = data.campaigns;
  if (totalCount === 0 && !q && !status)
    return (
      <Empty title={campaignWords.none}>
        <p>{campaignWords.noneText}</p>
        {begin}
      </Empty>
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
        <Choice
          label={campaignWords.status}
          value={status ?? ''}
          options={[
            ['', campaignWords.all],
            ...CAMPAIGN_STATUSES.map((each) => [each, campaignWords.statuses[each]] as const),
          ]}
          onChange={({ target }) => show({ status: CAMPAIGN_STATUSES.find((each) => each === target.value) })}
        />
      </search>
      {totalCount === 0 && <Empty title={campaignWords.noneFits} />}
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
  campaign: Row;
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
