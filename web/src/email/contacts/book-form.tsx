import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Checkbox, Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
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
  const save = async (form: FormData, expectedVersion?: number) => {
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
  };
  return (
    <FormDialog
      version={book?.version}
      title={book ? contactStrings.bookSettings : contactStrings.createBook}
      submit={book && contactStrings.save}
      onSubmit={save}
      onClose={onClose}
    >
      <Field name="name" label={contactStrings.name} defaultValue={book?.name} required />
      <Field name="emoji" label={contactStrings.emoji} defaultValue={book?.emoji} maxLength={10} />
      <Field
        name="variables"
        label={contactStrings.variables}
        hint={contactStrings.variablesHint}
        defaultValue={book?.variables.join(', ')}
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox
        name="doubleOptIn"
        label={contactStrings.doubleOptIn}
        hint={contactStrings.doubleOptInHint}
        defaultChecked={book?.doubleOptInEnabled}
      />
    </FormDialog>
  );
}
