import { Refused } from '../../graphql/refusal.ts';
import { sayWrong } from '../../ui/toasts.tsx';

/** What mail answers to a change. */
interface Outcome {
  ok: boolean;
  error: string | null;
}

/** Why a change was not made, whether mail or the door has refused it; null where it was made. */
export async function wrongOf(asked: Promise<Outcome>): Promise<string | null> {
  try {
    const { ok, error } = await asked;
    return ok ? null : (error ?? '');
  } catch (reason) {
    if (!(reason instanceof Refused)) throw reason;
    return reason.refusal.message;
  }
}

/** Says why a change was not made, where nothing on the screen is to be mended. @returns whether it was made */
export async function isDone(asked: Promise<Outcome>): Promise<boolean> {
  const wrong = await wrongOf(asked);
  if (wrong !== null) sayWrong(wrong);
  return wrong === null;
}
