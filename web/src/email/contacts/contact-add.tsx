import { runMutation } from '../../graphql/client.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type BookFactsFragment, ContactAddDocument } from './generated.ts';
import { PropertyFields, parseProperties } from './property-fields.tsx';
import { contactStrings } from './strings.ts';

export function AddContactDialog({ book, onClose }: { book: BookFactsFragment; onClose(): void }) {
  const add = async (form: FormData) => {
    const input = {
      email: getText(form, 'email'),
      firstName: getText(form, 'firstName') || null,
      lastName: getText(form, 'lastName') || null,
      properties: parseProperties(form, {}),
    };
    const { contactPut } = await runMutation(ContactAddDocument, { book: book.id, input });
    showToast(contactStrings.saved(contactPut.email));
  };
  return (
    <FormDialog title={contactStrings.add} onSubmit={add} onClose={onClose}>
      {book.doubleOptInEnabled && <p>{contactStrings.confirmationRequired}</p>}
      <Field name="email" type="email" label={contactStrings.email} required />
      <div className="contact-pair">
        <Field name="firstName" label={contactStrings.firstName} />
        <Field name="lastName" label={contactStrings.lastName} />
      </div>
      <PropertyFields values={{}} names={book.variables} />
    </FormDialog>
  );
}
