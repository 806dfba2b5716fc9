import { useState } from 'react';
import { RequestError, type RequestFailure } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';

interface ActionState {
  isBusy: boolean;
  /** Runs the action. Reports a rejection by the server and rethrows any other error. */
  act(action: () => Promise<unknown>): Promise<void>;
}

/** Runs an action of a form and keeps the last error. */
interface FormActionState extends ActionState {
  refusal: RequestFailure | null;
  /** Returns the error message for an argument, to show at its field. */
  wrong(argument: string): string | null;
}

/** For buttons: shows errors as toasts. */
export const useAction = (): ActionState => useRunner(({ message }) => showErrorToast(message));

/** For forms: keeps the error until the next attempt. */
export function useFormAction(): FormActionState {
  const [refusal, setRefusal] = useState<RequestFailure | null>(null);
  const { isBusy, act } = useRunner(setRefusal);
  return {
    isBusy,
    refusal,
    act: (action) => {
      setRefusal(null);
      return act(action);
    },
    wrong: (argument) => (refusal && isAboutArgument(refusal, argument) ? refusal.message : null),
  };
}

function useRunner(onRefused: (refusal: RequestFailure) => void): ActionState {
  const [isBusy, setBusy] = useState(false);
  const act = async (action: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      onRefused(error.failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}

/** True if the error concerns an argument: the server names it in `argument` or at the start of the message. */
export const isAboutArgument = ({ argument, message }: RequestFailure, name: string): boolean =>
  argument !== null ? new RegExp(`(?:^|\\.)${name}\\b`).test(argument) : message.startsWith(`${name}:`);
