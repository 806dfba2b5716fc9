import { change } from '../graphql/client.ts';
import { Refused } from '../graphql/refusal.ts';
import { sayWrong } from '../ui/toasts.tsx';
import { useAnswer } from './answer.ts';
import { KeptDocument, KeptSaveDocument } from './generated.ts';

/** What the server keeps for the person under a name. */
export interface Kept {
  /** Undefined where there is nothing, and while it is asked for. */
  value: unknown;
  /** Null for nothing again. What is refused is said. */
  keep(value: unknown): Promise<void>;
}

export function useKept(name: string): Kept {
  const { data, reload } = useAnswer(KeptDocument, {});
  const keep = async (value: unknown) => {
    try {
      await change(KeptSaveDocument, { values: { [name]: value } });
      reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    }
  };
  return { value: (data?.uiState.values as Record<string, unknown> | undefined)?.[name], keep };
}
