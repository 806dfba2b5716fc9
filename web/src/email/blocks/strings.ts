import { loadStrings } from '../../i18n/language.ts';

type BlockStrings = typeof import('../../i18n/en/blocks.ts')['strings'];

export const blockStrings = await loadStrings<BlockStrings>({
  en: () => import('../../i18n/en/blocks.ts'),
  de: () => import('../../i18n/de/blocks.ts'),
});
