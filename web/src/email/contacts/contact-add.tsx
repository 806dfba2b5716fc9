import type { FormEvent } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useFormAction } from '../../shell/use-action.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type BookFactsFragment, ContactAddDocument } from './generated.ts';
import { PropertyFields, parseProperties } from './property-fields.tsx';
import { contactWords } from './words.ts';

/** Adds a contact to a book; one with the address is changed. */
export function ContactAdd({ book, onClose }: { book: BookFactsFragment; onClose(): void }) {
  const { isBusy, refusal, wrong, act } = useFormAction();
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
      showToast(contactWords.saved(contactPut.email));
      onClose();
    });
  };
  return (
    <Dialog title={contactWords.add} onClose={onClose}>
      {book.doubleOptInEnabled && <p>{contactWords.asksFirst}</p>}
      <form className="contact-form" onSubmit={add}>
        <Field
          name="email"
          type="email"
          label={contactWords.email}
          required
          autoComplete="off"
          error={wrong('email')}
        />
        <div className="pair">
          <Field
            name="firstName"
            label={contactWords.firstName}
            autoComplete="off"
            error={wrong('firstName')}
          />
          <Field name="lastName" label={contactWords.lastName} autoComplete="off" error={wrong('lastName')} />
        </div>
        <PropertyFields values={{}} names={book.variables} />
        {refusal && !FIELDS.some(wrong) && (
          <p className="wrong" role="alert">
            {refusal.message}
          </p>
        )}
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {contactWords.add}
          </Button>
          <Button onClick={onClose}>{shellWords.close}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Arguments that have a field of their own, which says what is wrong with them. */
const FIELDS = ['email', 'firstName', 'lastName'];
