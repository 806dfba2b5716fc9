import { useReloadOnChange } from '../../graphql/live.ts';
import { useRows } from '../../graphql/use-rows.ts';
import { formatCount, formatInstant, formatWhen } from '../../i18n/format.ts';
import { useRowKeys } from '../../shell/keys/use-row-keys.ts';
import { LoadError } from '../../shell/screen.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ROW_HEIGHTS, useViewPreferences } from '../../ui/view-preferences.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { emailStrings } from '../strings.ts';
import { CONTACT_STATUSES, type ContactsView, getContactStatus, toContactsVariables } from './address.ts';
import { ContactsDocument, type ContactsQuery } from './generated.ts';
import { CONTACT_TONES } from './status.ts';
import { contactStrings } from './strings.ts';

type ContactListItem = ContactsQuery['contacts']['nodes'][number];

interface ContactsProps {
  book: string;
  view: ContactsView;
  show(changes: ContactsView): void;
}

/** Contacts of a book that match the filters, newest first. */
export function Contacts({ book, view, show }: ContactsProps) {
  const { density } = useViewPreferences();
  const variables = { book, ...toContactsVariables(view) };
  const { total, refusal, row, look, reload } = useRows(
    ContactsDocument,
    variables,
    ({ contacts }) => contacts,
  );
  useReloadOnChange('svc.contact', reload);
  const { active, setActive, openRow } = useRowKeys({
    queryVariables: variables,
    total,
    isOpen: view.id !== undefined,
    open: (index) => {
      const contact = row(index);
      if (contact) show({ id: contact.id });
    },
    strings: contactStrings.keys,
  });
  const isFiltered = view.q !== undefined || view.status !== undefined;
  return (
    <div className="contacts-list">
      <div className="filters">
        <SearchField
          label={emailStrings.search}
          hint={contactStrings.searchHint}
          value={view.q}
          onSearch={(q) => show({ q })}
        />
        <Select
          label={emailStrings.status}
          value={view.status ?? ''}
          options={[
            ['', emailStrings.all],
            ...CONTACT_STATUSES.map(
              (contactStatus) => [contactStatus, contactStrings.statuses[contactStatus]] as const,
            ),
          ]}
          onChange={({ target }) =>
            show({ status: CONTACT_STATUSES.find((contactStatus) => contactStatus === target.value) })
          }
        />
      </div>
      {refusal ? (
        <LoadError refusal={refusal} onAgain={reload} />
      ) : (
        <p className="count quiet small" role="status">
          {total === null ? shellStrings.loading : formatCount(total, contactStrings.count)}
        </p>
      )}
      {!refusal && total === 0 && (
        <EmptyState title={isFiltered ? contactStrings.noMatches : contactStrings.none}>
          {isFiltered ? (
            <Button onClick={() => show({ q: undefined, status: undefined })}>
              {contactStrings.showAll}
            </Button>
          ) : (
            <p>{contactStrings.noneText}</p>
          )}
        </EmptyState>
      )}
      {!refusal && total !== null && total > 0 && (
        <VirtualList
          label={contactStrings.title}
          count={total}
          rowHeight={ROW_HEIGHTS[density]}
          active={active}
          selected={row(active)?.id === view.id ? active : -1}
          onActive={setActive}
          onOpen={openRow}
          onRange={look}
          renderRow={(index) => {
            const contact = row(index);
            return contact && <ContactRow contact={contact} />;
          }}
        />
      )}
    </div>
  );
}

function ContactRow({ contact }: { contact: ContactListItem }) {
  const { email, firstName, lastName, createdAt } = contact;
  const status = getContactStatus(contact);
  return (
    <div className="contact-row">
      <span>{email}</span>
      <span className="contact-name">{[firstName, lastName].filter(Boolean).join(' ')}</span>
      <StatusBadge tone={CONTACT_TONES[status]}>{contactStrings.statuses[status]}</StatusBadge>
      <time className="quiet small" dateTime={createdAt} title={formatInstant(createdAt)}>
        {formatWhen(createdAt)}
      </time>
    </div>
  );
}
