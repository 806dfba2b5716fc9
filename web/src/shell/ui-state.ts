import { client, runMutation } from '../graphql/client.ts';
import { catchFailure, type RequestFailure } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { KeptDocument, type KeptQuery, KeptSaveDocument } from './generated.ts';
import { useGraphqlQuery } from './use-graphql-query.ts';

interface UiState {
  /** Undefined if unset, or while loading. */
  value: unknown;
  /** Null removes the setting. Errors are shown as toasts. */
  keep(value: unknown): Promise<void>;
}

export function useUiState(name: string): UiState {
  const { data, reload } = useGraphqlQuery(KeptDocument, {});
  const keep = async (value: unknown) => {
    const error = await saveUiState(name, value);
    if (error) showErrorToast(error.message);
    else reload();
  };
  return { value: getValue(data, name), keep };
}

/** Loads the current value, which another tab may have changed. Returns undefined if the server cannot be reached. */
export async function loadUiState(name: string): Promise<unknown> {
  const { data } = await client.query(KeptDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  return getValue(data, name);
}

/** Stores a value, ignoring errors, and then updates the cache. */
export async function saveUiStateQuietly(name: string, value: unknown): Promise<void> {
  if (!(await saveUiState(name, value))) await loadUiState(name);
}

/** Stores a value. Returns the failure, or null. */
export const saveUiState = (name: string, value: unknown): Promise<RequestFailure | null> =>
  catchFailure(() => runMutation(KeptSaveDocument, { values: { [name]: value } }));

const getValue = (data: KeptQuery | undefined, name: string): unknown =>
  (data?.uiState.values as Record<string, unknown> | undefined)?.[name];
