/** Returns true for Ctrl+K, or Cmd+K on a Mac, which inserts a link in formatted text. */
export const isLinkKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'k';
