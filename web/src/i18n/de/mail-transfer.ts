import type { strings as english } from '../en/mail-transfer.ts';

export const strings: typeof english = {
  importFiles: 'Dateien importieren',
  filesHint: 'Nachrichten (.eml) und Postfachdateien anderer Mailprogramme (.mbox).',
  destinationFolder: 'Zielordner',
  stop: 'Anhalten',
  importFromServer: 'Von einem anderen Mailserver importieren',
  imapDisabled:
    'Diese Funktion ist für Ihr Unternehmen ausgeschaltet. Bitten Sie einen Administrator, sie einzuschalten.',
  imapText:
    'Auf dem anderen Server wird nichts geändert. Der Import läuft weiter, wenn Sie diese Seite schließen. An ' +
    'seinem Ende wird das Passwort gelöscht.',
  provider: 'Anbieter',
  providers: {
    gmail: 'Gmail',
    outlook: 'Outlook',
    yahoo: 'Yahoo',
    icloud: 'iCloud',
    fastmail: 'Fastmail',
    custom: 'Anderer Server (IMAP)',
  },
  host: 'Server',
  port: 'Port',
  username: 'Benutzername oder Adresse',
  passwordHint:
    'Die meisten Anbieter verlangen ein App-Passwort, das Sie dort in Ihren Kontoeinstellungen anlegen.',
  showFolders: 'Ordner anzeigen',
  folders: 'Zu importierende Ordner',
  startImport: 'Import starten',
  started: 'Import gestartet.',
  imports: 'Importe',
  importFrom: (server) => `Import von ${server}`,
  bulkUpdate: 'Massenänderung von Nachrichten',
  states: {
    WAITING: 'Wartet',
    RUNNING: 'Läuft',
    DONE: 'Fertig',
    FAILED: 'Fehlgeschlagen',
    CANCELLED: 'Angehalten',
  },
  imported: { one: '# Nachricht importiert', other: '# Nachrichten importiert' },
  changed: { one: '# Nachricht geändert', other: '# Nachrichten geändert' },
  skipped: { one: '# bereits vorhanden', other: '# bereits vorhanden' },
  failed: { one: '# fehlgeschlagen', other: '# fehlgeschlagen' },
  notImported: 'Nicht importiert',
  exportText: 'Jeder Ordner wird als mbox-Datei exportiert, die andere Mailprogramme lesen können.',
  downloadPart: (part) => `Teil ${part}`,
  downloadNamed: (folder, part, parts) =>
    parts > 1 ? `${folder} herunterladen, Teil ${part} von ${parts}` : `${folder} herunterladen`,
};
