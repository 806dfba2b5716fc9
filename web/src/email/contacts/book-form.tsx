import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Checkbox, Field } from '../../ui/field.tsx';
import { getText } from '../../ui/form/form.tsx';
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
  const { isBusy, expectedVersion, getFieldError, getFormError, act } = useFormAction(book?.version);
  const save = (form: FormData) =>
    act(async () => {
      const input = {
        name: String(form.get('name')),
        emoji: getText(form, 'emoji') || null,
        variables: getText(form, 'variables')
          .split(/[\s,;]+/)
          .filter(Boolean),
        doubleOptInEnabled: form.has('doubleOptIn'),
      };
      if (book) await runMutation(ContactBookUpdateDocument, { id: book.id, book: input, expectedVersion });
      else {
        const { contactBookCreate } = await runMutation(ContactBookCreateDocument, { book: input });
        await navigate({ to: '/email/contacts/$book', params: { book: contactBookCreate.id } });
      }
      showToast(contactStrings.saved(input.name));
      onSaved();
      onClose();
    });
  return (
    <FormDialog
      title={book ? contactStrings.bookSettings : contactStrings.createBook}
      submit={book && contactStrings.save}
      isBusy={isBusy}
      onSubmit={save}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

/** Errors about these arguments are shown next to their fields. */
const FIELDS = ['name', 'emoji', 'variables'];
