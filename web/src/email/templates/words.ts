import { loadStrings } from '../../i18n/language.ts';

export type TemplateWords = typeof import('../../i18n/en/templates.ts')['words'];

export const templateWords = await loadStrings<TemplateWords>({
  en: () => import('../../i18n/en/templates.ts'),
  de: () => import('../../i18n/de/templates.ts'),
});
