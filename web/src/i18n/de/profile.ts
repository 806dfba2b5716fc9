import type { strings as english } from '../en/profile.ts';

export const strings: typeof english = {
  actionsWaiting: {
    one: '# Aktion eines Agenten wartet auf Genehmigung',
    other: '# Aktionen von Agenten warten auf Genehmigung',
  },
  saved: 'Profil gespeichert.',
  loginHint: 'Nur ein Administrator kann den Anmeldenamen ändern.',
  email: 'E-Mail-Adresse',
  phone: 'Telefon',
  dataLanguage: 'Sprache der Daten',
  dataLanguageHint: 'Sprache der Feldnamen, Werte und Servermeldungen.',
  dataLanguageOther: 'Nicht festgelegt',
  timeZone: 'Zeitzone',
  signature: 'Signatur',
  signatureHint:
    'Steht unter Ihren Nachrichten zu Datensätzen. Für Postfächer gibt es eigene Signaturen in den ' +
    'Post-Einstellungen.',
  notificationSetting: 'Benachrichtigungen über Nachrichten zu Datensätzen',
  notificationOptions: { EMAIL: 'Per E-Mail', INBOX: 'In der Anwendung' },
  photo: 'Foto',
  selectPhoto: 'Foto auswählen',
  removePhoto: 'Foto entfernen',
  photoRemoved: 'Foto entfernt.',
  photoSaved: 'Foto gespeichert.',
  photoType: 'Wählen Sie ein Bild im Format PNG, JPEG, GIF oder WebP.',
  photoUnreadable: 'Dieses Bild kann nicht gelesen werden. Wählen Sie ein anderes.',
  currentPassword: 'Aktuelles Passwort',
  confirmPassword: 'Neues Passwort bestätigen',
  passwordMismatch: 'Die neuen Passwörter stimmen nicht überein.',
  changePassword: 'Passwort ändern',
  passwordText: 'Sie werden auf allen Geräten abgemeldet, auch auf diesem. Ihre API-Schlüssel gelten weiter.',
  sessionsText: 'Wenn Ihnen eine Sitzung unbekannt ist, melden Sie sie ab, und ändern Sie Ihr Passwort.',
  endOtherSessions: 'Alle anderen Sitzungen abmelden',
  endOtherSessionsText: 'Beendet alle Sitzungen außer dieser.',
  keysText:
    'Mit einem API-Schlüssel handelt ein Programm mit Ihren Rechten und ohne Ihr Passwort. Erstellen Sie für ' +
    'jedes Programm einen eigenen Schlüssel, damit Sie jeden einzeln widerrufen können.',
  keyName: 'Zweck',
  keyPermissions: 'Berechtigung',
  permissions: { FULL: 'Vollzugriff', READ: 'Nur lesen', SENDING: 'Nur E-Mails senden' },
  permissionOther: 'Eingeschränkter Zugriff',
  keyLifetimes: { 30: 'In 30 Tagen', 90: 'In 90 Tagen', 365: 'In 1 Jahr', 0: 'Nie' },
  revokeKeyText:
    'Programme mit diesem API-Schlüssel werden abgewiesen. Das lässt sich nicht rückgängig machen.',
  expired: (when) => `abgelaufen ${when}`,
  neverExpires: 'läuft nicht ab',
  agentsText:
    'Programme wie Claude oder Cursor, die über MCP in Ihrem Namen handeln. Diese Programme haben nie mehr ' +
    'Rechte als Sie selbst.',
  agentsOff: 'Agenten sind in diesem Arbeitsbereich ausgeschaltet',
  agentsOffText: 'Der Server weist alle Agenten ab, bis die Funktion eingeschaltet ist.',
  agentsOffHint: 'Bitten Sie einen Administrator, die Funktion einzuschalten.',
  agentsBySignIn: 'Über OAuth verbunden',
  noAgentsBySignIn: 'Kein Programm ist über OAuth verbunden.',
  waitingForProgram: 'Warten auf die Verbindung des Programms.',
  programConnected: (when) => `Programm verbunden, zuletzt verwendet ${when}.`,
  agentsByKey: 'Über API-Schlüssel verbunden',
  agentsByKeyText:
    'Programme, die einen Ihrer API-Schlüssel verwenden. Wenn Sie ein Programm trennen, wird sein ' +
    'Schlüssel widerrufen.',
  noAgentsByKey: 'Kein Programm ist über einen API-Schlüssel verbunden.',
  agentPermissions: (scopes) =>
    scopes.includes('WRITE') ? 'kann Daten lesen und ändern' : 'kann Daten lesen',
  agentKey: (name) => `API-Schlüssel „${name}“`,
  connected: (when) => `verbunden ${when}`,
  firstSeen: (when) => `erstmals verwendet ${when}`,
  disconnect: 'Trennen',
  disconnectNamed: (name) => `${name} trennen`,
  disconnected: (name) => `${name} wurde getrennt.`,
  disconnectText:
    'Das Programm wird ab dem nächsten Aufruf abgewiesen. Um sich wieder zu verbinden, braucht es erneut Ihre ' +
    'Zustimmung.',
  disconnectKeyText:
    'Dabei wird der API-Schlüssel des Programms widerrufen. Alle Programme mit diesem Schlüssel werden ab dem ' +
    'nächsten Aufruf abgewiesen.',
  trail: 'Aktivitätsprotokoll',
  trailTitle: (name) => `Aktivitätsprotokoll: ${name}`,
  noCalls: 'Noch keine Aufrufe.',
  showOlderCalls: 'Ältere Aufrufe anzeigen',
  outcomes: {
    done: 'Erledigt',
    asked: 'Bestätigung angefordert',
    held: 'Wartet auf Genehmigung',
    refused: 'Abgelehnt',
  },
  connectText:
    'Fügen Sie Folgendes in die Konfiguration des Programms ein. Das Programm öffnet dann Ihren Browser und ' +
    'bittet um Ihre Zustimmung.',
  connectKeyText: 'Fügen Sie Folgendes in die Konfiguration des Programms ein.',
  connectKeyWhere:
    'Speichern Sie den Schlüssel in der Umgebungsvariable ATRIUM_KEY. Enthält die Konfiguration den ' +
    'Platzhalter <key>, ersetzen Sie ihn durch den Schlüssel.',
  pasteTarget: (place) => (place === 'Terminal' ? 'Im Terminal ausführen:' : `In ${place} einfügen:`),
  createAgentKey: 'Agentenschlüssel anlegen',
  agentKeyText:
    'Für Programme, die keinen Browser öffnen können. Der Schlüssel gilt ein Jahr und hat Ihre Rechte.',
  agentKeyName: 'Name des Schlüssels',
  agentKeyDefault: 'Agent',
  readOnly: 'Nur lesen',
  held: 'Wartet auf Ihre Genehmigung',
  heldText: 'Aktionen Ihrer Agenten, die Ihre Genehmigung brauchen.',
  heldDetails: (agent, when) => `${agent} · angefragt ${when}`,
  approveNamed: (title) => `Genehmigen: ${title}`,
  rejectNamed: (title) => `Ablehnen: ${title}`,
  rejectReasonHint: 'Optional. Der Agent kann den Grund lesen.',
  noNotifications: 'Keine Benachrichtigungen',
  noNotificationsText:
    'Hier erscheinen Benachrichtigungen, wenn ein Import, ein Export oder ein anderer längerer Vorgang endet.',
  markAllRead: 'Alle als gelesen markieren',
  showOlder: 'Ältere anzeigen',
  markReadNamed: (title) => `Als gelesen markieren: ${title}`,
  unread: 'Ungelesen',
  kinds: {
    WORKSPACE_EXPORT: 'Export des Arbeitsbereichs',
    MAIL_IMPORT: 'Import von Nachrichten',
    MAIL_CHANGE: 'Massenänderung von Nachrichten',
    CAMPAIGN: 'Kampagne',
  },
  workOutcomes: { DONE: 'Erledigt', FAILED: 'Fehlgeschlagen' },
  deviceHint: 'Die Sprache gilt nur für diesen Browser. Alle anderen Einstellungen gelten auf allen Geräten.',
  customShortcuts: 'Eigene Tastenkürzel',
  noCustomShortcuts:
    'Um ein Tastenkürzel zu ändern, drücken Sie auf einer Seite ? und wählen Sie daneben „Ändern“.',
  resetCustomShortcuts: 'Alle zurücksetzen',
};
