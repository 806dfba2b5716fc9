import type { FormEvent } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type BookFactsFragment, ContactAddDocument } from './generated.ts';
import { PropertyFields, parseProperties } from './property-fields.tsx';
import { contactStrings } from './strings.ts';

export function AddContactDialog({ book, onClose }: { book: BookFactsFragment; onClose(): void }) {
  const { isBusy, getFieldError, getFormError, act } = useFormAction();
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = {
      email: String(form.get('email')).trim(),
      firstName: String(form.get('firstName')).trim() || null,
      lastName: String(form.get('lastName')).trim() || null,
      properties: parseProperties(form, {}),
    };
    void act(async () => {
      const { contactPut } = await runMutation(ContactAddDocument, { book: book.id, input });
      showToast(contactStrings.saved(contactPut.email));
      onClose();
    });
  };
  return (
    <Dialog title={contactStrings.add} onClose={onClose}>
      {book.doubleOptInEnabled && <p>{contactStrings.confirmationRequired}</p>}
      <form className="contact-form" onSubmit={add}>
        <Field
          name="email"
          type="email"
          label={contactStrings.email}
          required
          autoComplete="off"
          error={getFieldError('email')}
        />
        <div className="pair">
          <Field
            name="firstName"
            label={contactStrings.firstName}
            autoComplete="off"
            error={getFieldError('firstName')}
          />
          <Field
            name="lastName"
            label={contactStrings.lastName}
            autoComplete="off"
            error={getFieldError('lastName')}
          />
        </div>
        <PropertyFields values={{}} names={book.variables} />
        <FormError message={getFormError(FIELDS)} />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {contactStrings.add}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Errors about these arguments are shown next to their fields. */
const FIELDS = ['email', 'firstName', 'lastName'];
