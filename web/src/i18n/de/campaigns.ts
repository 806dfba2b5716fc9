import type { strings as english } from '../en/campaigns.ts';

export const strings: typeof english = {
  title: 'Kampagnen',
  campaign: 'Kampagne',
  searchHint: 'Name',
  statuses: {
    DRAFT: 'Entwurf',
    SCHEDULED: 'Geplant',
    RUNNING: 'Wird gesendet',
    PAUSED: 'Pausiert',
    SENT: 'Gesendet',
  },
  meanings: {
    DRAFT: 'Es wurde noch nichts gesendet.',
    SCHEDULED: 'Wird zum geplanten Zeitpunkt gesendet. Bis dahin können Sie die Kampagne bearbeiten.',
    RUNNING: 'E-Mails werden erstellt und gesendet.',
    PAUSED: 'Es werden keine E-Mails gesendet, bis Sie die Kampagne fortsetzen.',
    SENT: 'Für jeden Kontakt wurde eine E-Mail erstellt. Die letzten sind möglicherweise noch unterwegs.',
  },
  none: 'Noch keine Kampagnen',
  noneText:
    'Eine Kampagne ist eine Nachricht an alle angemeldeten Kontakte eines Kontaktbuchs, zum Beispiel ein Newsletter.',
  noMatches: 'Keine passenden Kampagnen gefunden',
  campaignNotFound: 'Kampagne nicht gefunden',
  toBook: (name) => `an ${name}`,
  bookDeleted: 'Das Kontaktbuch wurde gelöscht',
  deliveredCount: (delivered, total) => `${delivered} von ${total} zugestellt`,
  atTime: (when) => `am ${when}`,
  create: 'Kampagne anlegen',
  createText: 'Beginnt als Entwurf. Es wird nichts gesendet, bis Sie die Kampagne senden oder planen.',
  noBooks:
    'Noch keine Kontaktbücher. Kampagnen gehen an die Kontakte eines Buchs, legen Sie daher zuerst eines an.',
  nameHint: 'Nur intern. Empfänger sehen den Namen nie.',
  fromHint: 'Eine Adresse einer verifizierten Domain, zum Beispiel Neues <neues@example.com>.',
  replyToHint:
    'Mehrere Adressen durch Kommas trennen. Leer lassen, damit Antworten an die Absenderadresse gehen.',
  template: 'Ausgangspunkt',
  blank: 'Leer',
  views: 'Bereiche der Kampagne',
  tabs: { edit: 'Inhalt', preview: 'Vorschau', results: 'Ergebnisse' },
  previewText: 'Vorschautext',
  previewTextHint: 'Steht im Posteingang hinter dem Betreff.',
  htmlHint: (names) => `Variablen: ${names}. Der Abmeldelink {{usesend_unsubscribe_url}} ist erforderlich.`,
  batchSize: 'Kontakte pro Block',
  batchWindow: 'Minuten zwischen den Blöcken',
  batchHint: 'Bei 0 werden die Blöcke ohne Pause gesendet.',
  notEditable: 'Der Versand hat begonnen, daher kann die Kampagne nicht mehr bearbeitet werden.',
  conflict: 'Diese Kampagne wurde geändert',
  conflictText:
    'Jemand anderes hat diese Kampagne gespeichert, nachdem Sie mit der Bearbeitung begonnen hatten. Behalten Sie ' +
    'Ihre Version, ersetzen Ihre Änderungen die anderen. Übernehmen Sie die andere, gehen Ihre Änderungen verloren.',
  previewAsContact: 'Vorschau für Kontakt',
  previewAsContactHint: 'E-Mail-Adresse eines Kontakts aus dem Kontaktbuch',
  previewFor: (address) => `Vorschau für ${address}. Der Abmeldelink in dieser Vorschau hat keine Wirkung.`,
  previewWithoutContact: 'Das Kontaktbuch hat keine angemeldeten Kontakte. Die Vorschau zeigt Ersatzwerte.',
  unknownVariables: (names) =>
    `Das Kontaktbuch definiert ${names} nicht. Definieren Sie die Variable im Buch, oder entfernen Sie sie vor ` +
    'dem Senden.',
  expectedRecipients: { one: '# Kontakt erhält die Kampagne.', other: '# Kontakte erhalten die Kampagne.' },
  suppressedCount: {
    one: '# angemeldeter Kontakt steht auf der Sperrliste und wird übersprungen.',
    other: '# angemeldete Kontakte stehen auf der Sperrliste und werden übersprungen.',
  },
  countIncomplete: (count) =>
    `Das Kontaktbuch ist groß, daher wurden nur die ersten ${count} Kontakte gezählt.`,
  noRecipients: 'Das Kontaktbuch hat keine angemeldeten Kontakte.',
  send: 'Senden …',
  reschedule: 'Zeitpunkt ändern …',
  sendTitle: (name) => `${name} senden`,
  now: 'Jetzt',
  later: 'Später',
  time: 'Zeit',
  timeHint: (zone) => `In Ihrer Zeitzone (${zone})`,
  sendNow: 'Jetzt senden',
  sendingStarted: 'Versand gestartet.',
  saveFirst: 'Speichern oder verwerfen Sie Ihre Änderungen vor dem Senden.',
  problems: {
    UNVERIFIED_DOMAIN:
      'Die Domain des Absenders ist nicht verifiziert. Verifizieren Sie sie, oder wählen Sie einen anderen Absender.',
    UNREACHABLE_LINKS:
      'Empfänger erreichen den Abmeldelink nicht. Setzen Sie PUBLIC_URL auf die öffentliche URL dieses Servers.',
    EMPTY_SUBJECT:
      'Kontakte ohne Wert erhalten einen leeren Betreff. Geben Sie den Variablen im Betreff einen Ersatzwert.',
    SAMPLE_TEXT: 'Der Inhalt enthält noch Beispieltext.',
    SAMPLE_SUBJECT: 'Der Betreff ist noch der Beispieltext.',
  },
  ignoreProblems: 'Trotz dieser Probleme senden',
  test: 'Test senden …',
  testSend: 'Test senden',
  testText: 'Sendet die gespeicherte Kampagne. Tests zählen nicht zu den Ergebnissen.',
  testToHint: 'Bis zu 10 Adressen, durch Kommas getrennt.',
  testSent: (to) => `Test an ${to} gesendet.`,
  duplicated: (name) => `${name} wurde angelegt.`,
  paused: 'Kampagne pausiert.',
  resumed: 'Kampagne fortgesetzt.',
  unschedule: 'Zum Entwurf machen',
  unscheduled: 'Die Kampagne ist wieder ein Entwurf.',
  deleteText:
    'Noch nicht gesendete E-Mails werden abgebrochen. Gesendete bleiben erhalten. Das lässt sich nicht ' +
    'rückgängig machen.',
  contacts: 'Kontakte',
  tracking:
    'Öffnungen und Klicks werden nur gezählt, wenn das Tracking für die sendende Domain eingeschaltet ist.',
  notSent: 'Es wurden noch keine E-Mails gesendet.',
  recipientList: 'Empfänger',
  recipientState: 'Anzeigen',
  recipientStates: {
    waiting: 'Wartend',
    failed: 'Fehlgeschlagen',
    skipped: 'Übersprungen oder abgebrochen',
  },
  recipientCount: { one: '# Empfänger', other: '# Empfänger' },
  pages: 'Seiten der Empfängerliste',
  pageNumber: (page, pages) => `Seite ${page} von ${pages}`,
  starter: {
    subject: 'Neuigkeiten',
    title: 'Guten Tag {{firstName, fallback=zusammen}}',
    text: 'Schreiben Sie hier Ihre Nachricht.',
    footer: 'Sie erhalten diese E-Mail, weil Sie sich angemeldet haben.',
  },
  unsubscribeLink: '<p><a href="{{usesend_unsubscribe_url}}">Abmelden</a></p>\n',
};
