import { useLiveRows } from '../../graphql/use-rows.ts';
import { formatCount } from '../../i18n/format.ts';
import { RowList } from '../../shell/rows/row-list.tsx';
import { SearchField } from '../../shell/search-field.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterSelect } from '../../ui/filter-select.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
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

export function Contacts({ book, view, show }: ContactsProps) {
  const variables = { book, ...toContactsVariables(view) };
  const rows = useLiveRows(ContactsDocument, variables, ({ contacts }) => contacts, 'svc.contact');
  return (
    <div className="split-list">
      <ContactFilters view={view} show={show} />
      <RowList
        label={contactStrings.title}
        variables={variables}
        rows={rows}
        openId={view.id}
        onOpen={({ id }) => show({ id })}
        keys={contactStrings.keys}
        countText={(total) => formatCount(total, contactStrings.count)}
        none={<NoContacts view={view} show={show} />}
        renderRow={(contact) => <ContactRow contact={contact} />}
      />
    </div>
  );
}

type ContactFiltersProps = Pick<ContactsProps, 'view' | 'show'>;

const ContactFilters = ({ view, show }: ContactFiltersProps) => (
  <div className="list-filters">
    <SearchField hint={contactStrings.searchHint} value={view.q} onSearch={(q) => show({ q })} />
    <FilterSelect
      label={emailStrings.status}
      choices={CONTACT_STATUSES}
      labels={contactStrings.statuses}
      value={view.status}
      onChoose={(status) => show({ status })}
    />
  </div>
);

const NoContacts = ({ view, show }: ContactFiltersProps) =>
  view.q === undefined && view.status === undefined ? (
    <EmptyState title={contactStrings.none} text={contactStrings.noneText} />
  ) : (
    <EmptyState title={contactStrings.noMatches}>
      <Button onClick={() => show({ q: undefined, status: undefined })}>{contactStrings.showAll}</Button>
    </EmptyState>
  );

function ContactRow({ contact }: { contact: ContactListItem }) {
  const { email, firstName, lastName, createdAt } = contact;
  const status = getContactStatus(contact);
  return (
    <div className="list-row contact-row">
      <span>{email}</span>
      <span className="contact-name quiet">{[firstName, lastName].filter(Boolean).join(' ')}</span>
      <StatusBadge tone={CONTACT_TONES[status]}>{contactStrings.statuses[status]}</StatusBadge>
      <Timestamp at={createdAt} />
    </div>
  );
}
