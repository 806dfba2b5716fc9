import { useUiState } from '../shell/ui-state.ts';
import { findField, getDefaultColumns, type ModelDescription } from './model.ts';

/** Returns the columns of a list: from the URL, otherwise the user's stored columns, otherwise the defaults. */
export function useColumns(model: ModelDescription, given: string[] | undefined) {
  const { value: kept, keep } = useUiState(`records.columns.${model.name}`);
  const isKnownField = (key: unknown): key is string =>
    typeof key === 'string' && findField(model, key) !== undefined;
  const own = (given ?? (Array.isArray(kept) ? kept : [])).filter(isKnownField);
  return {
    columns: own.length > 0 ? own : getDefaultColumns(model),
    /** Null restores the defaults. */
    keep: (columns: string[] | null) => keep(columns),
  };
}
