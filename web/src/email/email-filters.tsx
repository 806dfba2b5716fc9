import { useState } from 'react';
import { SearchField } from '../shell/search-field.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Field, Select } from '../ui/field.tsx';
import { EMAIL_STATUSES, type EmailsView, parseTag } from './address.ts';
import { DomainChoice } from './domain-choice.tsx';
import { KeyNamesDocument } from './generated.ts';
import { emailStrings } from './strings.ts';

interface EmailFiltersProps {
  view: EmailsView;
  show(changes: EmailsView): void;
}

/** Filters that are behind the first. */
const EXTRA_FILTERS = ['key', 'tag', 'from', 'to'] as const;

/** Which emails are shown. */
export function EmailFilters({ view, show }: EmailFiltersProps) {
  // Beside an open email, and on a phone, there is room for the list or for all filters.
  const [isOpen, setOpen] = useState(
    () =>
      (view.id === undefined && matchMedia('(min-width: 901px)').matches) ||
      EXTRA_FILTERS.some((name) => view[name] !== undefined),
  );
  return (
    <div className="emails-filters">
      <SearchField
        label={emailStrings.search}
        hint={emailStrings.searchHint}
        value={view.q}
        onSearch={(q) => show({ q })}
      />
      <Select
        label={emailStrings.status}
        value={view.status ?? ''}
        options={[
          ['', emailStrings.all],
          ...EMAIL_STATUSES.map((each) => [each, emailStrings.statuses[each]] as const),
        ]}
        onChange={({ target }) => show({ status: EMAIL_STATUSES.find((each) => each === target.value) })}
      />
      <DomainChoice value={view.domain} onChoose={(domain) => show({ domain })} />
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{emailStrings.moreFilters}</summary>
        <div>
          <KeyChoice value={view.key} onChoose={(key) => show({ key })} />
          <TagField key={view.tag} value={view.tag} onGiven={(tag) => show({ tag })} />
          <Field
            type="date"
            label={emailStrings.from}
            value={view.from ?? ''}
            onChange={({ target }) => show({ from: target.value || undefined })}
          />
          <Field
            type="date"
            label={emailStrings.to}
            value={view.to ?? ''}
            onChange={({ target }) => show({ to: target.value || undefined })}
          />
        </div>
      </details>
    </div>
  );
}

interface KeyChoiceProps {
  value: string | undefined;
  onChoose(id: string | undefined): void;
}

/** One of the keys that emails are sent with, revoked ones too, or all; keys may have the same name. */
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

/** A tag with its value, taken once it is written to its end. */
function TagField({ value, onGiven }: TagFieldProps) {
  const [isWrong, setWrong] = useState(false);
  const submitTag = (given: string) => {
    const tag = given.trim() || undefined;
    setWrong(tag !== undefined && !parseTag(tag));
    if (tag !== value && (tag === undefined || parseTag(tag))) onGiven(tag);
  };
  return (
    <Field
      label={emailStrings.tag}
      placeholder={emailStrings.tagHint}
      defaultValue={value ?? ''}
      error={isWrong ? emailStrings.tagWrong : null}
      onBlur={({ target }) => submitTag(target.value)}
      onKeyDown={(event) => event.key === 'Enter' && submitTag(event.currentTarget.value)}
    />
  );
}
