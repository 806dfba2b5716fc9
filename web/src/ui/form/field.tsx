import './field.css';
import { type ChangeEvent, type ComponentProps, createContext, type ReactNode, use, useId } from 'react';

interface LabelProps {
  label: string;
  /** Explains the expected input if the label does not. */
  hint?: string;
  error?: string | null;
}

/** The error of a form's action, for the field that shows it. */
export const FieldError = createContext<{ field: string; message: string } | null>(null);

interface LabeledProps extends LabelProps {
  name: string | undefined;
  children(input: { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string }): ReactNode;
}

/** Adds the label and the hint to an input, which receives the attributes that refer to them. */
function Labeled({ label, hint, error: ownError, name, children }: LabeledProps) {
  const id = useId();
  const actionError = use(FieldError);
  const error = ownError ?? (actionError?.field === name ? actionError?.message : null);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': `${id}-about` })}
      <FieldHint id={id} hint={hint} error={error} />
    </div>
  );
}

/** A labeled input without suggestions by default. The browser validates `required`, `type` and `pattern`. */
export const Field = ({ label, hint, error, ...input }: LabelProps & ComponentProps<'input'>) => (
  <Labeled label={label} hint={hint} error={error} name={input.name}>
    {(labeled) => <input autoComplete="off" {...input} {...labeled} />}
  </Labeled>
);

/** A labeled multi-line input that grows with its content. */
export const TextArea = ({ label, hint, error, ...area }: LabelProps & ComponentProps<'textarea'>) => (
  <Labeled label={label} hint={hint} error={error} name={area.name}>
    {(labeled) => <textarea rows={3} {...area} {...labeled} />}
  </Labeled>
);

interface ColorFieldProps extends LabelProps {
  /** Name of the color picker for screen readers. */
  pickerLabel: string;
  /** `#rrggbb`, or empty. */
  value: string;
  onEnter(value: string): void;
}

/** An input for a color, which is typed or chosen with the browser's color picker. */
export function ColorField({ label, pickerLabel, hint, error, value, onEnter }: ColorFieldProps) {
  const enter = ({ target }: ChangeEvent<HTMLInputElement>) => onEnter(target.value);
  return (
    <Labeled label={label} hint={hint} error={error} name={undefined}>
      {(labeled) => (
        <div className="color-inputs">
          <input
            type="color"
            aria-label={pickerLabel}
            value={COLOR.test(value) ? value : '#000000'}
            onChange={enter}
          />
          <input
            value={value}
            onChange={enter}
            pattern={COLOR.source}
            placeholder="#000000"
            autoComplete="off"
            spellCheck={false}
            {...labeled}
          />
        </div>
      )}
    </Labeled>
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

export const Select = ({ label, hint, error, options, groups = [], ...select }: SelectProps) => (
  <Labeled label={label} hint={hint} error={error} name={select.name}>
    {(labeled) => (
      <select {...select} {...labeled}>
        <OptionList options={options} />
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            <OptionList options={group.options} />
          </optgroup>
        ))}
      </select>
    )}
  </Labeled>
);

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

interface FieldHintProps extends Omit<LabelProps, 'label'> {
  /** Id of the input, which refers to the hint by `aria-describedby`. */
  id: string;
}

export const FieldHint = ({ id, hint, error }: FieldHintProps) => (
  <p id={`${id}-about`} className={error ? 'about wrong' : 'about quiet'} role={error ? 'alert' : undefined}>
    {error || hint}
  </p>
);
