import { type FormEvent, useEffect, useRef } from 'react';
import { Field } from '../ui/form/field.tsx';
import { useShortcuts } from './keys/shortcuts.ts';
import { shellStrings } from './strings.ts';

interface SearchFieldProps {
  hint: string;
  value: string | undefined;
  onSearch(text: string | undefined): void;
}

/**
 * A list's search field, focused with `/`. Enter and blur start the search. Enter also moves the focus out of the
 * field, so that the list's keys work.
 */
export function SearchField({ hint, value, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label: shellStrings.search, run: () => input.current?.focus() }]);
  useEffect(() => {
    input.current!.value = value ?? '';
  }, [value]);
  const search = () => {
    const text = input.current!.value.trim() || undefined;
    if (text !== value) onSearch(text);
  };
  const leave = (event: FormEvent) => {
    event.preventDefault();
    input.current!.blur();
  };
  return (
    <form onSubmit={leave}>
      <Field ref={input} type="search" label={shellStrings.search} placeholder={hint} onBlur={search} />
    </form>
  );
}
