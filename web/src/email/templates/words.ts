import { wordsOf } from '../../i18n/language.ts';

export type TemplateWords = typeof import('../../i18n/en/templates.ts')['words'];

export const templateWords = await wordsOf<TemplateWords>({
  en: () => import('../../i18n/en/templates.ts'),
  de: () => import('../../i18n/de/templates.ts'),
});
