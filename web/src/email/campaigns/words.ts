import { loadStrings } from '../../i18n/language.ts';

export type CampaignWords = typeof import('../../i18n/en/campaigns.ts')['words'];

export const campaignWords = await loadStrings<CampaignWords>({
  en: () => import('../../i18n/en/campaigns.ts'),
  de: () => import('../../i18n/de/campaigns.ts'),
});
