import { Select } from './field.tsx';

interface FilterSelectProps<Value extends string> {
  label: string;
  /** Label of the option that removes the filter. */
  all: string;
  choices: readonly Value[];
  /** Labels of the values. A value without a label is shown as is. */
  labels?: Partial<Record<Value, string>>;
  value: Value | undefined;
  onChoose(value: Value | undefined): void;
}

/** Filters by one of several values. A value from the URL is offered even if it is not one of them. */
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
