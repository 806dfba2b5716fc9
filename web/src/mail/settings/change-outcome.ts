import { RequestError } from '../../graphql/request-error.ts';
import { showErrorToast } from '../../ui/toasts.tsx';

/** What mail answers to a change. */
interface MailOutcome {
  ok: boolean;
  error: string | null;
}

/** Why a change was not made, whether mail or the door has refused it; null where it was made. */
export async function getChangeError(asked: Promise<MailOutcome>): Promise<string | null> {
  try {
    const { ok, error } = await asked;
    return ok ? null : (error ?? '');
  } catch (reason) {
    if (!(reason instanceof RequestError)) throw reason;
    return reason.failure.message;
  }
}

/** Says why a change was not made, where nothing on the screen is to be mended. @returns whether it was made */
export async function reportOutcome(asked: Promise<MailOutcome>): Promise<boolean> {
  const wrong = await getChangeError(asked);
  if (wrong !== null) showErrorToast(wrong);
  return wrong === null;
}
