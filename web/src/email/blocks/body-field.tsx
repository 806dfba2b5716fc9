import { useState } from 'react';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import type { BlockEditorProps } from './block-editor.tsx';
import { HtmlField } from './html-field.tsx';
import { BlockEditor } from './lazy-block-editor.tsx';
import { addFooter } from './starter-document.ts';
import { blockStrings } from './strings.ts';

interface BodyFieldProps extends Omit<BlockEditorProps, 'label' | 'onChange' | 'error'> {
  html: string;
  htmlHint: string;
  onChange(body: { html: string; content: string }): void;
  error: { html: string | null; content: string | null };
  starter: string;
  /** Offers to insert the unsubscribe footer into blocks that were refused without it. */
  needsFooter?: boolean;
}

/** Edits an email's body, as blocks or as HTML. The user decides when the format changes. */
export function BodyField(props: BodyFieldProps) {
  const { html, htmlHint, content, starter, needsFooter, onChange, error, ...blocks } = props;
  const [isConfirming, setIsConfirming] = useState(false);
  const { disabled } = blocks;
  const isRefused = Boolean(error.content ?? error.html);
  const withFooter = needsFooter && content && isRefused ? addFooter(content, blockStrings.footer) : content;
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
          {withFooter !== content && (
            <Button icon="unsubscribe" onClick={() => onChange({ html, content: withFooter })}>
              {blockStrings.tools.unsubscribeFooter}
            </Button>
          )}
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
