import './copy-value.css';
import { useState } from 'react';
import { IconButton } from './button.tsx';

/** Text to take elsewhere, such as the value of a DNS record, with a button that copies it. */
export function CopyValue({ value, copy, copied }: { value: string; copy: string; copied: string }) {
  const [isCopied, setCopied] = useState(false);
  const copyToClipboard = async () => {
    await navigator.clipboard?.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <span className="copy-value">
      <code>{value}</code>
      {navigator.clipboard && (
        <IconButton
          icon={isCopied ? 'check' : 'copy'}
          label={isCopied ? copied : copy}
          onClick={copyToClipboard}
        />
      )}
    </span>
  );
}
