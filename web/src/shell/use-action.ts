import { useEffect, useRef, useState } from 'react';
import { catchFailure, type RequestFailure } from '../graphql/request-error.ts';
import { findLaterEdits } from '../ui/form/later-edits.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { shellStrings } from './strings.ts';

interface ActionState {
  isBusy: boolean;
  /** Runs the action. Reports rejections by the server, and rethrows other errors. */
  act(action: () => Promise<unknown>): Promise<void>;
}

/** Keeps the last error, to be shown in the form. */
interface FormActionState extends ActionState {
  refusal: RequestFailure | null;
  /**
   * Version to pass to the save. Undefined after a conflict, so that the next save replaces the other user's values.
   */
  expectedVersion: number | undefined;
  dismissRefusal(): void;
  /** Sets the version that a save has returned. */
  setExpectedVersion(version: number): void;
  /** Returns the message to show next to an argument's field, or null. */
  getFieldError(argument: string): string | null;
  /** Returns the message to show below the form, or null if it concerns one of these arguments. */
  getFormError(argumentNames: readonly string[]): string | null;
}

/** Runs a button's actions. Shows errors as toasts. */
export const useAction = (): ActionState => useRunner(({ message }) => showErrorToast(message));

/**
 * Runs a form's actions. Keeps the error until the next attempt, or until the value that it concerns is edited. Shows
 * it as a toast if the form was closed in the meantime.
 * @param version version of the values that the form shows, if they have one
 * @param values current values by argument name
 */
export function useFormAction(version?: number, values: object = NO_VALUES): FormActionState {
  const [rejected, setRejected] = useState<{ failure: RequestFailure; values: object } | null>(null);
  const [expectedVersion, setExpectedVersion] = useState(version);
  const latestValues = useRef(values);
  latestValues.current = values;
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const { isBusy, act } = useRunner((failure) => {
    if (isClosed.current) showErrorToast(failure.message);
    const isConflict = failure.code === 'STALE' && expectedVersion !== undefined;
    if (isConflict) setExpectedVersion(undefined);
    const shownFailure = isConflict ? { ...failure, message: shellStrings.changedMeanwhile } : failure;
    // Edits during the action do not hide its error.
    setRejected({ failure: shownFailure, values: latestValues.current });
  });
  const isEdited =
    rejected &&
    Object.keys(findLaterEdits(rejected.values, values)).some((name) =>
      isAboutArgument(rejected.failure, name),
    );
  const error = isEdited ? null : (rejected?.failure ?? null);
  const getFieldError = (argument: string) =>
    error && isAboutArgument(error, argument) ? error.message : null;
  return {
    isBusy,
    refusal: error,
    dismissRefusal: () => setRejected(null),
    expectedVersion,
    setExpectedVersion,
    act: (action) => {
      setRejected(null);
      return act(action);
    },
    getFieldError,
    getFormError: (argumentNames) => (error && !argumentNames.some(getFieldError) ? error.message : null),
  };
}

const NO_VALUES = {};

function useRunner(onRefused: (error: RequestFailure) => void): ActionState {
  const [isBusy, setIsBusy] = useState(false);
  const act = async (action: () => Promise<unknown>) => {
    setIsBusy(true);
    try {
      const failure = await catchFailure(action);
      if (failure) onRefused(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, act };
}

/** True if the error concerns an argument, which the server names in `argument` or at the start of the message. */
export const isAboutArgument = ({ argument, message }: RequestFailure, name: string): boolean =>
  argument !== null ? new RegExp(`(?:^|\\.)${name}\\b`).test(argument) : message.startsWith(`${name}:`);
