import { parseRecordId } from '../access/address.ts';

/** Search parameters of the features page. */
interface FeaturesView {
  company?: string;
}

export const parseFeaturesView = ({ company }: Record<string, unknown>): FeaturesView => ({
  company: parseRecordId(company),
});
