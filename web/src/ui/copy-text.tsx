import './copy-text.css';
import { CopyButton } from './copy-value.tsx';
import { uiStrings } from './strings.ts';

interface CopyTextProps {
  label: string;
  text: string;
}

/** Shows a block of text, such as code, with a copy button. */
export const CopyText = ({ label, text }: CopyTextProps) => (
  <div className="copy-text">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll long lines */}
    <section className="scroll-x" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
    <CopyButton text={text} label={`${uiStrings.copy}: ${label}`} />
  </div>
);
