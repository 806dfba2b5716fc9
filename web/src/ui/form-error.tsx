/** Shows a form error that does not concern a single field. */
export const FormError = ({ message }: { message: string | null | undefined }) =>
  message ? (
    <p className="wrong" role="alert">
      {message}
    </p>
  ) : null;
