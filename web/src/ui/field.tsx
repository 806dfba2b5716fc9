import './field.css';
import { type ChangeEvent, type ComponentProps, useId } from 'react';

interface LabelProps {
  label: string;
  /** Explains the expected input if the label does not. */
  hint?: string;
  error?: string | null;
}

/** A labeled input. The browser validates `required`, `type` and `pattern`. */
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

/** A labeled multi-line input that grows with its content. */
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

interface ColorFieldProps extends LabelProps {
  /** Name of the color picker for screen readers. */
  pickerLabel: string;
  /** `#rrggbb`, or empty. */
  value: string;
  onEnter(value: string): void;
}

/** An input for a color, which is typed or chosen with the browser's color picker. */
export function ColorField({ label, pickerLabel, hint, error, value, onEnter }: ColorFieldProps) {
  const id = useId();
  const enter = ({ target }: ChangeEvent<HTMLInputElement>) => onEnter(target.value);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="color-inputs">
        <input
          type="color"
          aria-label={pickerLabel}
          value={COLOR.test(value) ? value : '#000000'}
          onChange={enter}
        />
        <input
          id={id}
          value={value}
          onChange={enter}
          pattern={COLOR.source}
          placeholder="#000000"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-about`}
        />
      </div>
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  );
}

const COLOR = /^#[0-9a-fA-F]{6}$/;

type Options = readonly (readonly [value: string, label: string])[];

export interface OptionGroup {
  label: string;
  options: Options;
}

interface SelectProps extends LabelProps, ComponentProps<'select'> {
  options: Options;
  /** Shown after the ungrouped options. */
  groups?: readonly OptionGroup[] | undefined;
}

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
