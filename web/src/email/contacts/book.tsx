import { BackLink } from '../../shell/back-link.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import './contacts.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { runQuery } from '../../graphql/client.ts';
import { ActionButton, ConfirmButton, DialogOpener } from '../../shell/action-buttons.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { saveFile } from '../../ui/download.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { emailStrings } from '../strings.ts';
import type { ContactsView } from './address.ts';
import { BookForm } from './book-form.tsx';
import { AddContactDialog } from './contact-add.tsx';
import { ContactPanel } from './contact-panel.tsx';
import { Contacts } from './contacts.tsx';
import {
  type BookFactsFragment,
  ContactBookDeleteDocument,
  ContactBookDocument,
  ContactsExportDocument,
} from './generated.ts';
import { contactStrings } from './strings.ts';

export function BookPage() {
  const { book: id } = useParams({ from: '/email/contacts/$book' });
  const view = useSearch({ from: '/email/contacts/$book' });
  const navigate = useNavigate({ from: '/email/contacts/$book' });
  const { data, refusal, reload } = useLiveQuery(ContactBookDocument, { id }, 'svc.contact');
  const isOpen = view.id !== undefined;
  const show = (changes: ContactsView) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: isOpen && changes.id !== undefined });
  const book = data?.contactBook;
  return (
    <Screen
      title={book ? `${book.emoji} ${book.name}` : contactStrings.book}
      isFull
      actions={book && <BookActions book={book} reload={reload} />}
    >
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !book && (
        <>
          <BackLink to="/email/contacts">{contactStrings.title}</BackLink>
          <EmptyState title={contactStrings.bookNotFound} />
        </>
      )}
      {book && (
        <div className={isOpen ? 'split open' : 'split'}>
          <Contacts book={id} view={view} show={show} />
          {view.id && <ContactPanel key={view.id} id={view.id} book={book} show={show} />}
        </div>
      )}
    </Screen>
  );
}

function BookActions({ book, reload }: { book: BookFactsFragment; reload(): void }) {
  const { id, name } = book;
  const { can } = useViewer();
  const navigate = useNavigate();
  const save = async () => {
    const { contactsExport } = await runQuery(ContactsExportDocument, { book: id });
    saveFile(`${name}.csv`, contactsExport);
  };
  const remove = async () => {
    await runWithToast(ContactBookDeleteDocument, { id }, emailStrings.deleted(name));
    await navigate({ to: '/email/contacts', ignoreBlocker: true });
  };
  return (
    <div className="buttons">
      <DialogOpener needs="contactPut" look="primary" icon="plus" label={contactStrings.add}>
        {(onClose) => <AddContactDialog book={book} onClose={onClose} />}
      </DialogOpener>
      {can.has('contactsImport') && (
        <Link className="button" to="/email/contacts/$book/import" params={{ book: id }}>
          {contactStrings.import}
        </Link>
      )}
      <ActionButton needs="contactsExport" onAct={save}>
        {contactStrings.export}
      </ActionButton>
      <DialogOpener needs="contactBookUpdate" icon="pen" label={contactStrings.bookSettings}>
        {(onClose) => <BookForm book={book} onClose={onClose} onSaved={reload} />}
      </DialogOpener>
      {can.has('contactBookUpdate') && (
        <Link className="button" to="/email/contacts/$book/opt-in" params={{ book: id }}>
          {contactStrings.optIn}
        </Link>
      )}
      <ConfirmButton
        needs="contactBookDelete"
        icon="trash"
        label={contactStrings.deleteBook}
        title={emailStrings.deleteTitle(name)}
        text={contactStrings.deleteBookText}
        yes={emailStrings.delete}
        onYes={remove}
      />
    </div>
  );
}
