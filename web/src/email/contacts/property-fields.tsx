import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { contactStrings } from './strings.ts';

interface PropertyFieldsProps {
  values: Record<string, string>;
  /** Names of properties that are always offered. */
  names: readonly string[];
}

/** Inputs for a contact's properties, to be read with `parseProperties`. */
export function PropertyFields({ values, names }: PropertyFieldsProps) {
  const [extraCount, setExtraCount] = useState(0);
  return (
    <fieldset className="properties">
      <legend>{contactStrings.properties}</legend>
      {[...new Set([...names, ...Object.keys(values)])].map((name) => (
        <Field key={name} name={`${VALUE_PREFIX}${name}`} label={name} defaultValue={values[name] ?? ''} />
      ))}
      {Array.from({ length: extraCount }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended
        <div key={index} className="contact-pair">
          <Field name={NEW_NAME} label={contactStrings.name} required />
          <Field name={NEW_VALUE} label={contactStrings.value} />
        </div>
      ))}
      <Button look="ghost" icon="plus" onClick={() => setExtraCount(extraCount + 1)}>
        {contactStrings.addProperty}
      </Button>
    </fieldset>
  );
}

const VALUE_PREFIX = 'property ';
const NEW_NAME = 'new name';
const NEW_VALUE = 'new value';

/** Returns the changed properties. Omits fields that remained empty. */
export function parseProperties(form: FormData, before: Record<string, string>): Record<string, string> {
  const properties = [...form.entries()]
    .filter(([field]) => field.startsWith(VALUE_PREFIX))
    .map(([field, value]) => [field.slice(VALUE_PREFIX.length), String(value)] as const)
    .filter(([name, value]) => value !== (before[name] ?? ''));
  const values = form.getAll(NEW_VALUE).map(String);
  const added = form
    .getAll(NEW_NAME)
    .map((name, index) => [String(name).trim(), values[index] ?? ''] as const);
  return Object.fromEntries([...properties, ...added]);
}
