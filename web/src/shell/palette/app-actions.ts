import { THEMES } from '../../ui/view-preferences.ts';
import { openHelp } from '../overlays.ts';
import { getAccessibleAreas } from '../pages.ts';
import { saveViewPreferences } from '../save-view-preferences.ts';
import { shellStrings } from '../strings.ts';
import { SIGN_OUT_FORM_ID } from '../viewer.ts';
import type { Entry } from './palette-search.ts';

export const getPageEntries = (can: ReadonlySet<string>): Entry[] =>
  getAccessibleAreas(can).flatMap(({ name, pages }) =>
    pages.map(({ to, label }) => ({
      key: to,
      to,
      name: `${shellStrings.areas[name]} › ${shellStrings.pages[label]}`,
      keywords: shellStrings.pageKeywords[label],
    })),
  );

const FORM_PAGES: Record<keyof typeof shellStrings.formButtons, string> = {
  emailSend: '/email/emails',
  campaignCreate: '/email/campaigns',
  templateCreate: '/email/templates',
  domainAdd: '/email/domains',
  contactBookCreate: '/email/contacts',
  webhookCreate: '/email/webhooks',
  suppressionsAdd: '/email/suppressions',
  userInvite: '/admin/users',
  websiteOutline: '/website',
};

/** Returns the buttons of other pages that open a form. */
export const getFormEntries = (can: ReadonlySet<string>): Entry[] =>
  Object.entries(shellStrings.formButtons)
    .filter(([operation]) => can.has(operation))
    .map(([operation, button]) => ({
      key: `form ${operation}`,
      name: button,
      keywords: shellStrings.createKeywords,
      to: FORM_PAGES[operation as keyof typeof FORM_PAGES],
      button,
    }));

export const getAppActions = (can: ReadonlySet<string>): Entry[] => [
  ...(can.has('mailState')
    ? [
        {
          key: 'compose',
          name: shellStrings.compose,
          keywords: shellStrings.composeKeywords,
          to: '/mail/compose',
        },
        {
          key: 'mail-settings',
          name: shellStrings.mailSettings,
          keywords: shellStrings.mailSettingsKeywords,
          to: '/mail/settings',
        },
      ]
    : []),
  ...THEMES.map((theme) => ({
    key: `theme ${theme}`,
    name: `${shellStrings.theme}: ${shellStrings.themes[theme]}`,
    keywords: shellStrings.themeKeywords,
    run: () => void saveViewPreferences({ theme }),
  })),
  { key: 'help', name: shellStrings.shortcuts, keywords: shellStrings.shortcutsKeywords, run: openHelp },
  { key: 'sign-out', name: shellStrings.signOut, keywords: shellStrings.signOutKeywords, run: signOut },
];

function signOut(): void {
  document.querySelector<HTMLFormElement>(`#${SIGN_OUT_FORM_ID}`)?.requestSubmit();
}
