/** The error of a form that is not about one of its fields. */
export const FormError = ({ message }: { message: string | null | undefined }) =>
  message ? (
    <p className="wrong" role="alert">
      {message}
    </p>
  ) : null;
