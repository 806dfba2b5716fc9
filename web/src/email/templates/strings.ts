import { loadStrings } from '../../i18n/language.ts';

type TemplateStrings = typeof import('../../i18n/en/templates.ts')['strings'];

export const templateStrings = await loadStrings<TemplateStrings>({
  en: () => import('../../i18n/en/templates.ts'),
  de: () => import('../../i18n/de/templates.ts'),
});
