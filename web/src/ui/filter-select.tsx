import { shellStrings } from '../i18n/shell-strings.ts';
import { Select } from './form/field.tsx';

interface FilterSelectProps<Value extends string> {
  label: string;
  /** Label of the option without a filter. */
  all?: string;
  choices: readonly Value[];
  /** A value without a label is shown as is. */
  labels?: Partial<Record<Value, string>>;
  value: Value | undefined;
  onChoose(value: Value | undefined): void;
}

/** Filters by one value. A value from the URL is offered even if it is not among the choices. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const {
    label,
    all = shellStrings.all,
    choices,
    labels = {} as Partial<Record<Value, string>>,
    value,
    onChoose,
  } = props;
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
