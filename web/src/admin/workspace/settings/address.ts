import { parseRecordId } from '../access/address.ts';

interface FeaturesView {
  company?: string;
}

export const parseFeaturesView = ({ company }: Record<string, unknown>): FeaturesView => ({
  company: parseRecordId(company),
});
