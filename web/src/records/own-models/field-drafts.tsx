import { type RefObject, useEffect, useRef } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, Field, type OptionGroup, Select, TextArea } from '../../ui/field.tsx';
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
  const set = (index: number, changes: Partial<FieldDraft>) =>
    onChange(drafts.with(index, { ...drafts[index]!, ...changes }));
  const rejectedIndex = refusal?.argument?.match(/\b(?:create|inputs)\[?\.?(\d+)/)?.[1];
  return (
    <>
      <ol ref={list} className="field-drafts">
        {drafts.map((draft, index) => (
          <li key={draft.key} className="card">
            <Field
              label={ownModelStrings.fieldLabel(index + 1)}
              value={draft.label}
              required
              maxLength={100}
              autoComplete="off"
              error={rejectedIndex === String(index) ? refusal!.message : null}
              onChange={({ target }) => set(index, { label: target.value })}
            />
            <Select
              label={ownModelStrings.fieldKind(index + 1)}
              value={draft.kind}
              options={FIELD_KINDS.map((kind) => [kind, ownModelStrings.kinds[kind]] as const)}
              onChange={({ target }) =>
                set(index, { kind: FIELD_KINDS.find((kind) => kind === target.value)! })
              }
            />
            {isLink(draft.kind) && (
              <Select
                label={ownModelStrings.relation}
                value={draft.relation}
                required
                options={[['', '']]}
                groups={models}
                onChange={({ target }) => set(index, { relation: target.value })}
              />
            )}
            {draft.kind === 'SELECTION' && (
              <TextArea
                label={ownModelStrings.options}
                hint={ownModelStrings.optionsHint}
                value={draft.options}
                required
                onChange={({ target }) => set(index, { options: target.value })}
              />
            )}
            <Field
              label={ownModelStrings.help}
              hint={ownModelStrings.helpHint}
              value={draft.help}
              autoComplete="off"
              onChange={({ target }) => set(index, { help: target.value })}
            />
            <div className="field-draft-end">
              <Checkbox
                label={ownModelStrings.required}
                checked={draft.required}
                onChange={({ target }) => set(index, { required: target.checked })}
              />
              <IconButton
                icon="trash"
                label={ownModelStrings.removeDraft(index + 1)}
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
        {ownModelStrings.addField}
      </Button>
    </>
  );
}

/** Focuses the label of an added field. */
function useFocusOnNew(list: RefObject<HTMLOListElement | null>, count: number): void {
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus();
    before.current = count;
  }, [list, count]);
}
