import { runMutation } from '../../graphql/client.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Field } from '../../ui/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type BookFactsFragment, ContactAddDocument } from './generated.ts';
import { PropertyFields, parseProperties } from './property-fields.tsx';
import { contactStrings } from './strings.ts';

export function AddContactDialog({ book, onClose }: { book: BookFactsFragment; onClose(): void }) {
  const { isBusy, getFieldError, getFormError, act } = useFormAction();
  const add = (form: FormData) =>
    act(async () => {
      const input = {
        email: getText(form, 'email'),
        firstName: getText(form, 'firstName') || null,
        lastName: getText(form, 'lastName') || null,
        properties: parseProperties(form, {}),
      };
      const { contactPut } = await runMutation(ContactAddDocument, { book: book.id, input });
      showToast(contactStrings.saved(contactPut.email));
      onClose();
    });
  return (
    <FormDialog title={contactStrings.add} isBusy={isBusy} onSubmit={add} onClose={onClose}>
      {book.doubleOptInEnabled && <p>{contactStrings.confirmationRequired}</p>}
      <Field
        name="email"
        type="email"
        label={contactStrings.email}
        required
        autoComplete="off"
        error={getFieldError('email')}
      />
      <div className="contact-pair">
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
    </FormDialog>
  );
}

/** Errors about these arguments are shown next to their fields. */
const FIELDS = ['email', 'firstName', 'lastName'];
