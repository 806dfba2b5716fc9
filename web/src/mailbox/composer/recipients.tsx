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
  const [isClosed, setClosed] = useState(false);
  const suggestions = useDelayedSearch(typed.trim(), (query) => findSuggestions(mailbox, query)) ?? [];
  const found = isClosed ? [] : suggestions;
  // A complete address is used as typed. Other text selects the first suggestion.
  const selected = moved ?? (found.length > 0 && !isAddress(typed) ? 0 : -1);
  const write = (text: string) => {
    setTyped(text);
    setMoved(undefined);
    setClosed(false);
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
    if (found[selected] || isClosed || query === '' || isAddress(query)) return add(found[selected] ?? typed);
    write('');
    const [first] = await findSuggestions(mailbox, query);
    addRecipients(first ?? query);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step && found.length > 0)
      setMoved((Math.max(selected, step < 0 ? 0 : -1) + step + found.length) % found.length);
    else if (key === 'Enter' && !event.ctrlKey && !event.metaKey) void addTyped();
    else if ((key === ',' || key === ';') && !typed.includes('"')) void addTyped();
    else if (key === 'Escape' && found.length > 0) setClosed(true);
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
  const wrong = value.find((each) => !isAddress(each));
  const message = error ?? (wrong ? composerStrings.notAddress(wrong) : null);
  return (
    <div className="recipients">
      <label htmlFor={id}>{label}</label>
      <div className="chips">
        {value.map((each) => (
          <span key={each} className={isAddress(each) ? 'chip' : 'chip wrong'} title={each}>
            {getRecipientLabel(each)}
            <button
              type="button"
              aria-label={composerStrings.remove(getRecipientLabel(each))}
              onClick={() => onChange(value.filter((other) => other !== each))}
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
          aria-expanded={found.length > 0}
          aria-controls={`${id}-found`}
          aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
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
        hidden={found.length === 0}
      >
        {found.map((each, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={each}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === selected}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(each)}
          >
            {each}
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
