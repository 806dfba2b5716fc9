import type { strings as english } from '../en/templates.ts';

export const strings: typeof english = {
  title: 'Vorlagen',
  template: 'Vorlage',
  searchHint: 'Name',
  create: 'Vorlage anlegen',
  createText: 'Der Name steht in dieser Liste. Programme verwenden die ID der Vorlage.',
  kind: 'Editor',
  kinds: { blocks: 'Blöcke', html: 'HTML' },
  none: 'Noch keine Vorlagen',
  noneText:
    'Eine Vorlage ist eine E-Mail mit Variablen, zum Beispiel einem Namen oder einer Bestellnummer. Programme ' +
    'senden ihre ID und die Werte. So können Sie den Text ändern, ohne das Programm zu ändern.',
  noMatches: 'Keine passenden Vorlagen gefunden',
  templateNotFound: 'Vorlage nicht gefunden',
  version: (number) => `Version ${number}`,
  views: 'Bereiche der Vorlage',
  tabs: { edit: 'Inhalt', preview: 'Vorschau', versions: 'Versionen' },
  htmlHint: 'Schreiben Sie Variablen als {{name}} oder {{name, fallback=Sie}}.',
  text: 'Text',
  textHint: 'Für Mailprogramme ohne HTML-Darstellung. Leer lassen, um den Text aus dem HTML zu erzeugen.',
  noVariables: 'Diese Vorlage enthält keine Variablen.',
  variablesText:
    'Gilt, wenn die Variable in einer Anfrage fehlt. Ohne Ersatzwert wird die Anfrage abgelehnt.',
  fallbackFor: (name) => `Ersatzwert für ${name}`,
  saved: (number) => `Als Version ${number} gespeichert.`,
  unchanged: 'Gespeichert.',
  conflict: 'Diese Vorlage wurde geändert',
  conflictText: (author, number) =>
    `${author} hat Version ${number} gespeichert, nachdem Sie mit der Bearbeitung begonnen hatten. Behalten Sie ` +
    'Ihre Version, bleibt die andere im Versionsverlauf. Übernehmen Sie die andere, gehen Ihre Änderungen verloren.',
  someoneElse: 'Jemand anderes',
  values: 'Testdaten',
  sampleContact: 'Daten eines Kontakts verwenden',
  sampleContactHint: 'Füllt die Variablen wie in einer Kampagne aus',
  noMatchingContacts: 'Keine Kontakte mit dieser Adresse',
  variableValue: (name) => `Wert von ${name}`,
  missingValues: (names) =>
    `Kein Wert oder Ersatzwert für ${names}. Anfragen ohne diese Werte werden abgelehnt.`,
  background: 'Hintergrund',
  backgrounds: { light: 'Hell', dark: 'Dunkel' },
  part: 'Format',
  parts: { html: 'HTML', text: 'Text' },
  noHtml: 'Kein HTML. Es wird nur der Text gesendet',
  previewTitle: (subject) => `Vorschau von ${subject}`,
  versionsText:
    'Jedes Speichern mit geändertem Inhalt legt eine Version an. Das Wiederherstellen legt eine neue Version an.',
  restored: (number) => `Als Version ${number} wiederhergestellt.`,
  testText: 'Sendet die gespeicherte Vorlage mit den Werten der Vorschau.',
  duplicated: (name) => `${name} wurde angelegt.`,
  deleteText:
    'Anfragen mit dieser Vorlage werden abgelehnt. Alle Versionen werden gelöscht. Das lässt sich nicht ' +
    'rückgängig machen.',
  starter: {
    subject: 'Guten Tag {{name, fallback=zusammen}}',
    title: 'Guten Tag {{name, fallback=zusammen}}',
    text: 'Schreiben Sie hier Ihre Nachricht.',
    html: '<h1>Guten Tag {{name, fallback=zusammen}}</h1>\n<p>Schreiben Sie hier Ihre Nachricht.</p>\n',
  },
};
