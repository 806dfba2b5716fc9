import { type AnyVariables, type DocumentInput, useQuery } from 'urql';
import { useReloadOnChange } from '../graphql/live.ts';
import { type RequestFailure, toRequestFailure } from '../graphql/request-error.ts';

export interface QueryState<Data> {
  data: Data | undefined;
  refusal: RequestFailure | null;
  reload(): void;
}

/** Runs a query on mount unless it is paused. Returns the cached result first, and then refreshes it. */
export function useGraphqlQuery<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  isPaused = false,
): QueryState<Data> {
  const [{ data, error }, reload] = useQuery<Data, Variables>({
    query,
    variables,
    requestPolicy: 'cache-and-network',
    pause: isPaused,
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  return {
    data,
    refusal: error && !data ? toRequestFailure(error) : null,
    reload: () => reload({ requestPolicy: 'network-only' }),
  };
}

/** Like `useGraphqlQuery`, but also runs the query again when records of the model change. */
export function useLiveQuery<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  model: string,
): QueryState<Data> {
  const state = useGraphqlQuery(query, variables);
  useReloadOnChange(model, state.reload);
  return state;
}
