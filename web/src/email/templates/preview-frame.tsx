import './preview-frame.css';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { PostedFrame } from '../../ui/posted-frame.tsx';
import type { PreviewView } from './address.ts';
import { markMissing, splitPieces } from './missing-marks.ts';
import { templateWords } from './words.ts';

interface PreviewFrameProps {
  subject: string;
  html: string | null;
  text: string;
  /** Variables without a value, which are marked where they stand. */
  missing?: readonly string[];
  view: PreviewView;
  show(changes: PreviewView): void;
}

/** An email as its readers see it: on a desk or a phone, on light or dark paper, or as text. */
export function PreviewFrame({ subject, html, text, missing = [], view, show }: PreviewFrameProps) {
  const { width = 'desk', paper = 'light', part = 'html' } = view;
  return (
    <>
      <div className="preview-looks">
        <Select
          label={templateWords.part}
          value={part}
          options={Object.entries(templateWords.parts)}
          onChange={({ target }) => show({ part: target.value === 'text' ? 'text' : undefined })}
        />
        <Select
          label={templateWords.width}
          value={width}
          options={Object.entries(templateWords.widths)}
          onChange={({ target }) => show({ width: target.value === 'phone' ? 'phone' : undefined })}
        />
        <Select
          label={templateWords.paper}
          value={paper}
          options={Object.entries(templateWords.papers)}
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
          <EmptyState title={templateWords.noHtml} />
        ) : (
          <PostedFrame
            to={paper === 'dark' ? '/email/preview?look=dark' : '/email/preview'}
            html={markMissing(html, missing)}
            title={templateWords.previewOf(subject)}
          />
        )}
      </div>
    </>
  );
}

const MarkedText = ({ text, missing }: { text: string; missing: readonly string[] }) =>
  splitPieces(text, missing).map(({ text: piece, isMissing }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has nothing but its place
    isMissing ? <mark key={at}>{piece}</mark> : piece,
  );
