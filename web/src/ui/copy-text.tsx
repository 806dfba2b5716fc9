import './copy-text.css';
import { useState } from 'react';
import { IconButton } from './button.tsx';

interface CopyTextProps {
  label: string;
  text: string;
  copy: string;
  copied: string;
}

/** Shows a block of text, such as code, with a copy button. */
export function CopyText({ label, text, copy, copied }: CopyTextProps) {
  const [isCopied, setIsCopied] = useState(false);
  const copyToClipboard = async () => {
    await navigator.clipboard?.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2_000);
  };
  return (
    <div className="copy-text">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll long lines */}
      <section className="scroll-x" tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      {navigator.clipboard && (
        <IconButton
          icon={isCopied ? 'check' : 'copy'}
          label={isCopied ? copied : `${copy}: ${label}`}
          onClick={copyToClipboard}
        />
      )}
    </div>
  );
}
