import './contacts.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ExampleCall } from '../example-call.tsx';
import { BookForm } from './book-form.tsx';
import { ContactBooksDocument } from './generated.ts';
import { contactWords } from './words.ts';

/** As many as one answer holds. */
const MOST = 500;

/** Books of contacts, which campaigns are sent to. */
export function ContactBooks() {
  const { can } = useViewer();
  const [isAdding, setAdding] = useState(false);
  const { data, refusal, reload } = useAnswer(ContactBooksDocument, { first: MOST });
  const books = data?.contactBooks.nodes;
  const begin = can.has('contactBookCreate') && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {contactWords.createBook}
    </Button>
  );
  return (
    <Screen title={contactWords.title} needs="contactBooks" measure="middle" actions={begin}>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {books?.length === 0 && (
        <Empty title={contactWords.noBooks}>
          <p>{contactWords.noBooksText}</p>
          {begin}
          <ExampleCall path="/contactBooks" body={{ name: 'Newsletter' }} />
        </Empty>
      )}
      {books && books.length > 0 && (
        <ul className="books">
          {books.map(({ id, emoji, name, contactCount, subscribedCount }) => (
            <li key={id} className="card">
              <span aria-hidden="true">{emoji}</span>
              <Link to="/email/contacts/$book" params={{ book: id }}>
                {name}
              </Link>
              <span className="quiet small">
                {counted(contactCount, contactWords.count)} ·{' '}
                {counted(subscribedCount, contactWords.subscribedCount)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <BookForm onClose={() => setAdding(false)} onSaved={reload} />}
    </Screen>
  );
}
