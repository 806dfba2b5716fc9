import './form.css';
import type { ComponentProps } from 'react';

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(form: FormData, element: HTMLFormElement): void;
}

/** A form that passes its values to `onSubmit` instead of loading a page. */
export const Form = ({ className, onSubmit, ...form }: FormProps) => (
  <form
    {...form}
    className={className ? `form ${className}` : 'form'}
    onSubmit={(event) => {
      event.preventDefault();
      // React also passes the events of a dialog to the form that opened it.
      event.stopPropagation();
      onSubmit(new FormData(event.currentTarget), event.currentTarget);
    }}
  />
);

export const FormError = ({ message }: { message: string | null | undefined }) =>
  message ? (
    <p className="wrong" role="alert">
      {message}
    </p>
  ) : null;

/** Returns the text of a field without surrounding spaces, or an empty string if there is no such field. */
export const getText = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** Returns true if the user has edited a form since `form` was read from it, for example while it was saved. */
export const isEditedSince = (form: FormData, element: HTMLFormElement): boolean =>
  JSON.stringify([...form]) !== JSON.stringify([...new FormData(element)]);
