import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox, Field } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { type BookFactsFragment, ContactBookCreateDocument, ContactBookUpdateDocument } from './generated.ts';
import { contactStrings } from './strings.ts';

interface BookFormProps {
  /** Contact book to edit. If omitted, the form creates one. */
  book?: BookFactsFragment;
  onClose(): void;
  onSaved(): void;
}

export function BookForm({ book, onClose, onSaved }: BookFormProps) {
  const navigate = useNavigate();
  const { isBusy, getFieldError, getFormError, act } = useFormAction();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = {
      name: String(form.get('name')),
      emoji: String(form.get('emoji')).trim() || null,
      variables: String(form.get('variables'))
        .split(/[\s,;]+/)
        .filter(Boolean),
      doubleOptInEnabled: form.get('doubleOptIn') !== null,
    };
    void act(async () => {
      if (book) await runMutation(ContactBookUpdateDocument, { id: book.id, book: input });
      else {
        const { contactBookCreate } = await runMutation(ContactBookCreateDocument, { book: input });
        await navigate({ to: '/email/contacts/$book', params: { book: contactBookCreate.id } });
      }
      showToast(contactStrings.saved(input.name));
      onSaved();
      onClose();
    });
  };
  return (
    <Dialog title={book ? contactStrings.bookSettings : contactStrings.createBook} onClose={onClose}>
      <form className="contact-form" onSubmit={save}>
        <Field
          name="name"
          label={contactStrings.bookName}
          defaultValue={book?.name}
          required
          error={getFieldError('name')}
        />
        <Field
          name="emoji"
          label={contactStrings.emoji}
          defaultValue={book?.emoji}
          maxLength={10}
          error={getFieldError('emoji')}
        />
        <Field
          name="variables"
          label={contactStrings.variables}
          hint={contactStrings.variablesHint}
          defaultValue={book?.variables.join(', ')}
          autoCapitalize="none"
          spellCheck={false}
          error={getFieldError('variables')}
        />
        <Checkbox
          name="doubleOptIn"
          label={contactStrings.doubleOptIn}
          hint={contactStrings.doubleOptInHint}
          defaultChecked={book?.doubleOptInEnabled}
        />
        <FormError message={getFormError(FIELDS)} />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {contactStrings.save}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Errors about these arguments are shown next to their fields. */
const FIELDS = ['name', 'emoji', 'variables'];
