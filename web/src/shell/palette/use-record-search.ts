import { client } from '../../graphql/client.ts';
import { type RequestFailure, toRequestFailure } from '../../graphql/request-error.ts';
import { language } from '../../i18n/language.ts';
import { useDelayedSearch } from '../use-delayed-search.ts';
import { PaletteRecordsDocument } from './generated.ts';
import { type FoundRecord, toFoundRecord } from './palette-search.ts';

interface RecordSearchState {
  records: FoundRecord[];
  /** True if the search took too long in some models. */
  isPartial: boolean;
  isWaiting: boolean;
  refusal: RequestFailure | null;
}

const NO_RESULTS: RecordSearchState = { records: [], isPartial: false, isWaiting: false, refusal: null };

export function useRecordSearch(text: string): RecordSearchState {
  const result = useDelayedSearch(text, searchRecords);
  return result ?? { ...NO_RESULTS, isWaiting: text !== '' };
}

async function searchRecords(text: string): Promise<RecordSearchState> {
  const request = client.query(
    PaletteRecordsDocument,
    { text, lang: language },
    { requestPolicy: 'network-only' },
  );
  const { data, error } = await request.toPromise();
  return {
    records: (data?.palette.records ?? []).map(toFoundRecord),
    isPartial: data?.palette.isPartial ?? false,
    isWaiting: false,
    refusal: error ? toRequestFailure(error) : null,
  };
}
