import { loadStrings } from '../i18n/language.ts';

type ProfileStrings = typeof import('../i18n/en/profile.ts')['strings'];

export const profileStrings = await loadStrings<ProfileStrings>({
  en: () => import('../i18n/en/profile.ts'),
  de: () => import('../i18n/de/profile.ts'),
});
