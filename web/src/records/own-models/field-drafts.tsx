import { type RefObject, useEffect, useRef } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, Field, type OptionGroup, Select, TextArea } from '../../ui/field.tsx';
import { createDraft, FIELD_KINDS, type FieldDraft, isLink } from './field-draft.ts';
import { ownModelWords } from './words.ts';

interface FieldDraftsProps {
  drafts: FieldDraft[];
  onChange(drafts: FieldDraft[]): void;
  /** Lists that a link can lead to. */
  models?: OptionGroup[] | undefined;
  /** Why the server took none of them. */
  refusal: RequestFailure | null;
}

/** Fields that are to be added, in the order in which a form will show them. */
export function FieldDrafts({ drafts, onChange, models, refusal }: FieldDraftsProps) {
  const list = useRef<HTMLOListElement>(null);
  const next = useRef(drafts.length);
  useFocusOnNew(list, drafts.length);
  const set = (at: number, changes: Partial<FieldDraft>) =>
    onChange(drafts.with(at, { ...drafts[at]!, ...changes }));
  const rejectedIndex = refusal?.argument?.match(/\b(?:create|inputs)\[?\.?(\d+)/)?.[1];
  return (
    <>
      <ol ref={list} className="field-drafts">
        {drafts.map((draft, index) => (
          <li key={draft.key} className="card">
            <Field
              label={ownModelWords.labelOf(index + 1)}
              value={draft.label}
              required
              maxLength={100}
              autoComplete="off"
              error={rejectedIndex === String(index) ? refusal!.message : null}
              onChange={({ target }) => set(index, { label: target.value })}
            />
            <Select
              label={ownModelWords.kindOf(index + 1)}
              value={draft.kind}
              options={FIELD_KINDS.map((kind) => [kind, ownModelWords.kinds[kind]] as const)}
              onChange={({ target }) =>
                set(index, { kind: FIELD_KINDS.find((kind) => kind === target.value)! })
              }
            />
            {isLink(draft.kind) && (
              <Select
                label={ownModelWords.relation}
                value={draft.relation}
                required
                options={[['', '']]}
                groups={models}
                onChange={({ target }) => set(index, { relation: target.value })}
              />
            )}
            {draft.kind === 'SELECTION' && (
              <TextArea
                label={ownModelWords.options}
                hint={ownModelWords.optionsHint}
                value={draft.options}
                required
                onChange={({ target }) => set(index, { options: target.value })}
              />
            )}
            <Field
              label={ownModelWords.help}
              hint={ownModelWords.helpHint}
              value={draft.help}
              autoComplete="off"
              onChange={({ target }) => set(index, { help: target.value })}
            />
            <div className="field-draft-end">
              <Checkbox
                label={ownModelWords.required}
                checked={draft.required}
                onChange={({ target }) => set(index, { required: target.checked })}
              />
              <IconButton
                icon="trash"
                label={ownModelWords.removeDraft(index + 1)}
                onClick={() => onChange(drafts.toSpliced(index, 1))}
              />
            </div>
          </li>
        ))}
      </ol>
      <Button
        icon="plus"
        onClick={() => {
          onChange([...drafts, createDraft(next.current)]);
          next.current += 1;
        }}
      >
        {ownModelWords.addField}
      </Button>
    </>
  );
}

/** Who adds a field goes on with its label. */
function useFocusOnNew(list: RefObject<HTMLOListElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus();
    before.current = count;
  }, [list, count]);
}
