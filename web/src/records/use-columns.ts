import { useKept } from '../shell/kept.ts';
import { type Described, fieldNamed, usualColumns } from './model.ts';

/** The columns of a list: of the address, else those that the person keeps for the model, else the usual ones. */
export function useColumns(model: Described, given: string[] | undefined) {
  const { value: kept, keep } = useKept(`records.columns.${model.name}`);
  const isThere = (key: unknown): key is string =>
    typeof key === 'string' && fieldNamed(model, key) !== undefined;
  const own = (given ?? (Array.isArray(kept) ? kept : [])).filter(isThere);
  return {
    columns: own.length > 0 ? own : usualColumns(model),
    /** Null for the usual ones again. */
    keep: (columns: string[] | null) => keep(columns),
  };
}
