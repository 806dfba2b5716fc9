import { loadStrings } from '../../i18n/language.ts';

export type TransferWords = typeof import('../../i18n/en/mail-transfer.ts')['words'];

export const transferWords = await loadStrings<TransferWords>({
  en: () => import('../../i18n/en/mail-transfer.ts'),
  de: () => import('../../i18n/de/mail-transfer.ts'),
});
