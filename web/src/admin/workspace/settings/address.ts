import { parseRecordId } from '../access/address.ts';

/** Whose features are shown, as it stands behind `?`. */
export interface FeaturesView {
  /** Id of a company. */
  company?: string;
}

/** Pure. */
export const parseFeaturesView = ({ company }: Record<string, unknown>): FeaturesView => ({
  company: parseRecordId(company),
});
