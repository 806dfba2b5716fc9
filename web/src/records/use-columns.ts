import { useUiState } from '../shell/ui-state.ts';
import { findField, getDefaultColumns, type ModelDescription } from './model.ts';

/** Returns a list's columns from the URL, the user's stored settings or the defaults, in this order. */
export function useColumns(model: ModelDescription, columnNames: string[] | undefined) {
  const { value: storedColumns, keep } = useUiState(`records.columns.${model.name}`);
  const isKnownField = (key: unknown): key is string =>
    typeof key === 'string' && findField(model, key) !== undefined;
  const ownColumns = (columnNames ?? (Array.isArray(storedColumns) ? storedColumns : [])).filter(
    isKnownField,
  );
  return {
    columns: ownColumns.length > 0 ? ownColumns : getDefaultColumns(model),
    /** Null restores the defaults. */
    keep: (columns: string[] | null) => keep(columns),
  };
}
