import './copy-value.css';
import { useState } from 'react';
import { IconButton } from './button.tsx';

/** Shows a single value, such as the content of a DNS record, with a copy button. */
export const CopyValue = ({ value, copy, copied }: { value: string; copy: string; copied: string }) => (
  <span className="copy-value">
    <code>{value}</code>
    <CopyButton text={value} label={copy} copied={copied} />
  </span>
);

export function CopyButton({ text, label, copied }: { text: string; label: string; copied: string }) {
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
      label={isCopied ? copied : label}
      onClick={copyToClipboard}
    />
  );
}
