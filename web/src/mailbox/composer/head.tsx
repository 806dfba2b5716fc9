import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { Recipients } from './recipients/recipients.tsx';
import { composerStrings } from './strings.ts';
import type { ComposerState } from './use-composer.ts';

export interface Sender {
  id: string;
  email: string;
  signature: string;
  /** Kinds of messages that receive the signature. */
  signaturePolicy: string;
}

interface ComposerHeadProps {
  writing: ComposerState;
  senders: readonly Sender[];
  isRich: boolean;
  isAnswer: boolean;
}

export function ComposerHead({ writing, senders, isRich, isAnswer }: ComposerHeadProps) {
  const { head, editHead, hasCopies, getFieldError } = writing;
  const { mailbox } = head;
  const isFixed = isAnswer || writing.files.all.length > 0;
  return (
    <div className="composer-head">
      {senders.length > 1 && (
        <Select
          label={composerStrings.from}
          value={mailbox}
          options={senders.map(({ id, email }) => [id, email] as const)}
          disabled={isFixed}
          hint={isFixed ? composerStrings.fromFixed : undefined}
          onChange={({ target }) => editHead({ mailbox: target.value })}
        />
      )}
      {/* Precedes the recipients in the tab order, so that Tab moves from the recipients to the subject. */}
      <div className="composer-to">
        {isRich && !hasCopies && (
          <Button look="ghost" onClick={() => writing.dispatch({ kind: 'show-copies' })}>
            {composerStrings.showCopies}
          </Button>
        )}
        <Recipients
          field={writing.toField}
          label={composerStrings.to}
          mailbox={mailbox}
          value={head.to}
          error={getFieldError('to')}
          onChange={(value) => editHead({ to: value })}
        />
      </div>
      {isRich &&
        hasCopies &&
        (['cc', 'bcc'] as const).map((field) => (
          <Recipients
            key={field}
            label={composerStrings[field]}
            mailbox={mailbox}
            value={head[field]}
            error={getFieldError(field)}
            onChange={(value) => editHead({ [field]: value })}
          />
        ))}
      <Field
        label={composerStrings.subject}
        value={head.subject}
        maxLength={998}
        error={getFieldError('subject')}
        onChange={({ target }) => editHead({ subject: target.value })}
      />
      {!isRich && <p className="quiet small">{composerStrings.formattingDisabled}</p>}
    </div>
  );
}
