import type { strings as english } from '../en/webhooks.ts';

export const strings: typeof english = {
  title: 'Webhooks',
  webhook: 'Webhook',
  create: 'Webhook anlegen',
  saved: 'Webhook geändert.',
  none: 'Noch keine Webhooks',
  noneText:
    'Ein Webhook meldet Ihrem Endpunkt Ereignisse wie eine zugestellte oder unzustellbare E-Mail oder ' +
    'einen neuen Kontakt. Jeder Aufruf ist signiert und wird wiederholt, bis er gelingt.',
  webhookNotFound: 'Webhook nicht gefunden',
  url: 'Endpunkt-URL',
  urlHint: 'Eine öffentliche URL Ihres Programms. HTTPS wird empfohlen.',
  events: 'Ereignisse',
  allEvents: 'Alle außer Postfach-Ereignissen',
  selectedEvents: 'Ausgewählte Ereignisse',
  groups: {
    email: 'E-Mails',
    contact: 'Kontakte',
    domain: 'Domains',
    mail: 'Postfächer',
    agent: 'Agenten',
  },
  listensTo: (types) =>
    types === 0 ? 'Alle Ereignisse' : types === 1 ? '1 Ereignistyp' : `${types} Ereignistypen`,
  domainsHint: 'Ohne Auswahl werden Ereignisse aller Domains gesendet.',
  failures: 'Fehlschläge in Folge',
  neverCalled: 'Nie aufgerufen',
  succeededAt: (when) => `Erfolgreich ${when}`,
  failedAt: (when) => `Fehlgeschlagen ${when}`,
  statuses: { ACTIVE: 'Aktiv', PAUSED: 'Pausiert', AUTO_DISABLED: 'Deaktiviert' },
  meanings: {
    ACTIVE: 'Ereignisse werden an Ihren Endpunkt gesendet.',
    PAUSED:
      'Ausstehende Aufrufe warten, bis Sie den Webhook fortsetzen. Neue Ereignisse werden nicht gesendet.',
    AUTO_DISABLED:
      'Nach wiederholten Fehlschlägen deaktiviert. Setzen Sie den Webhook fort, sobald Ihr Endpunkt wieder antwortet.',
  },
  secretShownOnce:
    'Aufrufe sind mit diesem Schlüssel signiert, damit Ihr Programm sie prüfen kann. Sie finden ihn auch später ' +
    'auf der Seite des Webhooks.',
  viewWebhook: 'Webhook anzeigen',
  test: 'Testereignis senden',
  rotate: 'Signaturschlüssel erneuern',
  rotateTitle: 'Signaturschlüssel erneuern?',
  rotateText:
    '24 Stunden lang werden Aufrufe mit dem alten und dem neuen Schlüssel signiert. Stellen Sie Ihr Programm ' +
    'bis dahin um.',
  newSecret: 'Neuer Signaturschlüssel',
  deleteTitle: 'Diesen Webhook löschen?',
  deleteText:
    'Dabei werden auch die Aufrufe des Webhooks gelöscht. Ausstehende Aufrufe werden nicht mehr gesendet. Das ' +
    'lässt sich nicht rückgängig machen.',
  attempts: { one: '# Versuch', other: '# Versuche' },
  noCallsForEmail: 'Keine Webhook-Aufrufe zu dieser E-Mail',
  noCallsForEmailText: 'Webhooks erhalten Ereignisse ab dem Zeitpunkt, zu dem sie angelegt wurden.',
  showSecret: 'Signaturschlüssel anzeigen',
  secret: 'Signaturschlüssel',
  secretShown:
    'Aufrufe sind mit diesem Schlüssel signiert, damit Ihr Programm sie prüfen kann. Wer ihn kennt, kann ' +
    'Aufrufe fälschen.',
  noCalls: 'Noch keine Aufrufe',
  noCallsText: 'Senden Sie ein Testereignis, um zu prüfen, ob Ihr Endpunkt antwortet.',
  noMatchingCalls: 'Keine Aufrufe mit diesem Status',
  showAll: 'Alle Aufrufe anzeigen',
  callNotFound: 'Aufruf nicht gefunden',
  retry: 'Wiederholen',
  requeued: 'Der Aufruf wird wiederholt.',
  callStatuses: {
    PENDING: 'Ausstehend',
    IN_PROGRESS: 'In Bearbeitung',
    DELIVERED: 'Zugestellt',
    FAILED: 'Fehlgeschlagen',
    DISCARDED: 'Verworfen',
  },
  callMeanings: {
    PENDING: 'Wartet auf den Versand.',
    IN_PROGRESS: 'Wartet auf die Antwort Ihres Endpunkts.',
    DELIVERED: 'Ihr Endpunkt hat einen Erfolgsstatus zurückgegeben.',
    FAILED: 'Alle Versuche sind fehlgeschlagen. Der Aufruf wird nicht automatisch wiederholt.',
    DISCARDED: 'Der Aufruf ist abgelaufen, oder der Webhook war deaktiviert.',
  },
  nextAttempt: (when) => `Nächster Versuch: ${when}.`,
  attemptList: 'Versuche',
  callId: 'Aufruf-ID',
  notSentYet: 'Es wurde noch keine Anfrage gesendet.',
  response: 'Antwort',
  noResponse: 'Keine Antwort.',
  emptyResponse: 'Die Antwort hat keinen Inhalt.',
};
