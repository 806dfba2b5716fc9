import { SearchField } from '../../../shell/search-field.tsx';
import { useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { FilterSelect } from '../../../ui/filter-select.tsx';
import { MoreFilters, PeriodFilter } from '../../../ui/more-filters.tsx';
import { operationStrings } from '../strings.ts';
import { parseEventSubject } from '../summary.ts';
import { AUDIT_GROUPINGS, AUDIT_RESULTS, type AuditView } from './address.ts';
import { AuditChoicesDocument } from './generated.ts';

/** Filters the audit trail. The options are the values that occur in it. */
export function AuditFilters({ view, show }: { view: AuditView; show(changes: AuditView): void }) {
  const { data } = useLiveQuery(AuditChoicesDocument, {}, 'svc.audit.event');
  const events = data?.events.flatMap(({ key }) => key.event ?? []) ?? [];
  const users = data?.users.flatMap(({ key }) => key.user ?? []) ?? [];
  const filter = (changes: AuditView) => show({ ...changes, id: undefined });
  return (
    <div className="list-filters">
      <SearchField hint={operationStrings.auditSearchHint} value={view.q} onSearch={(q) => filter({ q })} />
      <FilterSelect
        label={operationStrings.event}
        choices={sortNames(events, view.event)}
        value={view.event}
        onChoose={(event) => filter({ event })}
      />
      <FilterSelect
        label={operationStrings.result}
        choices={AUDIT_RESULTS}
        labels={operationStrings.results}
        value={view.result}
        onChoose={(result) => filter({ result })}
      />
      <FilterSelect
        label={operationStrings.groupBy}
        all={operationStrings.noGrouping}
        choices={AUDIT_GROUPINGS}
        labels={operationStrings.groupings}
        value={view.by}
        onChoose={(by) => filter({ by })}
      />
      <ExtraAuditFilters view={view} filter={filter} events={events} users={users} />
    </div>
  );
}

interface ExtraAuditFiltersProps {
  view: AuditView;
  filter(changes: AuditView): void;
  events: string[];
  users: { id: string; login: string }[];
}

/** Shows filters that are collapsed by default. */
function ExtraAuditFilters({ view, filter, events, users }: ExtraAuditFiltersProps) {
  const models = events.flatMap((event) => parseEventSubject(event, null)?.model ?? []);
  return (
    <MoreFilters isFiltered={EXTRA_FILTERS.some((name) => view[name] !== undefined)}>
      <FilterSelect
        label={operationStrings.user}
        choices={users.map(({ id }) => id)}
        labels={Object.fromEntries(users.map(({ id, login }) => [id, login]))}
        value={view.user}
        onChoose={(user) => filter({ user })}
      />
      <FilterSelect
        label={operationStrings.model}
        choices={sortNames(models, view.model)}
        value={view.model}
        onChoose={(model) => filter({ model })}
      />
      <FilterSelect
        label={operationStrings.channel}
        choices={Object.keys(operationStrings.channels)}
        labels={operationStrings.channels}
        value={view.channel}
        onChoose={(channel) => filter({ channel })}
      />
      <PeriodFilter view={view} onChange={filter} />
    </MoreFilters>
  );
}

const EXTRA_FILTERS = ['user', 'model', 'channel', 'from', 'to'] as const;

/** Adds the value from the URL, which may no longer occur in the trail. */
const sortNames = (names: string[], selected: string | undefined): string[] =>
  [...new Set([...names, ...(selected ? [selected] : [])])].sort();
