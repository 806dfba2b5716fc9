import './overview.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import { formatDay, formatNumber, formatShare } from '../i18n/format.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Select } from '../ui/form/field.tsx';
import { OVERVIEW_DAYS } from './address.ts';
import { Breakdown } from './breakdown.tsx';
import { DomainChoice } from './domain-choice.tsx';
import { isUnsigned } from './domains/status.ts';
import { FirstEmail } from './first-email.tsx';
import { DomainNamesDocument, OverviewDocument, type OverviewQuery } from './generated.ts';
import { DayChart, HourChart } from './overview-chart.tsx';
import { emailStrings } from './strings.ts';

export function Overview() {
  const { days = 30, domain } = useSearch({ from: '/email' });
  const navigate = useNavigate({ from: '/email' });
  return (
    <Screen
      title={emailStrings.title}
      actions={
        <>
          <Select
            label={emailStrings.period}
            value={days}
            options={OVERVIEW_DAYS.map((overviewDay) => [
              String(overviewDay),
              overviewDay === 0 ? emailStrings.today : emailStrings.lastDays(overviewDay),
            ])}
            onChange={({ target }) => navigate({ search: (old) => ({ ...old, days: Number(target.value) }) })}
          />
          <DomainChoice
            value={domain}
            onChoose={(id) => navigate({ search: (old) => ({ ...old, domain: id }) })}
          />
        </>
      }
    >
      <UnsignedDomains />
      <Statistics days={days} domain={domain} />
    </Screen>
  );
}

function UnsignedDomains() {
  const { data } = useGraphqlQuery(DomainNamesDocument, {});
  const domains = data?.sendingDomains.nodes.filter(isUnsigned) ?? [];
  if (domains.length === 0) return null;
  return (
    <p role="alert">
      {emailStrings.unsignedDomains}{' '}
      {domains.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link to="/email/domains/$id" params={{ id }}>
            {name}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

function Statistics({ days, domain }: { days: number; domain: string | undefined }) {
  const { data, refusal, reload } = useGraphqlQuery(OverviewDocument, { days, domain });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { periods, totals } = data.emailStatistics;
  if (data.reputation.sent === 0 && !domain) return <FirstEmail />;
  return (
    <>
      <dl className="tiles">
        {KINDS.map((kind) => (
          <div key={kind} className="card">
            <dt>{emailStrings.emailEvents[kind]}</dt>
            <dd className="figures">{formatNumber(totals[kind])}</dd>
            {SHARE_KINDS.has(kind) && totals.sent > 0 && (
              <dd className="quiet small">
                {emailStrings.share(
                  formatShare(totals[kind] / totals.sent),
                  formatNumber(totals[kind]),
                  formatNumber(totals.sent),
                )}
              </dd>
            )}
          </div>
        ))}
      </dl>
      <p className="quiet">
        {emailStrings.reputation(
          formatRate(data.reputation.bounceRate, data.reputation.hardBounced, data.reputation.sent),
          formatRate(data.reputation.complaintRate, data.reputation.complained, data.reputation.sent),
        )}
      </p>
      <section className="card">
        <h2>{days === 0 ? emailStrings.emailsPerHour : emailStrings.emailsPerDay}</h2>
        {days === 0 ? <HourChart day={periods[0]!.date} domain={domain} /> : <DayChart periods={periods} />}
        <details>
          <summary>{emailStrings.showAsTable}</summary>
          <StatisticsTable periods={periods} />
        </details>
      </section>
      <Breakdown />
    </>
  );
}

const formatRate = (percent: number, part: number, sent: number): string =>
  emailStrings.share(formatShare(percent / 100), formatNumber(part), formatNumber(sent));

const KINDS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;
const SHARE_KINDS = new Set<string>(['delivered', 'bounced', 'complained']);

const StatisticsTable = ({ periods }: Pick<OverviewQuery['emailStatistics'], 'periods'>) => (
  <DataTable
    label={emailStrings.emailsPerDay}
    heads={[emailStrings.day, ...KINDS.map((kind) => emailStrings.emailEvents[kind])]}
    rows={periods.map((period) => [
      period.date,
      formatDay(period.date),
      ...KINDS.map((kind) => formatNumber(period[kind])),
    ])}
  />
);
