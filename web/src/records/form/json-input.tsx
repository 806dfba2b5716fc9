import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import type { DescribedField } from '../model.ts';
import { viewWords } from '../view-words.ts';

interface JsonInputProps {
  field: DescribedField;
  value: unknown;
  onEnter(value: unknown): void;
  error?: string | null;
}

/** Content of any shape, as JSON. What is none is said at once, and keeps the form from being saved. */
export function JsonInput({ field, value, onEnter, error }: JsonInputProps) {
  const [text, setText] = useState(() => jsonText(value));
  const input = useRef<HTMLDivElement>(null);
  const fault = jsonFault(text);
  const isSame = fault === null && JSON.stringify(jsonValue(text)) === JSON.stringify(value ?? null);
  const entered = useRef(value);
  // What came from elsewhere, such as by discarding, is shown; what is being typed stays as it is typed.
  useEffect(() => {
    if (entered.current === value || isSame) return;
    entered.current = value;
    setText(jsonText(value));
  }, [value, isSame]);
  useEffect(() => {
    input
      .current!.querySelector('textarea')!
      .setCustomValidity(fault === null ? '' : viewWords.noJson(fault));
  }, [fault]);
  return (
    <div ref={input}>
      <TextField
        label={field.label}
        hint={field.help ?? viewWords.asJson}
        required={field.required}
        className="code"
        spellCheck={false}
        value={text}
        error={fault === null ? error : viewWords.noJson(fault)}
        onChange={({ target }) => {
          setText(target.value);
          if (jsonFault(target.value) !== null) return;
          entered.current = jsonValue(target.value);
          onEnter(entered.current);
        }}
      />
    </div>
  );
}

/** Pure. */
export const jsonText = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2);

/** Why it is no JSON; null where it is, or is empty. Pure. */
export function jsonFault(text: string): string | null {
  try {
    jsonValue(text);
    return null;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

const jsonValue = (text: string): unknown => (text.trim() === '' ? null : JSON.parse(text));
