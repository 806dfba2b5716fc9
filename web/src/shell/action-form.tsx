import { type ReactNode, useState } from 'react';
import type { RequestFailure } from '../graphql/request-error.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { FieldError } from '../ui/form/field.tsx';
import { Form, FormError, type FormProps } from '../ui/form/form.tsx';
import { DialogButtons } from './dialogs/dialog-buttons.tsx';
import { isAboutArgument, useFormAction } from './use-action.ts';

export interface ActionFormProps extends Omit<FormProps, 'onSubmit'> {
  /**
   * @param expectedVersion version to pass to the save
   * @returns the saved version, if the form has a version and stays open
   */
  onSubmit(form: FormData, expectedVersion: number | undefined, element: HTMLFormElement): unknown;
  /** Version of the values that the form shows, if they have one. */
  version?: number | undefined;
  /** Label of the button that submits the form. Without it, the form has no buttons. */
  submit?: string | undefined;
  look?: ButtonProps['look'];
  icon?: ButtonProps['icon'];
  /** Renders other buttons at the end of the form. */
  buttons?(isBusy: boolean): ReactNode;
  /** Closes the dialog that contains the form. Adds a button to cancel. */
  onClose?: (() => void) | undefined;
  /** Name of the field that shows rejected values without an argument. Other errors are shown below the fields. */
  errorField?: string | ((refusal: RequestFailure) => string);
}

/**
 * A form that runs an action. An error about an argument is shown next to the field of that name, until the field is
 * edited.
 */
export function ActionForm(props: ActionFormProps) {
  const {
    onSubmit,
    version,
    submit,
    look = 'primary',
    icon,
    buttons,
    onClose,
    errorField,
    children,
    onChange,
    ...form
  } = props;
  const { isBusy, refusal, dismissRefusal, expectedVersion, setExpectedVersion, act } =
    useFormAction(version);
  const [names, setNames] = useState<string[]>([]);
  const run = (data: FormData, element: HTMLFormElement) => {
    setNames(getFieldNames(element));
    void act(async () => {
      const saved = await onSubmit(data, expectedVersion, element);
      if (version !== undefined && typeof saved === 'number') setExpectedVersion(saved);
    });
  };
  const findField = typeof errorField === 'function' ? errorField : () => errorField;
  const otherField = refusal && !UNRELATED_TO_FIELDS.has(refusal.code) ? findField(refusal) : undefined;
  const field = refusal && (names.find((name) => isAboutArgument(refusal, name)) ?? otherField);
  const submitButton = (
    <Button type="submit" look={look} icon={icon} isBusy={isBusy}>
      {submit}
    </Button>
  );
  return (
    <Form
      {...form}
      onSubmit={run}
      onChange={(event) => {
        if (field && event.target.name === field) dismissRefusal();
        onChange?.(event);
      }}
    >
      <FieldError value={field ? { field, message: refusal.message } : null}>{children}</FieldError>
      {!field && <FormError message={refusal?.message} />}
      {buttons?.(isBusy)}
      {submit &&
        (onClose ? (
          <DialogButtons onClose={onClose}>{submitButton}</DialogButtons>
        ) : (
          <div className="buttons">{submitButton}</div>
        ))}
    </Form>
  );
}

/** Codes of errors that no other value of a field would avoid. */
const UNRELATED_TO_FIELDS = new Set([
  'OFFLINE',
  'INTERNAL',
  'BUSY',
  'FORBIDDEN',
  'ACCESS_ERROR',
  'FEATURE_OFF',
]);

/** Returns the names of the fields that can show an error. */
const getFieldNames = ({ elements }: HTMLFormElement): string[] =>
  [...elements].flatMap((element) => {
    const { name, type } = element as HTMLInputElement;
    return !name || type === 'checkbox' || type === 'radio' ? [] : name;
  });
