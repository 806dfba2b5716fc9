import { createViewParser } from '../../../ui/input/search-params.ts';
import { parseRecordId } from '../access/address.ts';

export const parseFeaturesView = createViewParser({ company: parseRecordId });
