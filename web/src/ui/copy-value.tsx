import './copy-value.css';
import { useState } from 'react';
import { IconButton } from './button.tsx';

/** Shows a single value, such as the content of a DNS record, with a copy button. */
export function CopyValue({ value, copy, copied }: { value: string; copy: string; copied: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copyToClipboard = async () => {
    await navigator.clipboard?.writeText(value);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
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
