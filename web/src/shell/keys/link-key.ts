/** True for Ctrl+K, or Cmd+K on a Mac, which inserts a link in a text with formatting. */
export const isLinkKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'k';
