import { loadStrings } from '../../i18n/language.ts';

export const webhookWords = await loadStrings<typeof import('../../i18n/en/webhooks.ts')['words']>({
  en: () => import('../../i18n/en/webhooks.ts'),
  de: () => import('../../i18n/de/webhooks.ts'),
});
