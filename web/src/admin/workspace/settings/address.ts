import { givenId } from '../access/address.ts';

/** Whose features are shown, as it stands behind `?`. */
export interface FeaturesView {
  /** Id of a company. */
  company?: string;
}

/** Pure. */
export const featuresView = ({ company }: Record<string, unknown>): FeaturesView => ({
  company: givenId(company),
});
