import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import { client } from '../../../graphql/client.ts';
import { useDelayedSearch } from '../../../shell/use-delayed-search.ts';
import { stepSelection } from '../../../ui/form/suggestion-list.tsx';
import { MailSuggestionsDocument } from '../generated.ts';
import { getRecipientCommand } from './recipient-keys.ts';
import { formatRecipient, isAddress, removeDuplicateRecipients, splitRecipients } from './recipient-text.ts';

interface RecipientInputOptions {
  mailbox: string;
  value: readonly string[];
  onChange(value: string[]): void;
}

export function useRecipientInput({ mailbox, value, onChange }: RecipientInputOptions) {
  const [text, setText] = useState('');
  /** Suggestion selected with arrow keys. */
  const [moved, setMoved] = useState<number>();
  const [isClosed, setIsClosed] = useState(false);
  const found = useDelayedSearch(text.trim(), (query) => findSuggestions(mailbox, query)) ?? [];
  const suggestions = isClosed ? [] : found;
  // A complete address is used as typed. Other text selects the first suggestion.
  const selected = moved ?? (suggestions.length > 0 && !isAddress(text) ? 0 : -1);
  const latest = useRef(value);
  latest.current = value;
  const write = (text: string) => {
    setText(text);
    setMoved(undefined);
    setIsClosed(false);
  };
  const addRecipients = (text: string) => {
    const next = splitRecipients(text);
    if (next.length > 0) onChange(removeDuplicateRecipients([...latest.current, ...next]));
  };
  const add = (text: string) => {
    write('');
    addRecipients(text);
  };
  /** Adds the selected suggestion, after waiting for the suggestions if necessary. */
  const addTyped = async () => {
    const query = text.trim();
    if (suggestions[selected] || isClosed || query === '' || isAddress(query))
      return add(suggestions[selected] ?? text);
    write('');
    const [first] = await findSuggestions(mailbox, query);
    addRecipients(first ?? query);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = stepSelection(event.key, selected, suggestions.length);
    const content = { text, hasSuggestions: suggestions.length > 0, hasRecipients: value.length > 0 };
    const command = getRecipientCommand(event, content);
    if (next !== undefined) setMoved(next);
    else if (command === 'add' || command === 'add-and-leave') void addTyped();
    else if (command === 'close-suggestions') setIsClosed(true);
    else if (command === 'remove-last') onChange(value.slice(0, -1));
    else return;
    if (command === 'add-and-leave') return;
    event.preventDefault();
    event.stopPropagation();
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text/plain');
    if (!/[,;\n@]/.test(pasted)) return;
    event.preventDefault();
    add(text + pasted);
  };
  return { text, suggestions, selected, write, add, press, paste };
}

async function findSuggestions(mailbox: string, query: string): Promise<string[]> {
  const { data } = await client.query(MailSuggestionsDocument, { mailbox, query }).toPromise();
  return (data?.mailSuggestions ?? []).map(formatRecipient);
}
