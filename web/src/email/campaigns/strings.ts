import { loadModule } from '../../connection/load-module.ts';
import { loadStrings } from '../../i18n/language.ts';

type CampaignStrings = typeof import('../../i18n/en/campaigns.ts')['strings'];

const FILES = {
  en: () => import('../../i18n/en/campaigns.ts'),
  de: () => import('../../i18n/de/campaigns.ts'),
};

export const campaignStrings = await loadStrings<CampaignStrings>(FILES);

export const loadSampleTexts = async (): Promise<CampaignStrings['starter'][]> =>
  (await Promise.all(Object.values(FILES).map(loadModule))).map(({ strings }) => strings.starter);
