import { useState } from 'react';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import type { BlockEditorProps } from './block-editor.tsx';
import { HtmlField } from './html-field.tsx';
import { BlockEditor } from './lazy-block-editor.tsx';
import { blockStrings } from './strings.ts';

interface BodyFieldProps extends Omit<BlockEditorProps, 'label' | 'onChange' | 'error'> {
  html: string;
  htmlHint: string;
  onChange(body: { html: string; content: string }): void;
  error: { html: string | null; content: string | null };
  starter: string;
}

/** Edits an email's body, as blocks or as HTML. The user decides when the format changes. */
export function BodyField({ html, htmlHint, content, starter, onChange, error, ...blocks }: BodyFieldProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const { disabled } = blocks;
  const convert = () => {
    onChange(content ? { html, content: '' } : { html, content: starter });
    setIsConfirming(false);
  };
  return (
    <div className="body-field">
      {content ? (
        <BlockEditor
          {...blocks}
          label={blockStrings.content}
          content={content}
          error={error.content ?? error.html}
          onChange={(next) => onChange({ html, content: next })}
        />
      ) : (
        <HtmlField
          label={blockStrings.html}
          hint={htmlHint}
          value={html}
          variables={blocks.variables}
          disabled={disabled}
          error={error.html ?? error.content}
          onChange={(next) => onChange({ html: next, content: '' })}
        />
      )}
      {!disabled && (
        <div className="buttons">
          <Button onClick={() => (content || html ? setIsConfirming(true) : convert())}>
            {content ? blockStrings.editAsHtml : blockStrings.editAsBlocks}
          </Button>
        </div>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={content ? blockStrings.editAsHtml : blockStrings.editAsBlocks}
          yes={content ? blockStrings.editAsHtml : blockStrings.editAsBlocks}
          onYes={async () => convert()}
          text={content ? blockStrings.editAsHtmlText : blockStrings.editAsBlocksText}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </div>
  );
}
