export const FormError = ({ message }: { message: string | null | undefined }) =>
  message ? (
    <p className="wrong" role="alert">
      {message}
    </p>
  ) : null;
