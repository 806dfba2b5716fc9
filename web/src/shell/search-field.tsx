import { type FormEvent, useEffect, useRef } from 'react';
import { Field } from '../ui/field.tsx';
import { useShortcuts } from './keys/shortcuts.ts';

interface SearchFieldProps {
  label: string;
  hint: string;
  value: string | undefined;
  onSearch(text: string | undefined): void;
}

/** Search field of a list. Searches on Enter and on blur; `/` focuses it. */
export function SearchField({ label, hint, value, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label, run: () => input.current?.focus() }]);
  useEffect(() => {
    input.current!.value = value ?? '';
  }, [value]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    const text = input.current!.value.trim() || undefined;
    if (text !== value) onSearch(text);
  };
  return (
    <form onSubmit={search}>
      <Field ref={input} type="search" label={label} placeholder={hint} onBlur={search} />
    </form>
  );
}
