import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { LoadError } from '../../shell/screen.tsx';
import { useAction, useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailWords } from '../words.ts';
import { type ContactsView, getContactStatus } from './address.ts';
import {
  type BookFactsFragment,
  ContactConfirmationSendDocument,
  ContactDeleteDocument,
  ContactDocument,
  type ContactFactsFragment,
  ContactUpdateDocument,
} from './generated.ts';
import { PropertyFields, parseProperties } from './property-fields.tsx';
import { CONTACT_TONES } from './status.ts';
import { contactWords } from './words.ts';

interface ContactPanelProps {
  id: string;
  book: BookFactsFragment;
  show(changes: ContactsView): void;
}

/** One contact: who it is, whether campaigns are sent to it, its properties. */
export function ContactPanel({ id, book, show }: ContactPanelProps) {
  const { data, refusal, reload } = useGraphqlQuery(ContactDocument, { id });
  // What was added to the form has a field of its own once it is saved.
  const [saves, setSaves] = useState(0);
  const close = () => show({ id: undefined });
  useShortcuts([{ keys: 'u', label: contactWords.keys.close, run: close }]);
  // A contact of another book is not below this address.
  const contact = data?.contact?.book?.id === book.id ? data.contact : null;
  return (
    <section className="contact-panel" aria-label={contactWords.contact}>
      <header>
        <h2>{contact?.email ?? contactWords.contact}</h2>
        <IconButton icon="close" label={shellWords.close} onClick={close} />
      </header>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !contact && <EmptyState title={contactWords.noContact} />}
      {contact && (
        <>
          <Subscription contact={contact} book={book} close={close} />
          <ContactForm key={saves} contact={contact} book={book} onSaved={() => setSaves(saves + 1)} />
          <p className="quiet small">{contactWords.createdAt(formatInstant(contact.createdAt))}</p>
        </>
      )}
    </section>
  );
}

interface ContactFormProps {
  contact: ContactFactsFragment;
  book: BookFactsFragment;
}

function Subscription({ contact, book, close }: ContactFormProps & { close(): void }) {
  const { id, email } = contact;
  const { can } = useViewer();
  const { isBusy, act } = useAction();
  const [openDialog, setOpenDialog] = useState<'subscribe' | 'delete'>();
  const status = getContactStatus(contact);
  const subscribe = (subscribed: boolean) =>
    act(() => runMutation(ContactUpdateDocument, { book: book.id, id, input: { subscribed } }));
  const resendConfirmation = () =>
    act(async () => {
      await runMutation(ContactConfirmationSendDocument, { book: book.id, id });
      showToast(contactWords.askedAgain);
    });
  const remove = () =>
    act(async () => {
      await runMutation(ContactDeleteDocument, { book: book.id, id });
      showToast(emailWords.deleted(email));
      close();
    });
  return (
    <>
      <p>
        <StatusBadge tone={CONTACT_TONES[status]}>{contactWords.statuses[status]}</StatusBadge>{' '}
        {contactWords.meanings[status]}
      </p>
      <div className="buttons">
        {can.has('contactUpdate') &&
          (contact.subscribed ? (
            <Button isBusy={isBusy} onClick={() => subscribe(false)}>
              {contactWords.unsubscribe}
            </Button>
          ) : (
            <Button onClick={() => setOpenDialog('subscribe')}>{contactWords.subscribe}</Button>
          ))}
        {status === 'PENDING' && can.has('contactConfirmationSend') && (
          <Button isBusy={isBusy} onClick={resendConfirmation}>
            {contactWords.askAgain}
          </Button>
        )}
        {can.has('contactDelete') && (
          <Button icon="trash" onClick={() => setOpenDialog('delete')}>
            {emailWords.delete}
          </Button>
        )}
      </div>
      {openDialog && (
        <Confirm
          title={
            openDialog === 'delete' ? emailWords.deleteDomain(email) : contactWords.subscribeTitle(email)
          }
          yes={openDialog === 'delete' ? emailWords.delete : contactWords.subscribe}
          no={shellWords.close}
          onYes={openDialog === 'delete' ? remove : () => subscribe(true)}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>{openDialog === 'delete' ? contactWords.deleteText : contactWords.subscribeText}</p>
        </Confirm>
      )}
    </>
  );
}

function ContactForm({ contact, book, onSaved }: ContactFormProps & { onSaved(): void }) {
  const { can } = useViewer();
  const { isBusy, refusal, wrong, act } = useFormAction();
  const before = contact.properties as Record<string, string>;
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = {
      firstName: String(form.get('firstName')).trim() || null,
      lastName: String(form.get('lastName')).trim() || null,
      properties: parseProperties(form, before),
    };
    void act(async () => {
      await runMutation(ContactUpdateDocument, { book: book.id, id: contact.id, input });
      showToast(contactWords.saved(contact.email));
      onSaved();
    });
  };
  return (
    <form className="contact-form" onSubmit={save}>
      <div className="pair">
        <Field
          name="firstName"
          label={contactWords.firstName}
          defaultValue={contact.firstName ?? ''}
          autoComplete="off"
          error={wrong('firstName')}
        />
        <Field
          name="lastName"
          label={contactWords.lastName}
          defaultValue={contact.lastName ?? ''}
          autoComplete="off"
          error={wrong('lastName')}
        />
      </div>
      <PropertyFields values={before} names={book.variables} />
      {refusal && !wrong('firstName') && !wrong('lastName') && (
        <p className="wrong" role="alert">
          {refusal.message}
        </p>
      )}
      {can.has('contactUpdate') && (
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {contactWords.save}
          </Button>
        </div>
      )}
    </form>
  );
}
