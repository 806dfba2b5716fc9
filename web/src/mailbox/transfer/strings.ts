import { loadStrings } from '../../i18n/language.ts';

type TransferStrings = typeof import('../../i18n/en/mail-transfer.ts')['strings'];

export const transferStrings = await loadStrings<TransferStrings>({
  en: () => import('../../i18n/en/mail-transfer.ts'),
  de: () => import('../../i18n/de/mail-transfer.ts'),
});
