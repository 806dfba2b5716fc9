import './copy-text.css';
import { shellStrings } from '../i18n/shell-strings.ts';
import { CopyButton } from './copy-value.tsx';

/** Shows a block of text, such as code, with a copy button. */
export const CopyText = ({ label, text }: { label: string; text: string }) => (
  <div className="copy-text">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll long lines */}
    <section className="scroll-x" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <CopyButton text={text} label={`${shellStrings.copy}: ${label}`} />
  </div>
);
