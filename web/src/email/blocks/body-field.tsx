import { useState } from 'react';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextArea } from '../../ui/field.tsx';
import type { BlockEditorProps } from './block-editor.tsx';
import { BlockEditor } from './lazy-block-editor.tsx';
import { blockWords } from './words.ts';

interface BodyFieldProps extends Omit<BlockEditorProps, 'label' | 'onChange' | 'error'> {
  html: string;
  htmlHint: string;
  onChange(body: { html: string; content: string }): void;
  error: { html: string | null; content: string | null };
  /** Blocks to begin with. */
  starter: string;
}

/** What an email says: blocks, or HTML as it was written. Each stays what it is until somebody asks for the other. */
export function BodyField({ html, htmlHint, content, starter, onChange, error, ...blocks }: BodyFieldProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { disabled } = blocks;
  const convert = () => {
    onChange(content ? { html, content: '' } : { html, content: starter });
    setConfirming(false);
  };
  return (
    <div className="body-field">
      {content ? (
        <BlockEditor
          {...blocks}
          label={blockWords.content}
          content={content}
          error={error.content ?? error.html}
          onChange={(next) => onChange({ html, content: next })}
        />
      ) : (
        <TextArea
          label={blockWords.html}
          hint={htmlHint}
          className="code"
          rows={14}
          spellCheck={false}
          dir="ltr"
          value={html}
          disabled={disabled}
          error={error.html ?? error.content}
          onChange={({ target }) => onChange({ html: target.value, content: '' })}
        />
      )}
      {!disabled && (
        <div className="buttons">
          <Button onClick={() => (content || html ? setConfirming(true) : convert())}>
            {content ? blockWords.toHtml : blockWords.toBlocks}
          </Button>
        </div>
      )}
      {isConfirming && (
        <Confirm
          title={content ? blockWords.toHtml : blockWords.toBlocks}
          yes={content ? blockWords.toHtml : blockWords.toBlocks}
          no={shellWords.close}
          onYes={async () => convert()}
          onClose={() => setConfirming(false)}
        >
          <p>{content ? blockWords.toHtmlText : blockWords.toBlocksText}</p>
        </Confirm>
      )}
    </div>
  );
}
