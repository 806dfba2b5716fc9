import { Link } from '@tanstack/react-router';
import { formatCount } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { EMAIL_TONES } from '../status.ts';
import { emailStrings } from '../strings.ts';
import type { CampaignView } from './address.ts';
import { CampaignEmailsDocument, type CampaignEmailsQuery } from './generated.ts';
import { buildRecipientFilter, RECIPIENT_STATES } from './recipient-states.ts';
import { campaignStrings } from './strings.ts';

interface RecipientListProps {
  id: string;
  view: CampaignView;
  show(changes: CampaignView): void;
}

const PAGE_SIZE = 50;

export function RecipientList({ id, view: { state, page = 1 }, show }: RecipientListProps) {
  const { data, refusal, reload } = useLiveQuery(
    CampaignEmailsDocument,
    {
      where: buildRecipientFilter(id, state),
      first: PAGE_SIZE,
      offset: (page - 1) * PAGE_SIZE,
    },
    'svc.email',
  );
  return (
    <section className="stack" aria-label={campaignStrings.recipientList}>
      <h2>{campaignStrings.recipientList}</h2>
      <FilterSelect
        label={campaignStrings.recipientState}
        choices={RECIPIENT_STATES}
        labels={{ ...emailStrings.emailEvents, ...campaignStrings.recipientStates }}
        value={state}
        onChoose={(next) => show({ state: next, page: undefined })}
      />
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && <RecipientPage emails={data.emails} page={page} show={show} />}
    </section>
  );
}

interface RecipientPageProps extends Pick<RecipientListProps, 'show'> {
  emails: CampaignEmailsQuery['emails'];
  page: number;
}

function RecipientPage({ emails: { nodes, totalCount }, page, show }: RecipientPageProps) {
  const pages = Math.max(1, Math.ceil(totalCount / PAGE_SIZE));
  const goTo = (next: number) => show({ page: next === 1 ? undefined : next });
  return (
    <>
      <p className="quiet small" role="status">
        {formatCount(totalCount, campaignStrings.recipientCount)}
      </p>
      <ul className="campaign-people">
        {nodes.map((email) => (
          <RecipientRow key={email.id} email={email} />
        ))}
      </ul>
      {(pages > 1 || page > 1) && (
        <nav className="buttons" aria-label={campaignStrings.pages}>
          <Button disabled={page <= 1} onClick={() => goTo(Math.min(page - 1, pages))}>
            {campaignStrings.previous}
          </Button>
          <span className="quiet small">{campaignStrings.pageNumber(page, pages)}</span>
          <Button disabled={page >= pages} onClick={() => goTo(page + 1)}>
            {campaignStrings.next}
          </Button>
        </nav>
      )}
    </>
  );
}

const RecipientRow = ({
  email: { id, to, latestStatus, unsubscribedAt, reason, updatedAt },
}: {
  email: CampaignEmailsQuery['emails']['nodes'][number];
}) => (
  <li>
    <Link to="/email/emails" search={{ id }}>
      {to.join(', ')}
    </Link>
    <StatusBadge tone={EMAIL_TONES[latestStatus]}>{emailStrings.statuses[latestStatus]}</StatusBadge>
    {unsubscribedAt && <StatusBadge tone="plain">{emailStrings.emailEvents.unsubscribed}</StatusBadge>}
    <Timestamp at={updatedAt} />
    {reason && <span className="campaign-reason quiet small">{reason}</span>}
  </li>
);
