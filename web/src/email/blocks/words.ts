import { loadStrings } from '../../i18n/language.ts';

export type BlockWords = typeof import('../../i18n/en/blocks.ts')['words'];

export const blockWords = await loadStrings<BlockWords>({
  en: () => import('../../i18n/en/blocks.ts'),
  de: () => import('../../i18n/de/blocks.ts'),
});
