import { loadStrings } from '../i18n/language.ts';

export type ProfileWords = typeof import('../i18n/en/profile.ts')['words'];

export const profileWords = await loadStrings<ProfileWords>({
  en: () => import('../i18n/en/profile.ts'),
  de: () => import('../i18n/de/profile.ts'),
});
