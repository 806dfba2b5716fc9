import type { strings as english } from '../en/admin-workspace.ts';

export const strings: typeof english = {
  showActive: 'Aktive Benutzer anzeigen',
  addTo: (list) => `Hinzufügen zu: ${list}`,
  closeNamed: (name) => `Schließen: ${name}`,
  deleteNamed: (name) => `Löschen: ${name}`,
  deleteTitle: (name) => `„${name}“ löschen?`,
  choose: 'Auswählen …',
  loadMore: 'Mehr laden',
  none: 'keine',
  conflict: 'Dieser Eintrag wurde geändert',
  conflictText: (author, when) =>
    `${author || 'Jemand anderes'} hat am ${when} einen anderen Wert gespeichert. Ihre Änderungen wurden nicht ` +
    'gespeichert.',
  conflictUnknown:
    'Jemand anderes hat einen anderen Wert gespeichert. Ihre Änderungen wurden nicht gespeichert.',
  keys: { next: 'Nächster Eintrag', previous: 'Voriger Eintrag', open: 'Öffnen' },
  email: 'E-Mail',
  phone: 'Telefon',
  details: 'Details',
  overview: 'Übersicht',
  lastChanged: 'Zuletzt geändert',

  users: 'Benutzer',
  userCount: { one: '# Benutzer', other: '# Benutzer' },
  userSearchHint: 'Name oder Anmeldename',
  userFilters: {
    active: 'Aktive',
    administrators: 'Administratoren',
    portal: 'Portalbenutzer',
    service: 'Dienstkonten',
    archived: 'Archivierte',
    all: 'Alle',
  },
  noMatchingUsers: 'Keine passenden Benutzer gefunden',
  userNotFound: 'Benutzer nicht gefunden',
  neverSignedIn: 'nie angemeldet',
  kinds: {
    archived: 'Archiviert',
    service: 'Dienstkonto',
    portal: 'Portalbenutzer',
    administrator: 'Administrator',
    user: 'Benutzer',
  },
  seats: 'Plätze',
  seatsUsed: { one: '# Platz belegt', other: '# Plätze belegt' },
  seatUsage: (used, all, free) => `${used} von ${all} Plätzen belegt, ${free} frei`,
  seatsInvited: { one: '# für eine Einladung reserviert', other: '# für Einladungen reserviert' },
  accountsWithoutSeat: { one: '# Dienstkonto ohne Platz', other: '# Dienstkonten ohne Platz' },
  serviceAccounts: 'Dienstkonten',
  serviceAccountText:
    'Ein Benutzerkonto für ein Programm. Es belegt keinen Platz, hat kein Passwort und erhält nie ' +
    'Administratorrechte. Dienstkonten kann nur der Betreiber des Servers anlegen.',
  userTabs: { details: 'Details', groups: 'Gruppen', sessions: 'Sitzungen', access: 'Berechtigungen' },
  loginHint: 'Meist eine E-Mail-Adresse.',
  loginChangeHint: 'Nach einer Änderung meldet sich der Benutzer mit dem neuen Anmeldenamen an.',
  lastSignIn: 'Letzte Anmeldung',
  trail: 'Audit-Protokoll',
  userActivity: 'Benutzeraktivität',

  createUser: 'Benutzer anlegen',
  createUserText:
    'Der Benutzer kann sich sofort anmelden. Damit die Person ihr Passwort selbst festlegt, senden Sie ' +
    'stattdessen eine Einladung.',
  firstPassword: 'Anfangspasswort',
  firstPasswordHint: 'Leer lassen, wenn der Benutzer nur API-Schlüssel verwendet.',
  assignAdministrator: 'Zum Administrator machen',
  userCreated: (login) => `${login} wurde angelegt.`,
  archiveTitle: (login) => `${login} archivieren?`,
  archiveText:
    'Alle Sitzungen enden sofort, API-Schlüssel werden ungültig, und der Platz wird frei. Datensätze des ' +
    'Benutzers bleiben erhalten, und Sie können ihn wiederherstellen.',
  archived: (login) => `${login} wurde archiviert.`,
  archivedHasNoPermissions: 'Archivierte Benutzer haben keine Berechtigungen.',
  restored: (login) => `${login} wurde wiederhergestellt.`,
  setPassword: 'Passwort festlegen',
  setPasswordTitle: (login) => `Passwort für ${login} festlegen`,
  setPasswordText:
    'Ersetzt das Passwort des Benutzers und beendet alle seine Sitzungen. Teilen Sie das neue Passwort nur dem ' +
    'Benutzer mit.',
  passwordChanged: (login) => `Passwort von ${login} geändert.`,

  invite: 'Einladen',
  inviteTitle: 'Benutzer einladen',
  inviteText:
    'Sendet eine E-Mail mit einem Link, um Namen und Passwort festzulegen. Der Link gilt 7 Tage und kann nur ' +
    'einmal verwendet werden.',
  invitations: 'Einladungen',
  suggestedName: 'Vorgeschlagener Name',
  sendInvitation: 'Einladung senden',
  sharedMailboxes: 'Gemeinsame Postfächer',
  invited: (email) => `Einladung an ${email} gesendet.`,
  noInvitations: 'Noch keine Einladungen',
  invitationStates: {
    WAITING: 'Ausstehend',
    ACCEPTED: 'Angenommen',
    REVOKED: 'Zurückgezogen',
    EXPIRED: 'Abgelaufen',
  },
  sentOn: (when) => `gesendet ${when}`,
  validUntil: (when) => `gilt bis ${when}`,
  resendNamed: (email) => `Einladung an ${email} erneut senden`,
  revoke: 'Zurückziehen',
  revokeNamed: (email) => `Einladung an ${email} zurückziehen`,
  revokeTitle: (email) => `Einladung an ${email} zurückziehen?`,
  revokeText: 'Der Link wird sofort ungültig, und der Platz wird frei.',
  invitationRevoked: (email) => `Einladung an ${email} zurückgezogen.`,

  sessionsText: 'Aktive Sitzungen dieses Benutzers.',
  endAllSessions: 'Alle Sitzungen beenden',
  endAllSessionsText:
    'Der Benutzer muss sich auf allen Geräten neu anmelden. Ihre aktuelle Sitzung bleibt bestehen.',

  groups: 'Gruppen',
  groupCount: { one: '# Gruppe', other: '# Gruppen' },
  groupSearchHint: 'Name der Gruppe',
  noMatchingGroups: 'Keine passenden Gruppen gefunden',
  groupNotFound: 'Gruppe nicht gefunden',
  noGroups: 'Der Benutzer hat keine Gruppen.',
  userGroupsText: 'Gruppen gewähren Zugriffsrechte. Änderungen gelten sofort, in allen offenen Sitzungen.',
  impliedGroups: 'Enthaltene Gruppen',
  customGroup: 'eigene',
  memberCount: { one: '# Mitglied', other: '# Mitglieder' },
  createGroup: 'Gruppe anlegen',
  createGroupText:
    'Eine neue Gruppe hat keine Rechte, bis Sie Zugriffsrechte oder enthaltene Gruppen hinzufügen.',
  groupTabs: {
    members: 'Mitglieder',
    implied: 'Enthaltene Gruppen',
    rights: 'Rechte und Regeln',
    details: 'Details',
  },
  members: 'Mitglieder',
  membersText:
    'Benutzer, die dieser Gruppe direkt zugeordnet sind. Benutzer, die ihr über eine andere Gruppe ' +
    'angehören, sind nicht aufgeführt.',
  addMember: 'Benutzer hinzufügen',
  noMembers: 'Keine direkten Mitglieder.',
  implies: 'Enthält',
  impliesText: 'Mitglieder dieser Gruppe haben auch die Rechte der enthaltenen Gruppen.',
  noImpliedGroups: 'Keine enthaltenen Gruppen.',
  impliedBy: 'Enthalten in',
  noImplyingGroups: 'In keiner anderen Gruppe enthalten.',
  groupRightsText: 'Rechte dieser Gruppe selbst, ohne ihre enthaltenen Gruppen.',
  externalIdText: (name) =>
    `Externe ID: ${name}. Eine App benötigt diese Gruppe, daher kann sie hier nicht gelöscht werden.`,
  deleteGroupText:
    'Mitglieder verlieren die Rechte dieser Gruppe. Zugriffsrechte, die sich auf die Gruppe beziehen, müssen ' +
    'zuerst gelöscht werden.',

  access: 'Zugriffsrechte',
  accessTabs: {
    who: 'Berechtigungen',
    rights: 'Zugriffsrechte',
    rules: 'Datensatzregeln',
    explain: 'Prüfen',
  },
  accessTable: 'Berechtigungen der Benutzer',
  chooseModel: 'Wählen Sie ein Modell',
  chooseModelText:
    'Hier sehen und prüfen Sie, welche Berechtigungen Benutzer für die Datensätze des Modells haben, und ' +
    'bearbeiten Zugriffsrechte und Datensatzregeln.',
  userAccessText:
    'Berechtigungen des Benutzers je Modell, die Gruppen, die sie gewähren, und die Datensatzregeln, die ' +
    'sie einschränken.',
  includeForbidden: 'Modelle ohne Zugriff einbeziehen',
  operation: 'Operation',
  operations: { READ: 'Lesen', CREATE: 'Anlegen', UPDATE: 'Bearbeiten', DELETE: 'Löschen' },
  operationLabels: { read: 'Lesen', create: 'Anlegen', write: 'Bearbeiten', unlink: 'Löschen' },
  allowed: { yes: 'Ja', limited: 'Manche Datensätze', no: 'Nein' },
  restrictedByRules: (rules) => `Regeln: ${rules}`,
  recordId: 'Datensatz-ID (optional)',
  explain: 'Prüfen',
  grantingGroups: (groups) => `Eine dieser Gruppen würde den Zugriff erlauben: ${groups}.`,
  recordNotFound: 'Datensatz nicht gefunden.',
  noGrantingRight: 'Keine Gruppe des Benutzers hat ein Zugriffsrecht, das dies erlaubt.',
  deniedByParent: 'Der Benutzer hat keinen Zugriff auf den übergeordneten Datensatz.',
  deniedByRules: (rules) => `Datensatzregeln verweigern den Zugriff: ${rules}.`,
  grants: { yes: 'erlaubt den Zugriff', no: 'nicht in dieser Gruppe' },
  passes: { yes: 'erlaubt den Zugriff', no: 'verbirgt den Datensatz' },

  rights: 'Zugriffsrechte',
  rightsText: 'Ein Benutzer hat die Rechte aller seiner Gruppen. Änderungen gelten sofort.',
  noRights: 'Noch keine Zugriffsrechte.',
  addRight: 'Zugriffsrecht hinzufügen',
  deleteRightText: 'Benutzer verlieren dieses Recht, sofern kein anderes Zugriffsrecht es gewährt.',
  rules: 'Datensatzregeln',
  rule: 'Datensatzregel',
  rulesText:
    'Ein Datensatz muss alle allgemeinen Regeln und mindestens eine Regel aus den Gruppen des Benutzers erfüllen.',
  noRules: 'Noch keine Datensatzregeln.',
  addRule: 'Datensatzregel hinzufügen',
  unnamedRule: 'Regel ohne Namen',
  ruleStates: { active: 'Aktiv', inactive: 'Inaktiv', faulty: 'Ungültig: verweigert jeden Zugriff' },
  domainHint:
    "Zum Beispiel [('user_id', '=', user.id)]. Leer lassen, um den Zugriff auf alle Datensätze zu erlauben.",
  appliesToEveryone: 'Gilt für alle.',
  deleteRule: 'Regel löschen',
  deleteRuleText: 'Benutzer erhalten Zugriff auf Datensätze, die nur diese Regel verbirgt.',

  features: 'Funktionen',
  workspaceFeatures: 'Arbeitsbereich',
  featureNames: { EMAIL: 'E-Mail-Dienst', MCP: 'Agenten (MCP)' },
  featureTexts: {
    EMAIL:
      'Benutzer und Programme können E-Mails senden und Domains, Vorlagen, Kontakte, Kampagnen und Webhooks ' +
      'verwalten.',
    MCP: 'Programme können über das Model Context Protocol im Namen von Benutzern handeln, mit deren Rechten.',
  },
  featureOffTexts: {
    EMAIL:
      'Die E-Mail-Seiten, die REST-API für E-Mail und SMTP funktionieren nicht mehr. Es werden keine Daten gelöscht.',
    MCP:
      'Alle Agenten werden abgewiesen. Schlüssel und Zustimmungen bleiben erhalten, bis Sie die Funktion wieder ' +
      'einschalten.',
  },
  mailFeatures: 'Post (je Unternehmen)',
  company: 'Unternehmen',
  yourCompany: 'Ihr Unternehmen',
  switchLabels: { on: 'Einschalten', off: 'Ausschalten' },
  switchNamed: (name, isOn) => `${isOn ? 'Einschalten' : 'Ausschalten'}: ${name}`,
  switched: (name, isOn) => `${name} ${isOn ? 'eingeschaltet' : 'ausgeschaltet'}.`,
  mailFeatureNames: {
    'mail.search': 'Suchoperatoren',
    'mail.organize': 'Nachrichten ordnen',
    'mail.blocklist': 'Absender blockieren',
    'mail.rules': 'Regeln und automatische Antwort',
    'mail.import_export': 'Import und Export',
    'mail.import_imap': 'Import von einem anderen Mailserver',
    'mail.composer2': 'Cc, Bcc, Anhänge und Formatierung',
    'mail.honest_send': 'Sendestatus',
    'mail.delivery_meta': 'Zustellstatus',
    'mail.shared': 'Gemeinsame Postfächer',
    'mail.unified_inbox': 'Alle Posteingänge',
    'mail.threading': 'Unterhaltungen',
    'mail.inbound_attachments': 'Anhänge eingehender Nachrichten',
  },
  mailFeatureTexts: {
    'mail.search': 'Suchoperatoren wie from:anna oder has:attachment.',
    'mail.organize': 'Eigene Ordner, Labels, Sterne und das Archiv.',
    'mail.blocklist': 'Nachrichten von blockierten Absendern landen im Spam.',
    'mail.rules':
      'Regeln sortieren Nachrichten beim Eintreffen. Bei Abwesenheit wird automatisch geantwortet.',
    'mail.import_export': 'Import und Export von Nachrichten als Dateien.',
    'mail.import_imap': 'Kopiert Nachrichten aus einem anderen Postfach über IMAP.',
    'mail.composer2': 'Cc, Bcc, Anhänge und Formatierung beim Verfassen von Nachrichten.',
    'mail.honest_send': 'Zeigt bei gesendeten Nachrichten den tatsächlichen Sendestatus.',
    'mail.delivery_meta': 'Zeigt, ob gesendete Nachrichten zugestellt wurden oder unzustellbar waren.',
    'mail.shared': 'Postfächer, die sich mehrere Benutzer teilen, zum Beispiel support@.',
    'mail.unified_inbox': 'Zeigt die Posteingänge aller Postfächer in einer Liste.',
    'mail.threading': 'Gruppiert Nachrichten nach Unterhaltungen.',
    'mail.inbound_attachments': 'Speichert die Anhänge eingehender Nachrichten.',
  },

  policies: 'Richtlinien',
  agentRules: 'Agenten',
  agentRulesText: 'Bestätigungen und Grenzwerte für Programme, die im Namen von Benutzern handeln.',
  confirmation: 'Bestätigung von Aktionen',
  confirmationHint: 'Gilt für Aktionen mit Vorschau, zum Beispiel das Löschen vieler Datensätze.',
  confirmations: {
    AGENT: 'Der Agent bestätigt',
    TOKEN: 'Der Agent bestätigt genau die Vorschau, die er erhalten hat',
    PERSON: 'Ein Mensch bestätigt',
  },
  holds: {
    SENDS: 'Ausgehende Nachrichten anhalten',
    DELETES: 'Löschungen anhalten',
    MODULES: 'Änderungen an Apps anhalten',
    CONFIRMED: 'Alle bestätigungspflichtigen Aktionen anhalten',
  },
  holdHints: {
    SENDS:
      'Nachrichten und automatische Antworten bleiben unter „Zurückgehaltene Aktionen“, bis ein Mensch sie ' +
      'genehmigt.',
    DELETES: 'Das Löschen von Datensätzen und Labels erfordert eine Genehmigung.',
    MODULES:
      'Das Installieren, Aktualisieren, Konfigurieren und Deinstallieren von Apps erfordert eine Genehmigung.',
    CONFIRMED: 'Jede Aktion mit Vorschau erfordert eine Genehmigung.',
  },
  approvers: 'Genehmigung zurückgehaltener Aktionen',
  approversHint: 'Administratoren können immer genehmigen.',
  approverNames: { ADMINISTRATORS: 'Administratoren', OWNER: 'Der Benutzer des Agenten' },
  budgets: {
    callsPerMinute: 'Aufrufe pro Minute',
    callsPerDay: 'Aufrufe pro Tag',
    sendsPerDay: 'Gesendete Nachrichten pro Tag',
    changesPerDay: 'Geänderte Datensätze pro Tag',
  },
  budgetHints: {
    callsPerMinute: 'Je Agent. Standard: 3.000.',
    callsPerDay: 'Je Agent und UTC-Tag. Ohne Angabe unbegrenzt.',
    sendsPerDay: 'Je Agent und UTC-Tag. Ohne Angabe unbegrenzt.',
    changesPerDay: 'Je Agent und UTC-Tag. Ohne Angabe unbegrenzt.',
  },
  mailPolicies: 'Post',
  mailPolicyNames: {
    import_who: 'Import von Nachrichten',
    shared_create_who: 'Anlegen gemeinsamer Postfächer',
  },
  mailPolicyTexts: {
    import_who:
      'Importierte Nachrichten belegen Speicher des Arbeitsbereichs und können alt oder gefälscht sein.',
    shared_create_who:
      'Wer ein gemeinsames Postfach anlegt, wählt dessen Adresse und verwaltet die Mitglieder.',
  },
  allowedUsers: { administrators: 'Nur Administratoren', everyone: 'Jeder Benutzer mit einem Postfach' },
  reservedAddresses: 'Reservierte Adressen',
  reservedAddressesText:
    'Nur Administratoren können diese Adressen vergeben. Das verhindert Identitätsmissbrauch.',
  noReservedAddresses: 'Noch keine reservierten Adressen.',
  reserve: 'Reservieren',
  reserveHint: 'Der Teil vor dem @, zum Beispiel chef.',
  release: 'Freigeben',
  releaseNamed: (local) => `Freigeben: ${local}@`,
  alwaysReserved: (list) => `Immer reserviert: ${list}.`,

  companyPage: 'Unternehmen',
  workspace: 'Arbeitsbereich',
  slug: 'Kurzname',
  workspaceText:
    'Mit dem Kurznamen melden sich Benutzer an. Die Zahl der Plätze legt der Betreiber des Servers fest.',
  companyName: 'Name des Unternehmens',
  primaryColor: 'Primärfarbe',
  pickColor: (label: string) => `${label}: Farbauswahl`,
  colorHint: 'Gilt für E-Mails und gedruckte Dokumente des Unternehmens.',
  secondaryColor: 'Sekundärfarbe',
  currency: 'Währung',
  website: 'Website',
  vat: 'Steuernummer',
  changeAddress: 'Adresse, E-Mail und Steuernummer bearbeiten',
  parameters: 'Parameter',
  parametersText:
    'Einstellungen ohne eigene Seite. Die Plattform, Apps und Ihre Programme lesen sie. Ändern Sie nur ' +
    'Parameter, deren Wirkung Sie kennen.',
};
