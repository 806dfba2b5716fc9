import './contacts.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ask, change } from '../../graphql/client.ts';
import { useFresh } from '../../graphql/live.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { saveFile } from '../../ui/download.ts';
import { Empty } from '../../ui/empty.tsx';
import { say } from '../../ui/toasts.tsx';
import { emailWords } from '../words.ts';
import type { ContactsView } from './address.ts';
import { BookForm } from './book-form.tsx';
import { ContactAdd } from './contact-add.tsx';
import { ContactPanel } from './contact-panel.tsx';
import { Contacts } from './contacts.tsx';
import {
  type BookFactsFragment,
  ContactBookDeleteDocument,
  ContactBookDocument,
  ContactsExportDocument,
} from './generated.ts';
import { contactWords } from './words.ts';

/** One book with its contacts, and the open one beside them. */
export function BookPage() {
  const { book: id } = useParams({ from: '/email/contacts/$book' });
  const view = useSearch({ from: '/email/contacts/$book' });
  const navigate = useNavigate({ from: '/email/contacts/$book' });
  const { data, refusal, reload } = useAnswer(ContactBookDocument, { id });
  useFresh('svc.contact', reload);
  const isOpen = view.id !== undefined;
  const show = (changes: ContactsView) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: isOpen && changes.id !== undefined });
  const book = data?.contactBook;
  return (
    <Screen
      title={book ? `${book.emoji} ${book.name}` : contactWords.book}
      needs="contactBooks"
      isFull
      actions={book && <Actions book={book} reload={reload} />}
    >
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !book && (
        <Empty title={contactWords.noBook}>
          <Link to="/email/contacts">{contactWords.title}</Link>
        </Empty>
      )}
      {book && (
        <div className={isOpen ? 'contacts open' : 'contacts'}>
          <Contacts book={id} view={view} show={show} />
          {view.id && <ContactPanel key={view.id} id={view.id} book={book} show={show} />}
        </div>
      )}
    </Screen>
  );
}

function Actions({ book, reload }: { book: BookFactsFragment; reload(): void }) {
  const { id, name } = book;
  const { can } = useViewer();
  const navigate = useNavigate();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<'add' | 'change' | 'delete'>();
  const close = () => setAsked(undefined);
  const save = () =>
    act(async () => {
      const { contactsExport } = await ask(ContactsExportDocument, { book: id });
      saveFile(`${name}.csv`, contactsExport);
    });
  const remove = () =>
    act(async () => {
      await change(ContactBookDeleteDocument, { id });
      say(emailWords.deleted(name));
      await navigate({ to: '/email/contacts' });
    });
  return (
    <div className="buttons">
      {can.has('contactPut') && (
        <Button look="primary" icon="plus" onClick={() => setAsked('add')}>
          {contactWords.add}
        </Button>
      )}
      {can.has('contactsImport') && (
        <Link className="button" to="/email/contacts/$book/import" params={{ book: id }}>
          {contactWords.import}
        </Link>
      )}
      {can.has('contactsExport') && (
        <Button isBusy={isBusy} onClick={save}>
          {contactWords.export}
        </Button>
      )}
      {can.has('contactBookUpdate') && (
        <Button icon="pen" onClick={() => setAsked('change')}>
          {contactWords.changeBook}
        </Button>
      )}
      {can.has('contactBookUpdate') && (
        <Link className="button" to="/email/contacts/$book/opt-in" params={{ book: id }}>
          {contactWords.optIn}
        </Link>
      )}
      {can.has('contactBookDelete') && (
        <Button icon="trash" onClick={() => setAsked('delete')}>
          {contactWords.deleteBook}
        </Button>
      )}
      {asked === 'add' && <ContactAdd book={book} onClose={close} />}
      {asked === 'change' && <BookForm book={book} onClose={close} onSaved={reload} />}
      {asked === 'delete' && (
        <Confirm
          title={emailWords.deleteDomain(name)}
          yes={emailWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={close}
        >
          <p>{contactWords.deleteBookText}</p>
        </Confirm>
      )}
    </div>
  );
}
