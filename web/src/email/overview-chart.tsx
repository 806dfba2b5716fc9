import { Suspense, useMemo } from 'react';
import { lazy } from '../connection/lazy.ts';
import { formatTime } from '../i18n/format.ts';
import { LoadError } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { BreakdownDocument, type OverviewQuery } from './generated.ts';
import { fillHours } from './hours.ts';
import { emailStrings } from './strings.ts';

const Chart = lazy(() => import('../ui/chart.tsx'), 'Chart');

const placeholder = <div className="chart" />;

export function DayChart({ periods }: Pick<OverviewQuery['emailStatistics'], 'periods'>) {
  const days = useMemo(() => periods.map(({ date }) => date), [periods]);
  const series = useMemo(() => buildSeries(periods), [periods]);
  return (
    <Suspense fallback={placeholder}>
      <Chart label={emailStrings.chartLabel(periods.length)} days={days} series={series} />
    </Suspense>
  );
}

/** Emails by the hour of their creation. @param props.day today in UTC, such as `2026-11-27` */
export function HourChart({ day, domain }: { day: string; domain: string | undefined }) {
  const { data, refusal, reload } = useGraphqlQuery(BreakdownDocument, { by: 'HOUR', days: 0, domain });
  const chart = useMemo(() => {
    if (!data) return undefined;
    const hours = fillHours(data.emailBreakdown.groups, day, Date.now());
    return { names: hours.map(({ hour }) => formatTime(hour)), series: buildSeries(hours) };
  }, [data, day]);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!chart) return placeholder;
  return (
    <Suspense fallback={placeholder}>
      <Chart label={emailStrings.hourChartLabel} {...chart} />
    </Suspense>
  );
}

const buildSeries = (figures: readonly { delivered: number; bounced: number }[]) => [
  { label: emailStrings.emailEvents.delivered, values: figures.map(({ delivered }) => delivered) },
  { label: emailStrings.emailEvents.bounced, values: figures.map(({ bounced }) => bounced) },
];
