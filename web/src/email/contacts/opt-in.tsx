import { BackLink } from '../../shell/back-link.tsx';
import './contacts.css';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { SaveButtons } from '../../shell/save-buttons.tsx';
import { Screen } from '../../shell/screen.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox, Field } from '../../ui/form/field.tsx';
import { Form, FormError } from '../../ui/form/form.tsx';
import { findLaterEdits } from '../../ui/form/later-edits.ts';
import { showToast } from '../../ui/toasts.tsx';
import { BlockEditor } from '../blocks/lazy-block-editor.tsx';
import { ContactBookUpdateDocument, type OptInFactsFragment, OptInMailDocument } from './generated.ts';
import { contactStrings } from './strings.ts';

export function OptInPage() {
  const { book: id } = useParams({ from: '/email/contacts/$book/opt-in' });
  const { data, refusal, reload } = useGraphqlQuery(OptInMailDocument, { id });
  const book = data?.contactBook;
  return (
    <Screen title={contactStrings.optIn} needs="contactBookUpdate">
      <BackLink to="/email/contacts/$book" params={{ book: id }}>
        {book ? `${book.emoji} ${book.name}` : contactStrings.book}
      </BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !book && <EmptyState title={contactStrings.bookNotFound} />}
      {book && <OptInForm key={book.id} book={book} />}
    </Screen>
  );
}

const getOptInSettings = (book: OptInFactsFragment) => ({
  doubleOptInEnabled: book.doubleOptInEnabled,
  doubleOptInFrom: book.doubleOptInFrom ?? '',
  doubleOptInSubject: book.doubleOptInSubject ?? '',
  doubleOptInContent: book.doubleOptInContent ?? '',
});

type OptInSettings = ReturnType<typeof getOptInSettings>;

function OptInForm({ book }: { book: OptInFactsFragment }) {
  const [stored, setStored] = useState(getOptInSettings(book));
  const [edited, setEdited] = useState(stored);
  const { expectedVersion, setExpectedVersion, ...action } = useFormAction(book.version, edited);
  const changed = (Object.keys(stored) as (keyof OptInSettings)[]).filter(
    (name) => edited[name] !== stored[name],
  );
  const changes = Object.fromEntries(changed.map((name) => [name, edited[name]]));
  const save = () =>
    action.act(async () => {
      const { contactBookUpdate } = await runMutation(ContactBookUpdateDocument, {
        id: book.id,
        book: changes,
        expectedVersion,
      });
      // The server replaces empty values with defaults.
      const saved = getOptInSettings(contactBookUpdate);
      setExpectedVersion(contactBookUpdate.version);
      setStored(saved);
      setEdited((now) => ({ ...saved, ...findLaterEdits(edited, now) }));
      showToast(contactStrings.saved(contactStrings.optIn));
    });
  const fields = ['doubleOptInFrom', 'doubleOptInSubject', 'doubleOptInContent'];
  return (
    <Form onSubmit={save}>
      <UnsavedGuard isDirty={changed.length > 0} />
      <Checkbox
        label={contactStrings.doubleOptIn}
        hint={contactStrings.doubleOptInHint}
        checked={edited.doubleOptInEnabled}
        onChange={({ target }) => setEdited({ ...edited, doubleOptInEnabled: target.checked })}
      />
      <Field
        label={contactStrings.from}
        hint={contactStrings.optInFromHint}
        value={edited.doubleOptInFrom}
        error={action.getFieldError('doubleOptInFrom')}
        onChange={({ target }) => setEdited({ ...edited, doubleOptInFrom: target.value })}
      />
      <Field
        label={contactStrings.subject}
        value={edited.doubleOptInSubject}
        error={action.getFieldError('doubleOptInSubject')}
        onChange={({ target }) => setEdited({ ...edited, doubleOptInSubject: target.value })}
      />
      <BlockEditor
        label={contactStrings.content}
        content={edited.doubleOptInContent}
        variables={['doubleOptInUrl', 'firstName', 'lastName', 'email', ...book.variables]}
        hasFallbacks
        error={action.getFieldError('doubleOptInContent')}
        onChange={(content) => setEdited({ ...edited, doubleOptInContent: content })}
      />
      <FormError message={action.getFormError(fields)} />
      <SaveButtons isBusy={action.isBusy} isDirty={changed.length > 0} onDiscard={() => setEdited(stored)} />
    </Form>
  );
}
