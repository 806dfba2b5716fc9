import type { AnyVariables, DocumentInput } from '@urql/core';
import { runMutation } from '../graphql/client.ts';
import { showToast } from '../ui/toasts.tsx';

/**
 * Runs a mutation, then shows a toast.
 * @throws RequestError
 */
export async function runWithToast<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
  text: string,
): Promise<Data> {
  const data = await runMutation(document, variables);
  showToast(text);
  return data;
}
