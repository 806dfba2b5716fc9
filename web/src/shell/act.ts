import { useState } from 'react';
import { type Refusal, Refused } from '../graphql/refusal.ts';
import { sayWrong } from '../ui/toasts.tsx';

/** What a button or a form has begun. */
export interface Act {
  isBusy: boolean;
  /** Does it; what the server refuses is said, anything else is thrown. */
  act(what: () => Promise<unknown>): Promise<void>;
}

/** What a form has begun, and why the server refused it last. */
export interface FormAct extends Act {
  refusal: Refusal | null;
  /** Why the value of an argument was refused, for the field of that name. */
  wrong(argument: string): string | null;
}

/** For buttons: a refusal is a toast. */
export const useAct = (): Act => useTried(({ message }) => sayWrong(message));

/** For forms: a refusal stays until the next attempt. */
export function useFormAct(): FormAct {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { isBusy, act } = useTried(setRefusal);
  return {
    isBusy,
    refusal,
    act: (what) => {
      setRefusal(null);
      return act(what);
    },
    wrong: (argument) => (refusal && isAbout(refusal, argument) ? refusal.message : null),
  };
}

function useTried(onRefused: (refusal: Refusal) => void): Act {
  const [isBusy, setBusy] = useState(false);
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await what();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      onRefused(error.refusal);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, act };
}

/** The server names the argument, or begins its sentence with it. Pure. */
export const isAbout = ({ argument, message }: Refusal, name: string): boolean =>
  argument !== null ? new RegExp(`(?:^|\\.)${name}\\b`).test(argument) : message.startsWith(`${name}:`);
