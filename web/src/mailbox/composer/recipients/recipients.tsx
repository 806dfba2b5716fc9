import { type Ref, useId } from 'react';
import { getComboboxProps, SuggestionList } from '../../../ui/form/suggestion-list.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { composerStrings } from '../strings.ts';
import { getRecipientLabel, isAddress } from './recipient-text.ts';
import { useRecipientInput } from './use-recipient-input.ts';

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
  const input = useRecipientInput({ mailbox, value, onChange });
  const invalidAddress = value.find((item) => !isAddress(item));
  const message = error ?? (invalidAddress ? composerStrings.invalidAddress(invalidAddress) : null);
  return (
    <div className="recipients">
      <label htmlFor={id}>{label}</label>
      <div className="chips">
        {value.map((item) => (
          <RecipientChip
            key={item}
            recipient={item}
            onRemove={() => onChange(value.filter((other) => other !== item))}
          />
        ))}
        <input
          ref={field}
          {...getComboboxProps(id, input.suggestions.length, input.selected)}
          value={input.text}
          aria-invalid={message ? true : undefined}
          aria-describedby={message ? `${id}-about` : undefined}
          onChange={({ target }) => input.write(target.value)}
          onKeyDown={input.press}
          onPaste={input.paste}
          onBlur={() => input.add(input.text)}
        />
      </div>
      <SuggestionList
        id={id}
        label={label}
        className="suggestions"
        items={input.suggestions}
        selected={input.selected}
        getKey={(item) => item}
        renderItem={(item) => item}
        onChoose={input.add}
      />
      {message && (
        <p id={`${id}-about`} className="wrong small" role="alert">
          {message}
        </p>
      )}
    </div>
  );
}

const RecipientChip = ({ recipient, onRemove }: { recipient: string; onRemove(): void }) => (
  <span className={isAddress(recipient) ? 'chip' : 'chip wrong'} title={recipient}>
    {getRecipientLabel(recipient)}
    <button
      type="button"
      aria-label={composerStrings.remove(getRecipientLabel(recipient))}
      onClick={onRemove}
    >
      <Icon name="close" />
    </button>
  </span>
);
