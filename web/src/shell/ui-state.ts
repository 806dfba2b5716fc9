import { client, runMutation } from '../graphql/client.ts';
import { RequestError } from '../graphql/request-error.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { KeptDocument, type KeptQuery, KeptSaveDocument } from './generated.ts';
import { useGraphqlQuery } from './use-graphql-query.ts';

/** What the server keeps for the person under a name. */
export interface UiState {
  /** Undefined where there is nothing, and while it is asked for. */
  value: unknown;
  /** Null for nothing again. What is refused is said. */
  keep(value: unknown): Promise<void>;
}

export function useUiState(name: string): UiState {
  const { data, reload } = useGraphqlQuery(KeptDocument, {});
  const keep = async (value: unknown) => {
    const refusal = await save(name, value);
    if (refusal) showErrorToast(refusal.message);
    else reload();
  };
  return { value: getValue(data, name), keep };
}

/** What the server keeps now, which another tab may have changed. Undefined where it does not answer. */
export async function loadUiState(name: string): Promise<unknown> {
  const { data } = await client.query(KeptDocument, {}, { requestPolicy: 'network-only' }).toPromise();
  return getValue(data, name);
}

/** Keeps what nobody misses: that it is refused is not said. Who reads it next has it. */
export async function saveUiStateQuietly(name: string, value: unknown): Promise<void> {
  if (!(await save(name, value))) await loadUiState(name);
}

async function save(name: string, value: unknown) {
  try {
    await runMutation(KeptSaveDocument, { values: { [name]: value } });
    return null;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.failure;
  }
}

const getValue = (data: KeptQuery | undefined, name: string): unknown =>
  (data?.uiState.values as Record<string, unknown> | undefined)?.[name];
