import { Select } from './field.tsx';

interface FilterSelectProps<Value extends string> {
  label: string;
  /** Label of the option without a filter. */
  all: string;
  choices: readonly Value[];
  /** Labels of the choices. A choice without a label is shown as it is. */
  labels?: Partial<Record<Value, string>>;
  value: Value | undefined;
  onChoose(value: Value | undefined): void;
}

/** A filter by one value of a list. A value from the URL that the list does not contain is offered as well. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, choices, labels = {} as Partial<Record<Value, string>>, value, onChoose } = props;
  const values = value === undefined || choices.includes(value) ? choices : [...choices, value];
  return (
    <Select
      label={label}
      value={value ?? ''}
      options={[['', all], ...values.map((choice) => [choice, labels[choice] ?? choice] as const)]}
      onChange={({ target }) => onChoose((target.value || undefined) as Value | undefined)}
    />
  );
}
