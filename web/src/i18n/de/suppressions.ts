import type { strings as english } from '../en/suppressions.ts';

export const strings: typeof english = {
  title: 'Sperrliste',
  none: 'Keine gesperrten Adressen',
  noneText:
    'Adressen werden nach dauerhafter Unzustellbarkeit oder einer Spam-Beschwerde automatisch hinzugefügt und ' +
    'erhalten keine E-Mails mehr. Sie können auch selbst Adressen hinzufügen.',
  noMatches: 'Keine passenden Adressen gefunden',
  showAll: 'Alle Adressen anzeigen',
  count: { one: '# Adresse', other: '# Adressen' },
  searchHint: 'Teil einer Adresse',
  reasons: {
    HARD_BOUNCE: 'Dauerhaft unzustellbar',
    SOFT_BOUNCE: 'Mehrmals vorübergehend unzustellbar',
    COMPLAINT: 'Als Spam gemeldet',
    MANUAL: 'Manuell hinzugefügt',
  },
  meanings: {
    HARD_BOUNCE: 'Eine E-Mail an diese Adresse war dauerhaft unzustellbar. An sie wird nichts mehr gesendet.',
    SOFT_BOUNCE:
      'Mehrere E-Mails an diese Adresse waren unzustellbar, zum Beispiel weil das Postfach voll ist. Bis der ' +
      'Eintrag abläuft, wird nichts an sie gesendet.',
    COMPLAINT: 'Der Empfänger hat eine E-Mail als Spam gemeldet. An diese Adresse wird nichts mehr gesendet.',
    MANUAL: 'Diese Adresse wurde manuell oder durch einen Import hinzugefügt. An sie wird nichts gesendet.',
  },
  since: (when) => `Gesperrt seit ${when}`,
  until: (when) => `Läuft ab: ${when}`,
  remove: 'Von der Liste entfernen',
  removeText: {
    HARD_BOUNCE:
      'Entfernen Sie die Adresse nur, wenn das Postfach wieder existiert. E-Mails an ungültige Adressen schaden ' +
      'Ihrer Reputation.',
    SOFT_BOUNCE:
      'Entfernen Sie die Adresse, wenn das Postfach wieder E-Mails annimmt. Andernfalls läuft der Eintrag ' +
      'automatisch ab.',
    COMPLAINT: 'Entfernen Sie die Adresse nur, wenn der Empfänger Ihre E-Mails wieder wünscht.',
    MANUAL: 'E-Mails an diese Adresse werden dann wieder gesendet.',
  },
  removed: (email) => `${email} wurde von der Liste entfernt.`,
  add: 'Adressen hinzufügen',
  addText: 'An Adressen auf dieser Liste wird nichts gesendet, weder von Programmen noch von Kampagnen.',
  addresses: 'Adressen',
  addressesHint: 'Eine pro Zeile oder durch Kommas getrennt. Bis zu 1.000 auf einmal.',
  added: { one: '# Adresse hinzugefügt.', other: '# Adressen hinzugefügt.' },
};
