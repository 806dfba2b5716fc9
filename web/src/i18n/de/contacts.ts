import type { strings as english } from '../en/contacts.ts';

export const strings: typeof english = {
  title: 'Kontakte',
  bookNotFound: 'Kontaktbuch nicht gefunden',
  noBooks: 'Noch keine Kontaktbücher',
  noBooksText:
    'Ein Kontaktbuch enthält die Empfänger Ihrer Kampagnen, zum Beispiel Newsletter-Abonnenten. Legen Sie ' +
    'ein Buch an, und fügen Sie dann Kontakte hinzu oder importieren Sie eine Datei.',
  bookSettings: 'Einstellungen',
  deleteBook: 'Kontaktbuch löschen',
  deleteBookText:
    'Dabei werden auch die Kontakte des Buchs und deren Abmeldungen gelöscht. Das lässt sich nicht rückgängig ' +
    'machen.',
  emoji: 'Emoji',
  variables: 'Kampagnenvariablen',
  variablesHint: 'Kontakteigenschaften, die als Variablen verfügbar sind, durch Kommas getrennt: plan, city',
  doubleOptIn: 'Double-Opt-in',
  doubleOptInHint: 'Neue Kontakte erhalten einen Bestätigungslink und Kampagnen erst nach der Bestätigung.',
  optIn: 'Bestätigungs-E-Mail',
  optInFromHint:
    'Eine Adresse einer verifizierten Domain. Standard: hello@, gefolgt von Ihrer ersten verifizierten Domain.',
  confirmationRequired:
    'Neue Kontakte dieses Buchs erhalten einen Bestätigungslink und sind nach der Bestätigung angemeldet.',
  saved: (name) => `${name} wurde gespeichert.`,
  count: { one: '# Kontakt', other: '# Kontakte' },
  subscribedCount: { one: '# angemeldet', other: '# angemeldet' },
  none: 'Noch keine Kontakte',
  noneText: 'Fügen Sie Kontakte einzeln hinzu, oder importieren Sie eine CSV-Datei.',
  noMatches: 'Keine passenden Kontakte gefunden',
  showAll: 'Alle Kontakte anzeigen',
  searchHint: 'Teil einer Adresse oder eines Namens',
  keys: {
    next: 'Nächster Kontakt',
    previous: 'Voriger Kontakt',
    open: 'Öffnen',
    close: 'Zurück zur Liste',
  },
  statuses: {
    SUBSCRIBED: 'Angemeldet',
    PENDING: 'Nicht bestätigt',
    UNSUBSCRIBED: 'Abgemeldet',
    BOUNCED: 'Unzustellbar',
    COMPLAINED: 'Als Spam gemeldet',
  },
  meanings: {
    SUBSCRIBED: 'Erhält Kampagnen, die an dieses Buch gesendet werden.',
    PENDING: 'Der Bestätigungslink wurde noch nicht geöffnet.',
    UNSUBSCRIBED: 'Der Kontakt hat sich abgemeldet und erhält keine Kampagnen.',
    BOUNCED: 'Eine E-Mail war dauerhaft unzustellbar. Der Kontakt erhält keine Kampagnen.',
    COMPLAINED: 'Der Empfänger hat eine E-Mail als Spam gemeldet und erhält keine Kampagnen.',
  },
  contact: 'Kontakt',
  contactNotFound: 'Kontakt in diesem Buch nicht gefunden',
  add: 'Kontakt hinzufügen',
  email: 'E-Mail-Adresse',
  firstName: 'Vorname',
  lastName: 'Nachname',
  properties: 'Eigenschaften',
  addProperty: 'Eigenschaft hinzufügen',
  addedOn: (when) => `Hinzugefügt ${when}`,
  unsubscribe: 'Abmelden',
  subscribe: 'Anmelden',
  subscribeTitle: (email) => `${email} anmelden?`,
  subscribeText:
    'Melden Sie den Kontakt nur an, wenn er darum gebeten hat. An die Adresse werden dann wieder Kampagnen gesendet.',
  resendConfirmation: 'Bestätigungs-E-Mail erneut senden',
  confirmationResent: 'Bestätigungs-E-Mail gesendet.',
  deleteText:
    'Dabei wird auch die Abmeldung gelöscht. Ein Import mit dieser Adresse meldet sie wieder an. Das lässt ' +
    'sich nicht rückgängig machen.',
  importTitle: 'Kontakte importieren',
  importText:
    'Jede Zeile legt einen Kontakt in diesem Buch an oder ändert den Kontakt mit derselben Adresse. Abgemeldete ' +
    'Kontakte bleiben abgemeldet.',
  fileHint:
    'UTF-8, getrennt durch Kommas, Semikolons oder Tabulatoren. Die erste Zeile enthält die Spaltennamen.',
  contactFields: {
    email: 'E-Mail-Adresse',
    firstName: 'Vorname',
    lastName: 'Nachname',
    subscribed: 'Angemeldet (true, false)',
  },
  propertyNamed: (name) => `Eigenschaft ${name}`,
  noEmailColumn: 'Ordnen Sie eine Spalte der E-Mail-Adresse zu.',
  importNow: { one: '# Kontakt importieren', other: '# Kontakte importieren' },
  progress: 'Fortschritt',
  importPreview: 'Importvorschau',
  imported: 'Import abgeschlossen',
  viewContacts: 'Kontakte anzeigen',
  importCounts: {
    created: 'Neu',
    updated: 'Geändert',
    duplicates: 'Doppelt in der Datei',
    failed: 'Abgelehnt',
  },
};
