import { useState } from 'react';
import { RequestError, type RequestFailure } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';

/** What a button or a form has begun. */
export interface ActionState {
  isBusy: boolean;
  /** Does it; what the server refuses is said, anything else is thrown. */
  act(what: () => Promise<unknown>): Promise<void>;
}

/** What a form has begun, and why the server refused it last. */
export interface FormActionState extends ActionState {
  refusal: RequestFailure | null;
  /** Why the value of an argument was refused, for the field of that name. */
  wrong(argument: string): string | null;
}

/** For buttons: a refusal is a toast. */
export const useAction = (): ActionState => useRunner(({ message }) => showErrorToast(message));

/** For forms: a refusal stays until the next attempt. */
export function useFormAction(): FormActionState {
  const [refusal, setRefusal] = useState<RequestFailure | null>(null);
  const { isBusy, act } = useRunner(setRefusal);
  return {
    isBusy,
    refusal,
    act: (what) => {
      setRefusal(null);
      return act(what);
    },
    wrong: (argument) => (refusal && isAboutArgument(refusal, argument) ? refusal.message : null),
  };
}

function useRunner(onRefused: (refusal: RequestFailure) => void): ActionState {
  const [isBusy, setBusy] = useState(false);
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      onRefused(error.failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}

/** The server names the argument, or begins its sentence with it. Pure. */
export const isAboutArgument = ({ argument, message }: RequestFailure, name: string): boolean =>
  argument !== null ? new RegExp(`(?:^|\\.)${name}\\b`).test(argument) : message.startsWith(`${name}:`);
