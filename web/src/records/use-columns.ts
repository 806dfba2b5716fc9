import { change } from '../graphql/client.ts';
import { Refused } from '../graphql/refusal.ts';
import { useAnswer } from '../shell/answer.ts';
import { sayWrong } from '../ui/toasts.tsx';
import { RecordsStateDocument, RecordsStateSaveDocument } from './generated.ts';
import { type Described, fieldNamed, usualColumns } from './model.ts';

/** The columns of a list: of the address, else those that the person keeps for the model, else the usual ones. */
export function useColumns(model: Described, given: string[] | undefined) {
  const { data, reload } = useAnswer(RecordsStateDocument, {});
  const name = `records.columns.${model.name}`;
  const kept = (data?.uiState.values as Record<string, unknown> | undefined)?.[name];
  const isThere = (key: unknown): key is string =>
    typeof key === 'string' && fieldNamed(model, key) !== undefined;
  const own = (given ?? (Array.isArray(kept) ? kept : [])).filter(isThere);
  /** Null for the usual ones again. */
  const keep = async (columns: string[] | null) => {
    try {
      await change(RecordsStateSaveDocument, { values: { [name]: columns } });
      reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    }
  };
  return { columns: own.length > 0 ? own : usualColumns(model), keep };
}
