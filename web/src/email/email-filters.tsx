import { useState } from 'react';
import { SearchField } from '../shell/search-field.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { FilterSelect } from '../ui/filter-select.tsx';
import { Field, Select } from '../ui/form/field.tsx';
import { MoreFilters, PeriodFilter } from '../ui/more-filters.tsx';
import { EMAIL_STATUSES, type EmailsView, parseTag } from './address.ts';
import { DomainChoice } from './domain-choice.tsx';
import { KeyNamesDocument } from './generated.ts';
import { emailStrings } from './strings.ts';

/** Filters that are collapsed by default. */
const EXTRA_FILTERS = ['key', 'tag', 'from', 'to'] as const;

export function EmailFilters({ view, show }: { view: EmailsView; show(changes: EmailsView): void }) {
  return (
    <div className="list-filters">
      <SearchField hint={emailStrings.searchHint} value={view.q} onSearch={(q) => show({ q })} />
      <FilterSelect
        label={emailStrings.status}
        choices={EMAIL_STATUSES}
        labels={emailStrings.statuses}
        value={view.status}
        onChoose={(status) => show({ status })}
      />
      <DomainChoice value={view.domain} onChoose={(domain) => show({ domain })} />
      {/* Next to an open email, the list and all filters do not fit. */}
      <MoreFilters
        isNarrow={view.id !== undefined}
        isFiltered={EXTRA_FILTERS.some((name) => view[name] !== undefined)}
      >
        <KeyChoice value={view.key} onChoose={(key) => show({ key })} />
        <TagField key={view.tag} value={view.tag} onGiven={(tag) => show({ tag })} />
        <PeriodFilter view={view} onChange={show} />
      </MoreFilters>
    </div>
  );
}

interface KeyChoiceProps {
  value: string | undefined;
  onChoose(id: string | undefined): void;
}

function KeyChoice({ value, onChoose }: KeyChoiceProps) {
  const { data } = useGraphqlQuery(KeyNamesDocument, {});
  const keys = data?.apiKeys.nodes ?? [];
  const isListed = value === undefined || keys.some(({ id }) => id === value);
  return (
    <Select
      label={emailStrings.key}
      value={value ?? ''}
      options={[
        ['', emailStrings.allKeys],
        ...keys.map(({ id, name, prefix }) => [id, `${name} (${prefix}…)`] as const),
        ...(isListed ? [] : [[value, value] as const]),
      ]}
      onChange={({ target }) => onChoose(target.value || undefined)}
    />
  );
}

interface TagFieldProps {
  value: string | undefined;
  onGiven(tag: string | undefined): void;
}

/** Filters by a tag and its value when the input is committed. */
function TagField({ value, onGiven }: TagFieldProps) {
  const [isWrong, setIsWrong] = useState(false);
  const submitTag = (text: string) => {
    const tag = text.trim() || undefined;
    setIsWrong(tag !== undefined && !parseTag(tag));
    if (tag !== value && (tag === undefined || parseTag(tag))) onGiven(tag);
  };
  return (
    <Field
      label={emailStrings.tag}
      placeholder={emailStrings.tagHint}
      defaultValue={value ?? ''}
      error={isWrong ? emailStrings.tagInvalid : null}
      onBlur={({ target }) => submitTag(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && submitTag(event.currentTarget.value)}
    />
  );
}
