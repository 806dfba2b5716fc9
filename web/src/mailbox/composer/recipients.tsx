import { type ClipboardEvent, type KeyboardEvent, type Ref, useId, useRef, useState } from 'react';
import { client } from '../../graphql/client.ts';
import { useDelayedSearch } from '../../shell/use-delayed-search.ts';
import { Icon } from '../../ui/icon.tsx';
import { MailSuggestionsDocument } from './generated.ts';
import { formatRecipient, getRecipientLabel, isAddress, splitRecipients } from './recipient-text.ts';
import { uniqueRecipients } from './reply.ts';
import { composerStrings } from './strings.ts';

interface RecipientsProps {
  label: string;
  mailbox: string;
  value: readonly string[];
  error: string | null;
  field?: Ref<HTMLInputElement>;
  onChange(value: string[]): void;
}

export function Recipients({ label, mailbox, value, error, field, onChange }: RecipientsProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [moved, setMoved] = useState<number>();
  const [isClosed, setIsClosed] = useState(false);
  const suggestions = useDelayedSearch(typed.trim(), (query) => findSuggestions(mailbox, query)) ?? [];
  const matches = isClosed ? [] : suggestions;
  // A complete address is used as typed. Other text selects the first suggestion.
  const selectedCount = moved ?? (matches.length > 0 && !isAddress(typed) ? 0 : -1);
  const write = (text: string) => {
    setTyped(text);
    setMoved(undefined);
    setIsClosed(false);
  };
  const latest = useRef(value);
  latest.current = value;
  const addRecipients = (text: string) => {
    const next = splitRecipients(text);
    if (next.length > 0) onChange(uniqueRecipients([...latest.current, ...next]));
  };
  const add = (text: string) => {
    write('');
    addRecipients(text);
  };
  /** Adds the selected suggestion. If the suggestions are still loading, waits for them. */
  const addTyped = async () => {
    const query = typed.trim();
    if (matches[selectedCount] || isClosed || query === '' || isAddress(query))
      return add(matches[selectedCount] ?? typed);
    write('');
    const [first] = await findSuggestions(mailbox, query);
    addRecipients(first ?? query);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step && matches.length > 0)
      setMoved((Math.max(selectedCount, step < 0 ? 0 : -1) + step + matches.length) % matches.length);
    else if (key === 'Enter' && !event.ctrlKey && !event.metaKey) void addTyped();
    else if ((key === ',' || key === ';') && !typed.includes('"')) void addTyped();
    else if (key === 'Escape' && matches.length > 0) setIsClosed(true);
    else if (key === 'Tab' && !event.shiftKey && typed.trim()) return void addTyped();
    else if (key === 'Backspace' && typed === '' && value.length > 0) onChange(value.slice(0, -1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (!/[,;\n@]/.test(text)) return;
    event.preventDefault();
    add(typed + text);
  };
  const invalidAddress = value.find((item) => !isAddress(item));
  const message = error ?? (invalidAddress ? composerStrings.invalidAddress(invalidAddress) : null);
  return (
    <div className="recipients">
      <label htmlFor={id}>{label}</label>
      <div className="chips">
        {value.map((item) => (
          <span key={item} className={isAddress(item) ? 'chip' : 'chip wrong'} title={item}>
            {getRecipientLabel(item)}
            <button
              type="button"
              aria-label={composerStrings.remove(getRecipientLabel(item))}
              onClick={() => onChange(value.filter((other) => other !== item))}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
        <input
          ref={field}
          id={id}
          value={typed}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={matches.length > 0}
          aria-controls={`${id}-found`}
          aria-activedescendant={selectedCount >= 0 ? `${id}-${selectedCount}` : undefined}
          aria-invalid={message ? true : undefined}
          aria-describedby={message ? `${id}-about` : undefined}
          onChange={({ target }) => write(target.value)}
          onKeyDown={press}
          onPaste={paste}
          onBlur={() => add(typed)}
        />
      </div>
      <div
        id={`${id}-found`}
        className="suggestions"
        role="listbox"
        aria-label={label}
        hidden={matches.length === 0}
      >
        {matches.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys
          <div
            key={item}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selectedCount}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(item)}
          >
            {item}
          </div>
        ))}
      </div>
      {message && (
        <p id={`${id}-about`} className="wrong small" role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

async function findSuggestions(mailbox: string, query: string): Promise<string[]> {
  const { data } = await client.query(MailSuggestionsDocument, { mailbox, query }).toPromise();
  return (data?.mailSuggestions ?? []).map(formatRecipient);
}
