interface FormErrorProps {
  message: string | null | undefined;
  isSmall?: boolean;
}

/** The error of a form that belongs to none of its fields. */
export const FormError = ({ message, isSmall = false }: FormErrorProps) =>
  message ? (
    <p className={isSmall ? 'wrong small' : 'wrong'} role="alert">
      {message}
    </p>
  ) : null;
