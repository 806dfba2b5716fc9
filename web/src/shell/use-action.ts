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
  getFieldError(argument: string): string | null;
  /** Returns the error message unless it concerns one of these arguments, to show below the form. */
  getFormError(argumentNames: readonly string[]): string | null;
}

/** For buttons: shows errors as toasts. */
export const useAction = (): ActionState => useRunner(({ message }) => showErrorToast(message));

/** For forms: keeps the error until the next attempt. */
export function useFormAction(): FormActionState {
  const [error, setError] = useState<RequestFailure | null>(null);
  const { isBusy, act } = useRunner(setError);
  const getFieldError = (argument: string) =>
    error && isAboutArgument(error, argument) ? error.message : null;
  return {
    isBusy,
    refusal: error,
    act: (action) => {
      setError(null);
      return act(action);
    },
    getFieldError,
    getFormError: (argumentNames) => (error && !argumentNames.some(getFieldError) ? error.message : null),
  };
}

function useRunner(onRefused: (error: RequestFailure) => void): ActionState {
  const [isBusy, setIsBusy] = useState(false);
  const act = async (action: () => Promise<unknown>) => {
    setIsBusy(true);
    try {
      await action();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      onRefused(error.failure);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, act };
}

/** True if the error concerns an argument: the server names it in `argument` or at the start of the message. */
export const isAboutArgument = ({ argument, message }: RequestFailure, name: string): boolean =>
  argument !== null ? new RegExp(`(?:^|\\.)${name}\\b`).test(argument) : message.startsWith(`${name}:`);
