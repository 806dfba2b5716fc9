import { loadStrings } from '../../i18n/language.ts';

export type CampaignStrings = typeof import('../../i18n/en/campaigns.ts')['strings'];

export const campaignStrings = await loadStrings<CampaignStrings>({
  en: () => import('../../i18n/en/campaigns.ts'),
  de: () => import('../../i18n/de/campaigns.ts'),
});
