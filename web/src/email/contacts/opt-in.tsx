import './contacts.css';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useFormAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { Unsaved } from '../../shell/unsaved.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field, Tick } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import { BlockEditor } from '../blocks/lazy-block-editor.tsx';
import { ContactBookUpdateDocument, type OptInFactsFragment, OptInMailDocument } from './generated.ts';
import { contactWords } from './words.ts';

/** The email that asks new contacts of a book whether they want mail. */
export function OptInPage() {
  const { book: id } = useParams({ from: '/email/contacts/$book/opt-in' });
  const { data, refusal, reload } = useAnswer(OptInMailDocument, { id });
  const book = data?.contactBook;
  return (
    <Screen title={contactWords.optIn} needs="contactBookUpdate">
      <p>
        <Link to="/email/contacts/$book" params={{ book: id }}>
          ‹ {book ? `${book.emoji} ${book.name}` : contactWords.book}
        </Link>
      </p>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !book && <Empty title={contactWords.noBook} />}
      {book && <OptIn key={book.id} book={book} />}
    </Screen>
  );
}

/** What the input of a book has of it. */
const settingsOf = (book: OptInFactsFragment) => ({
  doubleOptInEnabled: book.doubleOptInEnabled,
  doubleOptInFrom: book.doubleOptInFrom ?? '',
  doubleOptInSubject: book.doubleOptInSubject ?? '',
  doubleOptInContent: book.doubleOptInContent ?? '',
});

type Settings = ReturnType<typeof settingsOf>;

function OptIn({ book }: { book: OptInFactsFragment }) {
  const [kept, setKept] = useState(settingsOf(book));
  const [given, setGiven] = useState(kept);
  const { isBusy, refusal, wrong, act } = useFormAct();
  const changed = (Object.keys(kept) as (keyof Settings)[]).filter((name) => given[name] !== kept[name]);
  const changes = Object.fromEntries(changed.map((name) => [name, given[name]]));
  const save = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      const { contactBookUpdate } = await change(ContactBookUpdateDocument, { id: book.id, book: changes });
      // What is left empty is what the server has for it.
      const saved = settingsOf(contactBookUpdate);
      setKept(saved);
      setGiven(saved);
      say(contactWords.saved(contactWords.optIn));
    });
  };
  const places = ['doubleOptInFrom', 'doubleOptInSubject', 'doubleOptInContent'];
  return (
    <form className="contact-form" onSubmit={save}>
      <Unsaved isDirty={changed.length > 0} />
      <Tick
        label={contactWords.doubleOptIn}
        hint={contactWords.doubleOptInHint}
        checked={given.doubleOptInEnabled}
        onChange={({ target }) => setGiven({ ...given, doubleOptInEnabled: target.checked })}
      />
      <Field
        label={contactWords.optInFrom}
        hint={contactWords.optInFromHint}
        value={given.doubleOptInFrom}
        error={wrong('doubleOptInFrom')}
        onChange={({ target }) => setGiven({ ...given, doubleOptInFrom: target.value })}
      />
      <Field
        label={contactWords.optInSubject}
        value={given.doubleOptInSubject}
        error={wrong('doubleOptInSubject')}
        onChange={({ target }) => setGiven({ ...given, doubleOptInSubject: target.value })}
      />
      <BlockEditor
        label={contactWords.optInContent}
        content={given.doubleOptInContent}
        variables={['doubleOptInUrl', 'firstName', 'lastName', 'email', ...book.variables]}
        hasFallbacks
        error={wrong('doubleOptInContent')}
        onChange={(content) => setGiven({ ...given, doubleOptInContent: content })}
      />
      {refusal && !places.some(wrong) && (
        <p role="alert" className="wrong">
          {refusal.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={changed.length === 0}>
          {contactWords.save}
        </Button>
        {changed.length > 0 && <Button onClick={() => setGiven(kept)}>{contactWords.optInDiscard}</Button>}
      </div>
    </form>
  );
}
