import { type AnyVariables, type DocumentInput, useQuery } from 'urql';
import { type RequestFailure, toRequestFailure } from '../graphql/request-error.ts';

/** What the server answered to a question of a screen. */
export interface QueryState<Data> {
  data: Data | undefined;
  refusal: RequestFailure | null;
  /** Asks again, past what is kept. */
  reload(): void;
}

/** Asks when the part is there: what is kept is shown at once, and asked for again. */
export function useGraphqlQuery<Data, Variables extends AnyVariables>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
): QueryState<Data> {
  const [{ data, error }, again] = useQuery<Data, Variables>({
    query,
    variables,
    requestPolicy: 'cache-and-network',
  } as Parameters<typeof useQuery<Data, Variables>>[0]);
  return {
    data,
    refusal: error && !data ? toRequestFailure(error) : null,
    reload: () => again({ requestPolicy: 'network-only' }),
  };
}
