import { useEffect, useId, useState } from 'react';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Field } from '../../ui/form/field.tsx';
import { useDebounced } from '../../ui/input/use-debounced.ts';
import { getContactValues } from './contact-values.ts';
import { SampleContactsDocument } from './generated.ts';
import { templateStrings } from './strings.ts';
import { DEBOUNCE_MS } from './use-preview.ts';

interface SampleContactProps {
  names: string[];
  onChoose(values: Record<string, string>): void;
}

/** Inserts a contact's values. Suggests contacts while the address is typed. */
export function SampleContact({ names, onChoose }: SampleContactProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const query = useDebounced(typed.trim(), DEBOUNCE_MS);
  const { data } = useGraphqlQuery(SampleContactsDocument, { q: query, first: MAX_SUGGESTIONS });
  const contacts = data?.contacts.nodes ?? [];
  const selected = contacts.find(({ email }) => email.toLowerCase() === typed.trim().toLowerCase());
  // biome-ignore lint/correctness/useExhaustiveDependencies: fills in the values once; users can edit them afterward
  useEffect(() => {
    if (selected) onChoose(getContactValues(selected, names));
  }, [selected?.id]);
  const isUnknown = query !== '' && query === typed.trim() && data !== undefined && contacts.length === 0;
  return (
    <>
      <Field
        type="email"
        list={id}
        label={templateStrings.sampleContact}
        hint={isUnknown ? templateStrings.noMatchingContacts : templateStrings.sampleContactHint}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <datalist id={id}>
        {contacts.map((contact) => (
          <option key={contact.id} value={contact.email}>
            {contact.book?.name}
          </option>
        ))}
      </datalist>
    </>
  );
}

const MAX_SUGGESTIONS = 10;
