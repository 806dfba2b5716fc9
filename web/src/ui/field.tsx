import './field.css';
import { type ComponentProps, useId } from 'react';

interface LabelProps {
  label: string;
  /** What to enter, where the label is not plain. */
  hint?: string;
  /** Why the value was refused. */
  error?: string | null;
}

/** A labelled input; what the platform checks (`required`, `type`, `pattern`), it checks. */
export function Field({ label, hint, error, ...input }: LabelProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} {...input} aria-invalid={error ? true : undefined} aria-describedby={`${id}-about`} />
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labelled text of several lines; it grows with what it holds. */
export function TextArea({ label, hint, error, ...area }: LabelProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        {...area}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-about`}
      />
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

/** Values below a heading. */
export interface OptionGroup {
  label: string;
  options: Options;
}

interface SelectProps extends LabelProps, ComponentProps<'select'> {
  options: Options;
  /** Below the options that have no heading. */
  groups?: readonly OptionGroup[] | undefined;
}

/** A labelled choice of few values. */
export function Select({ label, hint, error, options, groups = [], ...select }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select} aria-invalid={error ? true : undefined} aria-describedby={`${id}-about`}>
        <OptionList options={options} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <OptionList options={group.options} />
          </optgroup>
        ))}
      </select>
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  );
}

const OptionList = ({ options }: { options: Options }) =>
  options.map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ));

/** A labelled box to tick. */
export function Checkbox({ label, hint, ...input }: LabelProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="field tick">
      <input id={id} type="checkbox" {...input} aria-describedby={`${id}-about`} />
      <label htmlFor={id}>{label}</label>
      <FieldHint id={id} hint={hint} error={null} />
    </div>
  );
}

const FieldHint = ({ id, hint, error }: { id: string; hint?: string; error?: string | null }) => (
  <p id={`${id}-about`} className={error ? 'about wrong' : 'about quiet'} role={error ? 'alert' : undefined}>
    {error || hint}
  </p>
);
