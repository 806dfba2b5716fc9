import { loadStrings } from '../../i18n/language.ts';

export const webhookStrings = await loadStrings({
  en: () => import('../../i18n/en/webhooks.ts'),
  de: () => import('../../i18n/de/webhooks.ts'),
});
