import { useEffect, useRef, useState } from 'react';
import { TextArea } from '../../ui/form/field.tsx';
import type { FieldDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';

interface JsonInputProps {
  field: FieldDescription;
  value: unknown;
  onEnter(value: unknown): void;
  error?: string | null;
}

/** Edits JSON. Invalid JSON is reported immediately and prevents saving. */
export function JsonInput({ field, value, onEnter, error }: JsonInputProps) {
  const [text, setText] = useState(() => formatJson(value));
  const input = useRef<HTMLDivElement>(null);
  const jsonError = findJsonError(text);
  const isSame = jsonError === null && JSON.stringify(parseJson(text)) === JSON.stringify(value ?? null);
  const enteredObject = useRef(value);
  // An external change, such as a discard, replaces the text. Typing does not reformat the text.
  useEffect(() => {
    if (enteredObject.current === value || isSame) return;
    enteredObject.current = value;
    setText(formatJson(value));
  }, [value, isSame]);
  useEffect(() => {
    input
      .current!.querySelector('textarea')!
      .setCustomValidity(jsonError === null ? '' : viewStrings.invalidJson(jsonError));
  }, [jsonError]);
  return (
    <div ref={input}>
      <TextArea
        label={field.label}
        hint={field.help ?? viewStrings.enterJson}
        required={field.required}
        className="code"
        spellCheck={false}
        value={text}
        error={jsonError === null ? error : viewStrings.invalidJson(jsonError)}
        onChange={({ target }) => {
          setText(target.value);
          if (findJsonError(target.value) !== null) return;
          enteredObject.current = parseJson(target.value);
          onEnter(enteredObject.current);
        }}
      />
    </div>
  );
}

export const formatJson = (value: unknown): string =>
  value === null || value === undefined ? '' : JSON.stringify(value, null, 2);

/** Returns the syntax error of a JSON string, or null if it is valid or empty. */
export function findJsonError(text: string): string | null {
  try {
    parseJson(text);
    return null;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

const parseJson = (text: string): unknown => (text.trim() === '' ? null : JSON.parse(text));
