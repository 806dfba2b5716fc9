import { type RefObject, useEffect, useRef } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, Field, type OptionGroup, Select, TextArea } from '../../ui/form/field.tsx';
import { createDraft, FIELD_KINDS, type FieldDraft, isLink } from './field-draft.ts';
import { ownModelStrings } from './strings.ts';

interface FieldDraftsProps {
  drafts: FieldDraft[];
  onChange(drafts: FieldDraft[]): void;
  models?: OptionGroup[] | undefined;
  refusal: RequestFailure | null;
}

export function FieldDrafts({ drafts, onChange, models, refusal }: FieldDraftsProps) {
  const list = useRef<HTMLOListElement>(null);
  const next = useRef(drafts.length);
  useFocusOnNew(list, drafts.length);
  const rejectedIndex = refusal?.argument?.match(/\b(?:create|inputs)\[?\.?(\d+)/)?.[1];
  return (
    <>
      <ol ref={list} className="stack field-drafts">
        {drafts.map((draft, index) => (
          <FieldDraftInputs
            key={draft.key}
            draft={draft}
            number={index + 1}
            models={models}
            error={rejectedIndex === String(index) ? refusal!.message : null}
            onChange={(changes) => onChange(drafts.with(index, { ...draft, ...changes }))}
            onRemove={() => onChange(drafts.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <Button
        icon="plus"
        onClick={() => {
          onChange([...drafts, createDraft(next.current)]);
          next.current += 1;
        }}
      >
        {ownModelStrings.addField}
      </Button>
    </>
  );
}

interface FieldDraftInputsProps {
  draft: FieldDraft;
  /** Position in the list, starting with 1. */
  number: number;
  models: OptionGroup[] | undefined;
  error: string | null;
  onChange(changes: Partial<FieldDraft>): void;
  onRemove(): void;
}

const FieldDraftInputs = ({ draft, number, models, error, onChange, onRemove }: FieldDraftInputsProps) => (
  <li className="card">
    <Field
      label={ownModelStrings.fieldLabel(number)}
      value={draft.label}
      required
      maxLength={100}
      error={error}
      onChange={({ target }) => onChange({ label: target.value })}
    />
    <Select
      label={ownModelStrings.fieldKind(number)}
      value={draft.kind}
      options={FIELD_KINDS.map((kind) => [kind, ownModelStrings.kinds[kind]] as const)}
      onChange={({ target }) => onChange({ kind: FIELD_KINDS.find((kind) => kind === target.value)! })}
    />
    {isLink(draft.kind) && (
      <Select
        label={ownModelStrings.relation}
        value={draft.relation}
        required
        options={[['', '']]}
        groups={models}
        onChange={({ target }) => onChange({ relation: target.value })}
      />
    )}
    {draft.kind === 'SELECTION' && (
      <TextArea
        label={ownModelStrings.options}
        hint={ownModelStrings.optionsHint}
        value={draft.options}
        required
        onChange={({ target }) => onChange({ options: target.value })}
      />
    )}
    <Field
      label={ownModelStrings.help}
      hint={ownModelStrings.helpHint}
      value={draft.help}
      onChange={({ target }) => onChange({ help: target.value })}
    />
    <div className="field-draft-end">
      <Checkbox
        label={ownModelStrings.required}
        checked={draft.required}
        onChange={({ target }) => onChange({ required: target.checked })}
      />
      <IconButton icon="trash" label={ownModelStrings.removeDraft(number)} onClick={onRemove} />
    </div>
  </li>
);

function useFocusOnNew(list: RefObject<HTMLOListElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus();
    before.current = count;
  }, [list, count]);
}
