import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useAct, useFormAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Failed } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Field } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { say } from '../../ui/toasts.tsx';
import { emailWords } from '../words.ts';
import { type ContactsView, contactStatus } from './address.ts';
import {
  type BookFactsFragment,
  ContactConfirmationSendDocument,
  ContactDeleteDocument,
  ContactDocument,
  type ContactFactsFragment,
  ContactUpdateDocument,
} from './generated.ts';
import { PropertyFields, propertiesOf } from './property-fields.tsx';
import { CONTACT_TONES } from './status.ts';
import { contactWords } from './words.ts';

interface PanelProps {
  id: string;
  book: BookFactsFragment;
  show(changes: ContactsView): void;
}

/** One contact: who it is, whether campaigns are sent to it, its properties. */
export function ContactPanel({ id, book, show }: PanelProps) {
  const { data, refusal, reload } = useAnswer(ContactDocument, { id });
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
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !contact && <Empty title={contactWords.noContact} />}
      {contact && (
        <>
          <Subscription contact={contact} book={book} close={close} />
          <Person key={saves} contact={contact} book={book} onSaved={() => setSaves(saves + 1)} />
          <p className="quiet small">{contactWords.createdAt(formatInstant(contact.createdAt))}</p>
        </>
      )}
    </section>
  );
}

interface ContactOf {
  contact: ContactFactsFragment;
  book: BookFactsFragment;
}

function Subscription({ contact, book, close }: ContactOf & { close(): void }) {
  const { id, email } = contact;
  const { can } = useViewer();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<'subscribe' | 'delete'>();
  const status = contactStatus(contact);
  const subscribe = (subscribed: boolean) =>
    act(() => change(ContactUpdateDocument, { book: book.id, id, input: { subscribed } }));
  const askAgain = () =>
    act(async () => {
      await change(ContactConfirmationSendDocument, { book: book.id, id });
      say(contactWords.askedAgain);
    });
  const remove = () =>
    act(async () => {
      await change(ContactDeleteDocument, { book: book.id, id });
      say(emailWords.deleted(email));
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
            <Button onClick={() => setAsked('subscribe')}>{contactWords.subscribe}</Button>
          ))}
        {status === 'PENDING' && can.has('contactConfirmationSend') && (
          <Button isBusy={isBusy} onClick={askAgain}>
            {contactWords.askAgain}
          </Button>
        )}
        {can.has('contactDelete') && (
          <Button icon="trash" onClick={() => setAsked('delete')}>
            {emailWords.delete}
          </Button>
        )}
      </div>
      {asked && (
        <Confirm
          title={asked === 'delete' ? emailWords.deleteDomain(email) : contactWords.subscribeTitle(email)}
          yes={asked === 'delete' ? emailWords.delete : contactWords.subscribe}
          no={shellWords.close}
          onYes={asked === 'delete' ? remove : () => subscribe(true)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked === 'delete' ? contactWords.deleteText : contactWords.subscribeText}</p>
        </Confirm>
      )}
    </>
  );
}

function Person({ contact, book, onSaved }: ContactOf & { onSaved(): void }) {
  const { can } = useViewer();
  const { isBusy, refusal, wrong, act } = useFormAct();
  const before = contact.properties as Record<string, string>;
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = {
      firstName: String(form.get('firstName')).trim() || null,
      lastName: String(form.get('lastName')).trim() || null,
      properties: propertiesOf(form, before),
    };
    void act(async () => {
      await change(ContactUpdateDocument, { book: book.id, id: contact.id, input });
      say(contactWords.saved(contact.email));
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
