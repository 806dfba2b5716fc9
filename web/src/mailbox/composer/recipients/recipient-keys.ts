interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

interface FieldContent {
  text: string;
  hasSuggestions: boolean;
  hasRecipients: boolean;
}

type RecipientCommand = 'add' | 'add-and-leave' | 'close-suggestions' | 'remove-last';

/** Returns what a key does in a recipient field, or null for the default action. */
export function getRecipientCommand(
  { key, ctrlKey, metaKey, shiftKey }: PressedKey,
  { text, hasSuggestions, hasRecipients }: FieldContent,
): RecipientCommand | null {
  switch (key) {
    case 'Enter':
      return ctrlKey || metaKey ? null : 'add';
    case ',':
    case ';':
      // Within quotes, separators are part of the name.
      return text.includes('"') ? null : 'add';
    case 'Escape':
      return hasSuggestions ? 'close-suggestions' : null;
    case 'Tab':
      return !shiftKey && text.trim() ? 'add-and-leave' : null;
    case 'Backspace':
      return text === '' && hasRecipients ? 'remove-last' : null;
    default:
      return null;
  }
}
