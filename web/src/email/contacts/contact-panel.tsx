import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { ActionButton, ConfirmButton } from '../../shell/action-buttons.tsx';
import { ActionForm } from '../../shell/action-form.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { SidePanel } from '../../shell/side-panel.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
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
import { contactStrings } from './strings.ts';

interface ContactPanelProps {
  id: string;
  book: BookFactsFragment;
  show(changes: ContactsView): void;
}

export function ContactPanel({ id, book, show }: ContactPanelProps) {
  const { data, refusal, reload } = useGraphqlQuery(ContactDocument, { id });
  // Recreates the form after each save, so that new properties get fields.
  const [saves, setSaves] = useState(0);
  const close = () => show({ id: undefined });
  // A URL of one book must not show a contact in another.
  const contact = data?.contact?.book?.id === book.id ? data.contact : null;
  return (
    <SidePanel
      label={contactStrings.contact}
      title={contact?.email ?? contactStrings.contact}
      shortcut={contactStrings.keys.close}
      onClose={close}
    >
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !contact && <EmptyState title={contactStrings.contactNotFound} />}
      {contact && (
        <>
          <Subscription contact={contact} book={book} />
          <ContactForm key={saves} contact={contact} book={book} onSaved={() => setSaves(saves + 1)} />
          <p className="quiet small">{contactStrings.addedOn(formatInstant(contact.createdAt))}</p>
        </>
      )}
    </SidePanel>
  );
}

interface ContactFormProps {
  contact: ContactFactsFragment;
  book: BookFactsFragment;
}

function Subscription({ contact, book }: ContactFormProps) {
  const navigate = useNavigate({ from: '/email/contacts/$book' });
  const { id, email } = contact;
  const status = getContactStatus(contact);
  const subscribe = (isSubscribed: boolean) =>
    runMutation(ContactUpdateDocument, { book: book.id, id, input: { subscribed: isSubscribed } });
  const resendConfirmation = async () => {
    await runMutation(ContactConfirmationSendDocument, { book: book.id, id });
    showToast(contactStrings.confirmationResent);
  };
  const remove = async () => {
    await runWithToast(ContactDeleteDocument, { book: book.id, id }, emailStrings.deleted(email));
    await navigate({ search: (old) => ({ ...old, id: undefined }), ignoreBlocker: true });
  };
  return (
    <>
      <p>
        <StatusBadge tone={CONTACT_TONES[status]}>{contactStrings.statuses[status]}</StatusBadge>{' '}
        {contactStrings.meanings[status]}
      </p>
      <div className="buttons">
        {contact.subscribed ? (
          <ActionButton needs="contactUpdate" onAct={() => subscribe(false)}>
            {contactStrings.unsubscribe}
          </ActionButton>
        ) : (
          <ConfirmButton
            needs="contactUpdate"
            label={contactStrings.subscribe}
            title={contactStrings.subscribeTitle(email)}
            text={contactStrings.subscribeText}
            onYes={() => subscribe(true)}
          />
        )}
        {status === 'PENDING' && (
          <ActionButton needs="contactConfirmationSend" onAct={resendConfirmation}>
            {contactStrings.resendConfirmation}
          </ActionButton>
        )}
        <ConfirmButton
          needs="contactDelete"
          icon="trash"
          label={emailStrings.delete}
          title={emailStrings.deleteTitle(email)}
          text={contactStrings.deleteText}
          onYes={remove}
        />
      </div>
    </>
  );
}

function ContactForm({ contact, book, onSaved }: ContactFormProps & { onSaved(): void }) {
  const { can } = useViewer();
  const [isDirty, setIsDirty] = useState(false);
  const before = contact.properties as Record<string, string>;
  const save = async (form: FormData, expectedVersion?: number) => {
    const input = {
      firstName: getText(form, 'firstName') || null,
      lastName: getText(form, 'lastName') || null,
      properties: parseProperties(form, before),
    };
    await runMutation(ContactUpdateDocument, { book: book.id, id: contact.id, input, expectedVersion });
    showToast(contactStrings.saved(contact.email));
    onSaved();
  };
  return (
    <ActionForm
      version={contact.version}
      submit={can.has('contactUpdate') ? contactStrings.save : undefined}
      onSubmit={save}
      onChange={() => setIsDirty(true)}
    >
      <UnsavedGuard isDirty={isDirty} keepsInput={(search, next) => search.id === next.id} />
      <div className="contact-pair">
        <Field name="firstName" label={contactStrings.firstName} defaultValue={contact.firstName ?? ''} />
        <Field name="lastName" label={contactStrings.lastName} defaultValue={contact.lastName ?? ''} />
      </div>
      <PropertyFields values={before} names={book.variables} />
    </ActionForm>
  );
}
