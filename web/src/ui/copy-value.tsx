import './copy-value.css';
import { useState } from 'react';
import { shellStrings } from '../i18n/shell-strings.ts';
import { IconButton } from './button.tsx';

/** Shows a single value, such as the content of a DNS record, with a copy button. */
export const CopyValue = ({ value, label }: { value: string; label?: string }) => (
  <span className="copy-value">
    <code>{value}</code>
    <CopyButton text={value} label={label} />
  </span>
);

export function CopyButton({
  text,
  label = shellStrings.copy,
}: {
  text: string;
  label?: string | undefined;
}) {
  const [isCopied, setIsCopied] = useState(false);
  if (!navigator.clipboard) return null;
  const copyToClipboard = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? shellStrings.copied : label}
      onClick={copyToClipboard}
    />
  );
}
