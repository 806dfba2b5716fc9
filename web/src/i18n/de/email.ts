import type { strings as english } from '../en/email.ts';

export const strings: typeof english = {
  title: 'E-Mail',
  emails: 'E-Mails',
  email: 'E-Mail',
  allDomains: 'Alle Domains',
  period: 'Zeitraum',
  lastDays: (days) => `Letzte ${days} Tage`,
  day: 'Tag',
  emailsPerDay: 'E-Mails pro Tag',
  emailsPerHour: 'E-Mails pro Stunde',
  breakdown: 'Aufschlüsselung',
  breakdowns: {
    HOUR: 'Stunde',
    KEY: 'API-Schlüssel',
    CAMPAIGN: 'Kampagne',
    TEMPLATE: 'Vorlage',
    SENDER: 'Absender',
    TAG: 'Tag',
  },
  tagName: 'Tag-Name',
  noEmailsInPeriod: 'Keine E-Mails in diesem Zeitraum.',
  breakdownIncomplete:
    'Unvollständig: Berücksichtigt sind nur die neuesten E-Mails oder die größten Gruppen.',
  showAsTable: 'Als Tabelle anzeigen',
  chartLabel: (days) =>
    `Zugestellte und unzustellbare E-Mails pro Tag, letzte ${days} Tage. Die Tabelle darunter enthält die Werte.`,
  hourChartLabel: 'Zugestellte und unzustellbare E-Mails von heute, nach der Stunde ihrer Erstellung.',
  reputation: (bounces, complaints) =>
    `Dauerhaft unzustellbar: ${bounces}. Spam-Beschwerden: ${complaints}. E-Mail-Anbieter schränken ` +
    'den Versand ab 5 % bzw. 0,1 % ein.',
  noEmailsYet: 'Noch keine E-Mails',
  noEmailsYetText:
    'Senden Sie über die API oder SMTP von Ihren eigenen Domains. Jede E-Mail und ihr Status erscheinen hier.',
  sendWithApi: 'Senden mit der API:',
  testText: 'Wird wie jede andere E-Mail gesendet. Den Status sehen Sie hier.',
  testTo: 'Zum Beispiel Ihre eigene Adresse',
  testSubject: (workspace) => `Test von ${workspace}`,
  testBody:
    'Diese Test-E-Mail wurde aus der Anwendung gesendet. Wenn Sie sie lesen können, funktioniert der Versand.',
  testNeedsDomain: 'Zum Senden brauchen Sie eine verifizierte Domain. Fügen Sie zuerst eine hinzu.',
  key: 'API-Schlüssel',
  allKeys: 'Alle API-Schlüssel',
  tag: 'Tag',
  tags: 'Tags',
  tagHint: 'Name=Wert',
  tagInvalid: 'Geben Sie den Tag als Name=Wert ein, zum Beispiel order=7.',
  showTagged: 'E-Mails mit diesem Tag anzeigen',
  apiCall: 'API-Anfrage',
  apiKeyPlaceholder: 'Ihr API-Schlüssel',
  searchHint: 'Betreff oder Adresse',
  noMatches: 'Keine passenden E-Mails gefunden',
  showAll: 'Alle E-Mails anzeigen',
  emailNotFound: 'E-Mail nicht gefunden',
  fromAddress: 'Von',
  toAddress: 'An',
  suppressed: 'Nicht gesendet an',
  accepted: 'Angenommen',
  scheduled: 'Geplant für',
  byteCount: (count) => `${count} Bytes`,
  views: 'Bereiche der E-Mail',
  tabs: {
    html: 'HTML',
    text: 'Text',
    source: 'Quelltext',
    events: 'Ereignisse',
    webhooks: 'Webhooks',
    json: 'JSON',
  },
  noHtml: 'Keine HTML-Version',
  noText: 'Keine Textversion',
  noSource: 'Der Quelltext ist nur verfügbar, wenn die E-Mail im Postausgang abgelegt wurde',
  cancel: 'Versand abbrechen',
  cancelled: 'Versand abgebrochen.',
  requeued: 'Die E-Mail wird erneut gesendet.',
  reschedule: 'Zeitpunkt ändern',
  rescheduled: 'Zeitpunkt geändert.',
  markFailed: 'Als fehlgeschlagen markieren',
  markFailedText:
    'Die E-Mail wird nicht erneut gesendet. Markieren Sie sie nur, wenn Sie wissen, dass sie nicht angekommen ist.',
  markedFailed: 'E-Mail als fehlgeschlagen markiert.',
  tracking: 'Tracking',
  trackingSaved: 'Gespeichert. Gilt für E-Mails, die ab jetzt gesendet werden.',
  trackClicks: 'Klicks auf Links erfassen',
  trackOpens: 'Öffnungen erfassen',
  rotateKey: 'DKIM-Schlüssel erneuern',
  rotateKeyText:
    'Erzeugt einen zweiten DKIM-Schlüssel und zeigt unten dessen DNS-Eintrag. E-Mails werden mit dem alten ' +
    'Schlüssel signiert, bis der neue Eintrag gefunden ist. Behalten Sie den alten Eintrag danach noch ' +
    'eine Woche.',
  rotated: 'Neuer DKIM-Schlüssel erzeugt. Fügen Sie nun seinen DNS-Eintrag hinzu.',
  zoneFile: 'Als Zonendatei',
  resendFailed: 'Fehlgeschlagene E-Mails erneut senden',
  resendFailedText: (from: string, to: string) =>
    `Alle E-Mails, die zwischen ${from} und ${to} fehlgeschlagen sind, werden erneut gesendet, aber nur an ` +
    'Empfänger, die sie nicht erhalten haben.',
  queuedCount: (count: string, hasMore: boolean) =>
    hasMore
      ? `${count} werden erneut gesendet. Weitere fehlgeschlagene E-Mails sind übrig.`
      : `${count} werden erneut gesendet.`,
  keys: { next: 'Nächste E-Mail', previous: 'Vorige E-Mail', open: 'Öffnen', close: 'Zurück zur Liste' },
  statuses: {
    SCHEDULED: 'Geplant',
    QUEUED: 'In Warteschlange',
    SENT: 'Gesendet',
    DELIVERY_DELAYED: 'Verzögert',
    DELIVERED: 'Zugestellt',
    OPENED: 'Geöffnet',
    CLICKED: 'Angeklickt',
    BOUNCED: 'Unzustellbar',
    COMPLAINED: 'Als Spam gemeldet',
    REJECTED: 'Abgelehnt',
    RENDERING_FAILURE: 'Vorlagenfehler',
    CANCELLED: 'Abgebrochen',
    FAILED: 'Fehlgeschlagen',
    SUPPRESSED: 'Gesperrt',
  },
  meanings: {
    SCHEDULED: 'Wird zum geplanten Zeitpunkt gesendet.',
    QUEUED: 'Wartet in der Versandwarteschlange.',
    SENT: 'Vom E-Mail-Anbieter angenommen. Noch kein Zustellbericht.',
    DELIVERY_DELAYED: 'Noch nicht zugestellt. Der Versand wird automatisch wiederholt.',
    DELIVERED: 'Vom empfangenden Server angenommen.',
    OPENED: 'Vom Empfänger geöffnet.',
    CLICKED: 'Der Empfänger hat einen Link angeklickt.',
    BOUNCED: 'Vom empfangenden Server zurückgewiesen.',
    COMPLAINED: 'Der Empfänger hat die E-Mail als Spam gemeldet. An diese Adresse wird nichts mehr gesendet.',
    REJECTED: 'Vom E-Mail-Anbieter abgelehnt.',
    RENDERING_FAILURE: 'Die Vorlage konnte nicht gerendert werden.',
    CANCELLED: 'Vor dem Versand abgebrochen.',
    FAILED: 'Konnte nicht gesendet werden.',
    SUPPRESSED: 'Nicht gesendet, weil die Empfänger auf der Sperrliste stehen.',
  },
  storedInOutbox:
    'Im Postausgang dieses Servers abgelegt. Es ist kein E-Mail-Anbieter eingerichtet, daher wurde nichts an den ' +
    'Empfänger gesendet. Um eine Unzustellbarkeit zu testen, senden Sie an bounce@simulator.example.org.',
  hardBounced: 'Dauerhaft unzustellbar. Die Adresse ist gesperrt, an sie wird nichts mehr gesendet.',
  softBounced: 'Vorübergehend unzustellbar. Weitere E-Mails an diese Adresse werden gesendet.',
  showSuppression: 'Sperreintrag anzeigen',
  addDomain: 'Domain hinzufügen',
  addDomainText:
    'Mit einem E-Mail-Anbieter benötigt die Domain DNS-Einträge. Sie werden angezeigt, sobald die Domain hinzugefügt ' +
    'ist. Ohne Anbieter ist die Domain sofort verifiziert, und E-Mails an ihre Adressen werden an die Postfächer ' +
    'dieses Servers zugestellt. Mit der ersten verifizierten Domain erhält jedes Postfach eine neue Adresse.',
  domainName: 'Domainname',
  domainAdded: (name) => `${name} wurde hinzugefügt.`,
  noDomains: 'Noch keine Domains',
  noDomainsText:
    'Fügen Sie die Domain hinzu, von der Sie senden möchten. Sie steht in Ihrer Absenderadresse nach dem @.',
  domainNotFound: 'Domain nicht gefunden',
  checkedAt: (when) => `Zuletzt geprüft: ${when}`,
  domainStatuses: {
    NOT_STARTED: 'Noch nicht verifiziert',
    PENDING: 'Ausstehend',
    SUCCESS: 'Verifiziert',
    FAILED: 'Nicht verifiziert',
    TEMPORARY_FAILURE: 'Prüfung fehlgeschlagen',
  },
  unsigned: 'Nicht signiert',
  unsignedText:
    'E-Mails werden ohne DKIM-Signatur gesendet, weil der DKIM-Eintrag unten fehlt oder falsch ist. ' +
    'Empfänger lehnen sie möglicherweise ab.',
  unsignedDomains: 'E-Mails von diesen Domains sind nicht signiert:',
  domainMeanings: {
    NOT_STARTED: 'Legen Sie die folgenden DNS-Einträge an, und prüfen Sie dann die Domain.',
    PENDING: 'Einige DNS-Einträge wurden noch nicht gefunden. DNS-Änderungen können mehrere Stunden dauern.',
    SUCCESS: 'Sie können von dieser Domain E-Mails senden.',
    FAILED:
      'Die DNS-Einträge wurden nicht rechtzeitig gefunden. Vergleichen Sie sie mit den Einträgen unten, und ' +
      'prüfen Sie erneut.',
    TEMPORARY_FAILURE: 'Die letzte Prüfung ist fehlgeschlagen. Sie wird automatisch wiederholt.',
  },
  records: 'DNS-Einträge',
  recordNames: (zone) =>
    `Die Namen gelten relativ zu ${zone}. Manche DNS-Anbieter erwarten sie mit dieser Domain.`,
  noRecords: 'Keine DNS-Einträge erforderlich.',
  recordStatuses: {
    NOT_STARTED: 'Noch nicht gefunden',
    PENDING: 'Wird geprüft',
    SUCCESS: 'Gefunden',
    FAILED: 'Anderer Wert gefunden',
    TEMPORARY_FAILURE: 'Prüfung fehlgeschlagen',
  },
  recommended: 'Empfohlen',
  recordValue: 'Erwarteter Wert',
  currentValue: 'Aktueller Wert',
  notObserved: 'Keiner',
  priority: 'Priorität',
  verify: 'Jetzt prüfen',
  operatorVerifies:
    'E-Mails gehen über ein SMTP-Relay. Deshalb kann nur der Betreiber dieses Servers die Domain bestätigen. ' +
    'Veröffentlichen Sie die DNS-Einträge unten, und bitten Sie dann den Betreiber.',
  deleteDomainText:
    'Ausstehende E-Mails von dieser Domain werden abgebrochen. API-Schlüssel, die auf die Domain beschränkt sind, ' +
    'werden ungültig. Das lässt sich nicht rückgängig machen.',
  keyList: 'API-Schlüssel',
  noKeysText:
    'Programme senden mit einem API-Schlüssel über die API oder SMTP. Erstellen Sie für jedes Programm einen eigenen.',
  keyName: 'Name, zum Beispiel der des Programms',
  permission: 'Berechtigung',
  permissions: { FULL: 'Vollzugriff', READ: 'Nur lesen', SENDING: 'Nur senden' },
  unchanged: 'Unverändert',
  keyUpdated: (name) => `${name} wurde geändert.`,
  revokeText:
    'Programme mit diesem API-Schlüssel können nicht mehr senden. Das lässt sich nicht rückgängig machen.',
  smtp: {
    title: 'SMTP',
    about:
      'Programme ohne Anbindung an die API können per SMTP senden. Diese E-Mails werden wie alle anderen ' +
      'geprüft, gesendet und angezeigt.',
    off:
      'SMTP ist auf diesem Server ausgeschaltet. Zum Einschalten setzt der Betreiber einen der Ports unten und ' +
      'startet den Server neu.',
    host: 'Server',
    startTls: 'Port (STARTTLS)',
    tls: 'Port (TLS)',
    portOff: (setting) => `Aus. Der Betreiber des Servers setzt ${setting}.`,
    user: 'Benutzername',
    userText: 'Beliebiger Wert. Er wird nicht geprüft.',
    password: 'Passwort',
    passwordText:
      'Ein API-Schlüssel. Ohne TLS können sich nur Programme anmelden, die auf dem Server laufen.',
    sender: 'Absender',
    senderText: (domain) => `Eine Adresse einer verifizierten Domain, zum Beispiel hello@${domain}.`,
    limits: 'Grenzwerte',
    limitsText: (megabytes, recipients) => `${megabytes} MB und ${recipients} Empfänger je Nachricht.`,
    ownCertificate:
      'Der Server verwendet ein selbst signiertes Zertifikat. Hinterlegen Sie den Zertifikatsteil von smtp.pem ' +
      'aus seinem Datenverzeichnis in Ihren Programmen als vertrauenswürdig, oder lassen Sie den Betreiber ' +
      'SMTP_TLS_CERT und SMTP_TLS_KEY setzen.',
    encryption: 'Verschlüsselung',
    codeSamples: 'Codebeispiele',
    programs: { nodemailer: 'Node.js: nodemailer', smtplib: 'Python: smtplib', swaks: 'Befehlszeile: swaks' },
  },
  emailEvents: {
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    opened: 'Geöffnet',
    clicked: 'Angeklickt',
    bounced: 'Unzustellbar',
    complained: 'Als Spam gemeldet',
    unsubscribed: 'Abgemeldet',
  },
  share: (share, part, sent) => `${share} (${part} von ${sent} gesendeten)`,
  showingNewest: (count, all) => `Angezeigt werden die neuesten ${count} von ${all}.`,
  testSent: (to) => `Test-E-Mail an ${to} wird gesendet.`,
  testUnsaved: 'Nicht gespeicherte Änderungen sind nicht enthalten.',
};
