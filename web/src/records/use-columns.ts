import { useUiState } from '../shell/ui-state.ts';
import { findField, getDefaultColumns, type ModelDescription } from './model.ts';

/** The columns of a list: of the address, else those that the person keeps for the model, else the usual ones. */
export function useColumns(model: ModelDescription, given: string[] | undefined) {
  const { value: kept, keep } = useUiState(`records.columns.${model.name}`);
  const isKnownField = (key: unknown): key is string =>
    typeof key === 'string' && findField(model, key) !== undefined;
  const own = (given ?? (Array.isArray(kept) ? kept : [])).filter(isKnownField);
  return {
    columns: own.length > 0 ? own : getDefaultColumns(model),
    /** Null for the usual ones again. */
    keep: (columns: string[] | null) => keep(columns),
  };
}
