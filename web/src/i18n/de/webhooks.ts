import type { strings as english } from '../en/webhooks.ts';

export const strings: typeof english = {
  title: 'Webhooks',
  webhook: 'Webhook',
  create: 'Webhook anlegen',
  change: 'Ändern',
  save: 'Speichern',
  saved: 'Der Webhook wurde geändert.',
  none: 'Es gibt noch keinen Webhook',
  noneText:
    'Ein Webhook ruft eine Ihrer Adressen auf, wenn etwas geschieht: eine E-Mail wurde zugestellt oder abgewiesen, ' +
    'ein Kontakt kam hinzu. Jeder Aufruf ist signiert und wird wiederholt, bis er gelingt.',
  noWebhook: 'Diesen Webhook gibt es nicht',
  url: 'Adresse',
  urlHint: 'Eine öffentliche Adresse Ihres Programms, am besten mit https.',
  note: 'Notiz',
  events: 'Ereignisse',
  allEvents: 'Alle außer denen der Postfächer',
  someEvents: 'Nur diese',
  groups: {
    email: 'E-Mails',
    contact: 'Kontakte',
    domain: 'Domains',
    mail: 'Postfächer',
    agent: 'Agenten',
  },
  listensTo: (types) =>
    types === 0 ? 'Alle Ereignisse' : types === 1 ? '1 Art von Ereignis' : `${types} Arten von Ereignissen`,
  domains: 'Domains',
  domainsHint: 'Ist keine gewählt, werden Ereignisse aller Domains gesendet.',
  failures: 'Fehler in Folge',
  created: 'Angelegt',
  neverCalled: 'Nie aufgerufen',
  succeededAt: (when) => `Gelungen ${when}`,
  failedAt: (when) => `Fehlgeschlagen ${when}`,
  statuses: { ACTIVE: 'Aktiv', PAUSED: 'Angehalten', AUTO_DISABLED: 'Abgeschaltet' },
  meanings: {
    ACTIVE: 'Er wird aufgerufen, wenn etwas geschieht.',
    PAUSED: 'Wartende Aufrufe bleiben liegen, und neue Ereignisse werden nicht gesendet.',
    AUTO_DISABLED:
      'Er wurde abgeschaltet, weil seine Aufrufe immer wieder fehlschlugen. ' +
      'Setzen Sie ihn fort, sobald Ihr Programm antwortet.',
  },
  secretOnce:
    'Aufrufe sind mit diesem Geheimnis signiert, damit Ihr Programm echte erkennt. Beim Webhook finden Sie es ' +
    'wieder.',
  toIt: 'Zum Webhook',
  test: 'Testereignis senden',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  rotate: 'Neues Geheimnis',
  rotateTitle: 'Ein neues Geheimnis erzeugen?',
  rotateText:
    'Für 24 Stunden tragen Aufrufe auch eine Signatur mit dem alten Geheimnis. Geben Sie Ihrem Programm vorher ' +
    'das neue.',
  newSecret: 'Das neue Geheimnis',
  deleteTitle: 'Diesen Webhook löschen?',
  deleteText:
    'Seine Aufrufe werden mit ihm gelöscht, und wartende werden nicht gemacht. Das lässt sich nicht rückgängig ' +
    'machen.',
  calls: 'Aufrufe',
  call: 'Aufruf',
  count: { one: '# Aufruf', other: '# Aufrufe' },
  attempts: { one: '# Versuch', other: '# Versuche' },
  noneOfEmail: 'Zu dieser E-Mail wurde kein Webhook aufgerufen',
  noneOfEmailText: 'Ein Webhook wird mit dem aufgerufen, was mit E-Mails geschieht, seit es ihn gibt.',
  showSecret: 'Geheimnis zeigen',
  secret: 'Das Geheimnis der Signaturen',
  secretShown:
    'Mit diesem Geheimnis werden Aufrufe signiert, damit Ihr Programm erkennt, dass sie echt sind. Wer es hat, kann ' +
    'Aufrufe fälschen.',
  milliseconds: (count) => `${count} ms`,
  noCalls: 'Er wurde noch nicht aufgerufen',
  noCallsText: 'Senden Sie ein Testereignis, um zu sehen, ob Ihr Programm antwortet.',
  noCallFits: 'Kein Aufruf hat diesen Status',
  showAll: 'Alle Aufrufe zeigen',
  noCall: 'Diesen Aufruf gibt es nicht',
  again: 'Noch einmal aufrufen',
  calledAgain: 'Er wird noch einmal aufgerufen.',
  callStatuses: {
    PENDING: 'Wartet',
    IN_PROGRESS: 'Läuft',
    DELIVERED: 'Zugestellt',
    FAILED: 'Fehlgeschlagen',
    DISCARDED: 'Nicht gemacht',
  },
  callMeanings: {
    PENDING: 'Er wird gemacht, wenn er an der Reihe ist.',
    IN_PROGRESS: 'Auf die Antwort wird gewartet.',
    DELIVERED: 'Ihr Programm hat Erfolg gemeldet.',
    FAILED: 'Alle Versuche schlugen fehl. Er wird nicht von selbst wiederholt.',
    DISCARDED: 'Er hatte zu lange gewartet, oder der Webhook war aus.',
  },
  nextAttempt: (when) => `Der nächste Versuch ist am ${when}.`,
  happened: 'Ereignis',
  attempted: 'Versuche',
  answerStatus: 'Status',
  duration: 'Dauer',
  callId: 'Kennung des Aufrufs',
  request: 'Anfrage',
  notMadeYet: 'Es wurde noch nichts gesendet.',
  answer: 'Antwort',
  noAnswer: 'Es gibt keine Antwort.',
  emptyAnswer: 'Die Antwort hat keinen Text.',
};
