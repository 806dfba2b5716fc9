import { useState } from 'react';
import { useReloadOnChange } from '../../../graphql/live.ts';
import { SearchField } from '../../../shell/search-field.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { parseChoice } from '../search-params.ts';
import { operationStrings } from '../strings.ts';
import { parseEventSubject } from '../summary.ts';
import { AUDIT_GROUPINGS, AUDIT_RESULTS, type AuditView } from './address.ts';
import { AuditChoicesDocument } from './generated.ts';

interface AuditFiltersProps {
  view: AuditView;
  show(changes: AuditView): void;
}

/** Filters of the audit list. The choices are the values that occur in the trail. */
export function AuditFilters({ view, show }: AuditFiltersProps) {
  const { data, reload } = useGraphqlQuery(AuditChoicesDocument, {});
  useReloadOnChange('svc.audit.event', reload);
  const events = data?.events.flatMap(({ key }) => key.event ?? []) ?? [];
  const models = [...new Set(events.flatMap((event) => parseEventSubject(event, null)?.model ?? []))];
  const users = data?.users.flatMap(({ key }) => key.user ?? []) ?? [];
  // A phone fits either the list or all filters.
  const [isOpen, setIsOpen] = useState(
    () => matchMedia('(min-width: 901px)').matches || EXTRA_FILTERS.some((name) => view[name] !== undefined),
  );
  const filter = (changes: AuditView) => show({ ...changes, id: undefined });
  return (
    <div className="op-filters">
      <SearchField
        label={operationStrings.search}
        hint={operationStrings.auditSearchHint}
        value={view.q}
        onSearch={(q) => filter({ q })}
      />
      <Select
        label={operationStrings.event}
        value={view.event ?? ''}
        options={[['', operationStrings.all], ...toOptions(events, view.event)]}
        onChange={({ target }) => filter({ event: target.value || undefined })}
      />
      <Select
        label={operationStrings.result}
        value={view.result ?? ''}
        options={[
          ['', operationStrings.all],
          ...AUDIT_RESULTS.map(
            (auditResult) => [auditResult, operationStrings.results[auditResult]] as const,
          ),
        ]}
        onChange={({ target }) => filter({ result: parseChoice(AUDIT_RESULTS, target.value) })}
      />
      <Select
        label={operationStrings.groupBy}
        value={view.by ?? ''}
        options={[
          ['', operationStrings.noGrouping],
          ...AUDIT_GROUPINGS.map(
            (auditGrouping) => [auditGrouping, operationStrings.groupings[auditGrouping]] as const,
          ),
        ]}
        onChange={({ target }) => filter({ by: parseChoice(AUDIT_GROUPINGS, target.value) })}
      />
      <details className="op-more" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{operationStrings.moreFilters}</summary>
        <div className="op-more-filters">
          <Select
            label={operationStrings.user}
            value={view.user ?? ''}
            options={[
              ['', operationStrings.all],
              ...users.map(({ id, login }) => [id, login] as const),
              ...(view.user && !users.some(({ id }) => id === view.user)
                ? [[view.user, view.user] as const]
                : []),
            ]}
            onChange={({ target }) => filter({ user: target.value || undefined })}
          />
          <Select
            label={operationStrings.model}
            value={view.model ?? ''}
            options={[['', operationStrings.all], ...toOptions(models, view.model)]}
            onChange={({ target }) => filter({ model: target.value || undefined })}
          />
          <Select
            label={operationStrings.channel}
            value={view.channel ?? ''}
            options={[['', operationStrings.all], ...Object.entries(operationStrings.channels)]}
            onChange={({ target }) => filter({ channel: target.value || undefined })}
          />
          <Field
            type="date"
            label={operationStrings.from}
            value={view.from ?? ''}
            onChange={({ target }) => filter({ from: target.value || undefined })}
          />
          <Field
            type="date"
            label={operationStrings.to}
            value={view.to ?? ''}
            onChange={({ target }) => filter({ to: target.value || undefined })}
          />
        </div>
      </details>
    </div>
  );
}

/** Adds the value from the URL, which may no longer occur in the trail. */
const toOptions = (names: string[], selected: string | undefined): (readonly [string, string])[] =>
  [...new Set([...names, ...(selected ? [selected] : [])])].sort().map((name) => [name, name] as const);

/** Filters that are collapsed by default. */
const EXTRA_FILTERS = ['user', 'model', 'channel', 'from', 'to'] as const;
