import './contacts.css';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../i18n/format.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExampleCall } from '../example-call.tsx';
import { BookForm } from './book-form.tsx';
import { ContactBooksDocument } from './generated.ts';
import { contactStrings } from './strings.ts';

/** The server's page size limit. */
const MAX_BOOKS = 500;

export function ContactBooks() {
  const { data, refusal, reload } = useGraphqlQuery(ContactBooksDocument, { first: MAX_BOOKS });
  const books = data?.contactBooks.nodes;
  const createButton = (
    <DialogOpener needs="contactBookCreate" look="primary" icon="plus" label={contactStrings.createBook}>
      {(onClose) => <BookForm onClose={onClose} onSaved={reload} />}
    </DialogOpener>
  );
  return (
    <Screen title={contactStrings.title} actions={createButton}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {books?.length === 0 && (
        <EmptyState title={contactStrings.noBooks} text={contactStrings.noBooksText}>
          {createButton}
          <ExampleCall path="/contactBooks" body={{ name: 'Newsletter' }} />
        </EmptyState>
      )}
      {books && books.length > 0 && (
        <ul className="card-list">
          {books.map(({ id, emoji, name, contactCount, subscribedCount }) => (
            <li key={id} className="card">
              <span aria-hidden="true">{emoji}</span>
              <Link to="/email/contacts/$book" params={{ book: id }}>
                {name}
              </Link>
              <span className="quiet small">
                {formatCount(contactCount, contactStrings.count)} ·{' '}
                {formatCount(subscribedCount, contactStrings.subscribedCount)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Screen>
  );
}
