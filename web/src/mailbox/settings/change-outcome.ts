import { RequestError } from '../../graphql/request-error.ts';
import { showErrorToast } from '../../ui/toasts.tsx';

interface MailOutcome {
  ok: boolean;
  error: string | null;
}

/** Returns the error message of a change that failed or was rejected, or null on success. */
export async function getChangeError(change: Promise<MailOutcome>): Promise<string | null> {
  try {
    const { ok, error } = await change;
    return ok ? null : (error ?? '');
  } catch (reason) {
    if (!(reason instanceof RequestError)) throw reason;
    return reason.failure.message;
  }
}

/**
 * Shows a toast if a change without a form failed.
 * @returns true on success
 */
export async function reportOutcome(change: Promise<MailOutcome>): Promise<boolean> {
  const error = await getChangeError(change);
  if (error !== null) showErrorToast(error);
  return error === null;
}
