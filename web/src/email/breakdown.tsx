import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatNumber, formatWhen } from '../i18n/format.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Field, Select } from '../ui/form/field.tsx';
import { BREAKDOWNS } from './address.ts';
import {
  BreakdownDocument,
  type BreakdownQuery,
  type BreakdownQueryVariables,
  type EmailBreakdownBy,
} from './generated.ts';
import { emailStrings } from './strings.ts';

export function Breakdown() {
  const { days = 30, domain, by = 'KEY', tag } = useSearch({ from: '/email' });
  const navigate = useNavigate({ from: '/email' });
  return (
    <section className="card stack">
      <h2>{emailStrings.breakdown}</h2>
      <div className="breakdown-choice">
        <Select
          label={emailStrings.groupBy}
          value={by}
          options={BREAKDOWNS.map((breakdown) => [breakdown, emailStrings.breakdowns[breakdown]])}
          onChange={({ target }) => {
            const selected = BREAKDOWNS.find((breakdown) => breakdown === target.value);
            navigate({ search: (old) => ({ ...old, by: selected }), replace: true });
          }}
        />
        {by === 'TAG' && (
          <Field
            key={tag}
            label={emailStrings.tagName}
            defaultValue={tag ?? ''}
            onBlur={({ target }) =>
              navigate({ search: (old) => ({ ...old, tag: target.value || undefined }) })
            }
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        )}
      </div>
      {(by !== 'TAG' || tag) && (
        <BreakdownTable {...{ days, domain, by }} tag={by === 'TAG' ? tag : undefined} />
      )}
    </section>
  );
}

function BreakdownTable(variables: BreakdownQueryVariables) {
  const { data, refusal, reload } = useGraphqlQuery(BreakdownDocument, variables);
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { groups, isComplete } = data.emailBreakdown;
  if (groups.length === 0) return <p className="quiet">{emailStrings.noEmailsInPeriod}</p>;
  return (
    <>
      {!isComplete && <p className="quiet">{emailStrings.breakdownIncomplete}</p>}
      <DataTable
        label={emailStrings.breakdown}
        heads={[
          emailStrings.breakdowns[variables.by],
          emailStrings.emails,
          ...KINDS.map((kind) => emailStrings.emailEvents[kind]),
        ]}
        rows={groups.map((group) => [
          String(group.key),
          getGroupName(group, variables.by),
          formatNumber(group.emails),
          ...KINDS.map((kind) => formatNumber(group[kind])),
        ])}
      />
    </>
  );
}

const KINDS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;

function getGroupName(
  { key, label }: BreakdownQuery['emailBreakdown']['groups'][number],
  by: EmailBreakdownBy,
): string {
  if (key === null || key === undefined) return emailStrings.noGrouping;
  if (by === 'HOUR') return formatWhen(key);
  return label ?? key;
}
