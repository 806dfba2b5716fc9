import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../shell/dialogs/confirm.tsx';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useAction, useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, getText } from '../../ui/form/form.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { SidePanel } from '../../ui/layout/side-panel.tsx';
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
  useShortcuts([{ keys: 'u', label: contactStrings.keys.close, run: close }]);
  // A URL of one book must not show a contact in another.
  const contact = data?.contact?.book?.id === book.id ? data.contact : null;
  return (
    <SidePanel
      label={contactStrings.contact}
      title={contact?.email ?? contactStrings.contact}
      close={shellStrings.close}
      onClose={close}
    >
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !contact && <EmptyState title={contactStrings.contactNotFound} />}
      {contact && (
        <>
          <Subscription contact={contact} book={book} close={close} />
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

function Subscription({ contact, book, close }: ContactFormProps & { close(): void }) {
  const { id, email } = contact;
  const { can } = useViewer();
  const { isBusy, act } = useAction();
  const [openDialog, setOpenDialog] = useState<'subscribe' | 'delete'>();
  const status = getContactStatus(contact);
  const subscribe = (isSubscribed: boolean) =>
    act(() => runMutation(ContactUpdateDocument, { book: book.id, id, input: { subscribed: isSubscribed } }));
  const resendConfirmation = () =>
    act(async () => {
      await runMutation(ContactConfirmationSendDocument, { book: book.id, id });
      showToast(contactStrings.confirmationResent);
    });
  const remove = () =>
    act(async () => {
      await runMutation(ContactDeleteDocument, { book: book.id, id });
      showToast(emailStrings.domainDeleted(email));
      close();
    });
  return (
    <>
      <p>
        <StatusBadge tone={CONTACT_TONES[status]}>{contactStrings.statuses[status]}</StatusBadge>{' '}
        {contactStrings.meanings[status]}
      </p>
      <div className="buttons">
        {can.has('contactUpdate') &&
          (contact.subscribed ? (
            <Button isBusy={isBusy} onClick={() => subscribe(false)}>
              {contactStrings.unsubscribe}
            </Button>
          ) : (
            <Button onClick={() => setOpenDialog('subscribe')}>{contactStrings.subscribe}</Button>
          ))}
        {status === 'PENDING' && can.has('contactConfirmationSend') && (
          <Button isBusy={isBusy} onClick={resendConfirmation}>
            {contactStrings.resendConfirmation}
          </Button>
        )}
        {can.has('contactDelete') && (
          <Button icon="trash" onClick={() => setOpenDialog('delete')}>
            {emailStrings.delete}
          </Button>
        )}
      </div>
      {openDialog && (
        <ConfirmDialog
          title={
            openDialog === 'delete' ? emailStrings.deleteDomain(email) : contactStrings.subscribeTitle(email)
          }
          yes={openDialog === 'delete' ? emailStrings.delete : contactStrings.subscribe}
          onYes={openDialog === 'delete' ? remove : () => subscribe(true)}
          onClose={() => setOpenDialog(undefined)}
        >
          <p>{openDialog === 'delete' ? contactStrings.deleteText : contactStrings.subscribeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function ContactForm({ contact, book, onSaved }: ContactFormProps & { onSaved(): void }) {
  const { can } = useViewer();
  const { isBusy, expectedVersion, getFieldError, getFormError, act } = useFormAction(contact.version);
  const before = contact.properties as Record<string, string>;
  const save = (form: FormData) =>
    act(async () => {
      const input = {
        firstName: getText(form, 'firstName') || null,
        lastName: getText(form, 'lastName') || null,
        properties: parseProperties(form, before),
      };
      await runMutation(ContactUpdateDocument, { book: book.id, id: contact.id, input, expectedVersion });
      showToast(contactStrings.saved(contact.email));
      onSaved();
    });
  return (
    <Form onSubmit={save}>
      <div className="contact-pair">
        <Field
          name="firstName"
          label={contactStrings.firstName}
          defaultValue={contact.firstName ?? ''}
          autoComplete="off"
          error={getFieldError('firstName')}
        />
        <Field
          name="lastName"
          label={contactStrings.lastName}
          defaultValue={contact.lastName ?? ''}
          autoComplete="off"
          error={getFieldError('lastName')}
        />
      </div>
      <PropertyFields values={before} names={book.variables} />
      <FormError message={getFormError(['firstName', 'lastName'])} />
      {can.has('contactUpdate') && (
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {contactStrings.save}
          </Button>
        </div>
      )}
    </Form>
  );
}
