import './preview-frame.css';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/form/field.tsx';
import { PostedFrame } from '../../ui/posted-frame.tsx';
import type { PreviewView } from './address.ts';
import { markMissingVariables, splitText } from './missing-variables.ts';
import { templateStrings } from './strings.ts';

interface PreviewFrameProps {
  subject: string;
  html: string | null;
  text: string;
  /** Names of variables without a value, which are highlighted. */
  missing?: readonly string[];
  view: PreviewView;
  show(changes: PreviewView): void;
}

/** Previews an email at desktop or phone width, on a light or dark background, or as text. */
export function PreviewFrame({ subject, html, text, missing = [], view, show }: PreviewFrameProps) {
  const { width = 'desk', paper = 'light', part = 'html' } = view;
  return (
    <>
      <div className="preview-looks">
        <Select
          label={templateStrings.part}
          value={part}
          options={Object.entries(templateStrings.parts)}
          onChange={({ target }) => show({ part: target.value === 'text' ? 'text' : undefined })}
        />
        <Select
          label={templateStrings.width}
          value={width}
          options={Object.entries(templateStrings.widths)}
          onChange={({ target }) => show({ width: target.value === 'phone' ? 'phone' : undefined })}
        />
        <Select
          label={templateStrings.background}
          value={paper}
          options={Object.entries(templateStrings.backgrounds)}
          onChange={({ target }) => show({ paper: target.value === 'dark' ? 'dark' : undefined })}
        />
      </div>
      <div className={`preview ${width}`}>
        <p className="preview-subject">
          <MarkedText text={subject} missing={missing} />
        </p>
        {part === 'text' ? (
          <pre className={`preview-text ${paper}`}>
            <MarkedText text={text} missing={missing} />
          </pre>
        ) : html === null ? (
          <EmptyState title={templateStrings.noHtml} />
        ) : (
          <PostedFrame
            to={paper === 'dark' ? '/email/preview?look=dark' : '/email/preview'}
            html={markMissingVariables(html, missing)}
            title={templateStrings.previewTitle(subject)}
          />
        )}
      </div>
    </>
  );
}

const MarkedText = ({ text, missing }: { text: string; missing: readonly string[] }) =>
  splitText(text, missing).map(({ text: part, isMissing }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id and are identified by position
    isMissing ? <mark key={index}>{part}</mark> : part,
  );
