import type { strings as en } from '../en/records-bulk.ts';

export const strings: typeof en = {
  selectedRecords: 'Ausgewählte Datensätze',
  selectAll: { one: '# Datensatz auswählen', other: 'Alle # auswählen' },
  selectFirst: { one: 'Den ersten auswählen', other: 'Die ersten # auswählen' },
  selectionLimit: {
    one: 'von # Datensatz, mehr geht nicht auf einmal',
    other: 'von #, mehr geht nicht auf einmal',
  },
  tooMany: 'Sie können bis zu 5.000 Datensätze auswählen. Grenzen Sie die Liste mit Filtern ein.',
  edit: 'Feld bearbeiten',
  editTitle: { one: 'Feld in # Datensatz bearbeiten', other: 'Feld in # Datensätzen bearbeiten' },
  overwrites:
    'Der neue Wert ersetzt den bisherigen in allen ausgewählten Datensätzen. Sie können das eine Stunde lang ' +
    'rückgängig machen.',
  replaces:
    'Die neuen Werte ersetzen die bisherigen in allen ausgewählten Datensätzen. Sie können das eine Stunde lang ' +
    'rückgängig machen.',
  nothingToChange: 'Kein Datensatz wurde geändert. Die ausgewählten Datensätze hatten diesen Wert bereits.',
  undone: { one: '# Datensatz zurückgesetzt.', other: '# Datensätze zurückgesetzt.' },
  changedSince: {
    one: '# wurde inzwischen erneut geändert und übersprungen.',
    other: '# wurden inzwischen erneut geändert und übersprungen.',
  },
  unavailable: {
    one: '# ist gelöscht oder nicht mehr zugänglich.',
    other: '# sind gelöscht oder nicht mehr zugänglich.',
  },
  actions: {
    edit: {
      title: { one: '# Datensatz ändern', other: '# Datensätze ändern' },
      confirm: { one: '# Datensatz ändern', other: '# Datensätze ändern' },
      done: { one: '# Datensatz geändert.', other: '# Datensätze geändert.' },
    },
    archive: {
      title: { one: '# Datensatz archivieren', other: '# Datensätze archivieren' },
      confirm: { one: '# Datensatz archivieren', other: '# Datensätze archivieren' },
      done: { one: '# Datensatz archiviert.', other: '# Datensätze archiviert.' },
    },
    restore: {
      title: { one: '# Datensatz wiederherstellen', other: '# Datensätze wiederherstellen' },
      confirm: { one: '# Datensatz wiederherstellen', other: '# Datensätze wiederherstellen' },
      done: { one: '# Datensatz wiederhergestellt.', other: '# Datensätze wiederhergestellt.' },
    },
    delete: {
      title: { one: '# Datensatz löschen?', other: '# Datensätze löschen?' },
      confirm: { one: '# Datensatz löschen', other: '# Datensätze löschen' },
      done: { one: '# Datensatz gelöscht.', other: '# Datensätze gelöscht.' },
    },
  },
  deleteText:
    'Das lässt sich nicht rückgängig machen. Um die Datensätze nur auszublenden, archivieren Sie sie.',
  progress: (completed, total) => `${completed} von ${total}`,
  stopped: (completed, total) => `Nach ${completed} von ${total} angehalten.`,
  changedTitle: 'Einige Datensätze wurden geändert',
  changedText: {
    one: '# der ausgewählten Datensätze wurde nach Ihrer Auswahl von jemand anderem geändert.',
    other: '# der ausgewählten Datensätze wurden nach Ihrer Auswahl von jemand anderem geändert.',
  },
  deletedText: { one: '# wurde gelöscht.', other: '# wurden gelöscht.' },
  nothingChanged: 'Bisher wurde kein Datensatz geändert.',
  skipChanged: {
    one: 'Mit # unveränderten Datensatz fortfahren',
    other: 'Mit # unveränderten Datensätzen fortfahren',
  },
  continueAnyway: { one: 'Trotzdem fortfahren', other: 'Mit allen # fortfahren' },
  exportTitle: { one: '# Datensatz exportieren', other: '# Datensätze exportieren' },
  exportText: 'CSV-Datei mit einer Zeile je Datensatz. Zeiten in UTC.',
  tooManyExported: (limit) =>
    `Ein Export enthält höchstens ${limit} Datensätze. Grenzen Sie die Liste mit Filtern ein.`,
  externalId: 'Externe ID',
  externalIdHint: 'Externe ID. Importe erkennen daran vorhandene Datensätze.',
  databaseId: 'Datenbank-ID',
  exportNow: 'Datei herunterladen',
  importTitle: (model) => `Import: ${model}`,
  importText:
    'Jede Zeile legt einen Datensatz an oder ändert den Datensatz mit derselben externen ID oder Datenbank-ID. ' +
    'Verknüpfte Datensätze werden über Namen oder ID gefunden.',
  fileHint:
    'UTF-8, getrennt durch Kommas, Semikolons oder Tabulatoren. Die erste Zeile enthält die Spaltennamen. Datum ' +
    'als 2026-12-31, Zeit als 2026-12-31 18:00:00 in Ihrer Zeitzone.',
  chooseFormat:
    'Einige Werte lassen sich auf zwei Arten lesen. Wählen Sie das Format der Datei, und prüfen Sie sie erneut.',
  selectFormat: 'Format auswählen',
  numberFormat: 'Zahlen in der Datei',
  dateFormat: 'Daten in der Datei',
  formats: {
    numbers: { POINT: '1,234.50', COMMA: '1.234,50' },
    dates: { DMY: '31/12/2026', MDY: '12/31/2026' },
  },
  byName: (field) => `${field} (nach Name)`,
  byExternalId: (field) => `${field} (nach externer ID)`,
  byDatabaseId: (field) => `${field} (nach Datenbank-ID)`,
  mappedTwice: (field) => `Zwei Spalten sind ${field} zugeordnet.`,
  noColumns: 'Ordnen Sie mindestens eine Spalte zu.',
  importNow: { one: '# Zeile importieren', other: '# Zeilen importieren' },
  importProgress: 'Fortschritt',
  importStopped: 'Unterbrochener Import',
  stoppedAt: (first, last) =>
    `Der Import wurde unterbrochen. Prüfen Sie vor dem Fortfahren, ob die Zeilen ${first} bis ${last} vorhanden sind.`,
  repeatLines: 'Diese Zeilen erneut importieren',
  skipLines: 'Nach diesen Zeilen fortfahren',
  allValid: { one: 'Die Zeile ist gültig.', other: 'Alle # Zeilen sind gültig.' },
  invalidRows: {
    one: '# Fehler gefunden. Korrigieren Sie die Datei, und laden Sie sie erneut hoch.',
    other: '# Fehler gefunden. Korrigieren Sie die Datei, und laden Sie sie erneut hoch.',
  },
  moreErrors: 'Nur die ersten 1.000 Fehler sind aufgeführt.',
  imported: { one: '# Zeile importiert.', other: '# Zeilen importiert.' },
  notImported: {
    one: '# Zeile übersprungen. Der Import läuft in Blöcken; ein Block mit einem Fehler wird ganz übersprungen.',
    other:
      '# Zeilen übersprungen. Der Import läuft in Blöcken; ein Block mit einem Fehler wird ganz übersprungen.',
  },
  errors: 'Fehler',
  viewRecords: 'Datensätze anzeigen',
  keys: { choose: 'Auswählen' },
};
