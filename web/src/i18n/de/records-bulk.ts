import type { strings as en } from '../en/records-bulk.ts';

export const strings: typeof en = {
  chosen: 'Ausgewählte Datensätze',
  chooseNone: 'Keine auswählen',
  countChosen: { one: '# ausgewählt', other: '# ausgewählt' },
  chooseAll: { one: 'Den aufgelisteten auswählen', other: 'Alle # aufgelisteten auswählen' },
  tooMany: 'Höchstens 5.000 Datensätze auf einmal. Grenzen Sie die Liste mit Bedingungen ein.',
  edit: 'Feld bearbeiten',
  editTitle: { one: 'Ein Feld von # Datensatz bearbeiten', other: 'Ein Feld von # Datensätzen bearbeiten' },
  overwrites:
    'Alle erhalten diesen Wert, was auch immer sie jetzt enthalten. Eine Stunde lang lässt es sich rückgängig machen.',
  replaces:
    'Alle erhalten diese Werte anstelle ihrer bisherigen. Eine Stunde lang lässt es sich rückgängig machen.',
  export: 'Exportieren',
  undo: 'Rückgängig',
  nothingToUndo: 'Es gibt nichts rückgängig zu machen.',
  undone: { one: '# Datensatz ist wie vorher.', other: '# Datensätze sind wie vorher.' },
  changedSince: {
    one: '# wurde seither wieder geändert und bleibt, wie er ist.',
    other: '# wurden seither wieder geändert und bleiben, wie sie sind.',
  },
  outOfReach: {
    one: '# ist gelöscht oder Ihnen nicht mehr zugänglich.',
    other: '# sind gelöscht oder Ihnen nicht mehr zugänglich.',
  },
  deeds: {
    edit: {
      title: { one: '# Datensatz ändern', other: '# Datensätze ändern' },
      go: { one: '# Datensatz ändern', other: '# Datensätze ändern' },
      said: { one: '# Datensatz geändert.', other: '# Datensätze geändert.' },
    },
    archive: {
      title: { one: '# Datensatz archivieren', other: '# Datensätze archivieren' },
      go: { one: '# Datensatz archivieren', other: '# Datensätze archivieren' },
      said: { one: '# Datensatz archiviert.', other: '# Datensätze archiviert.' },
    },
    restore: {
      title: { one: '# Datensatz zurückholen', other: '# Datensätze zurückholen' },
      go: { one: '# Datensatz zurückholen', other: '# Datensätze zurückholen' },
      said: { one: '# Datensatz zurückgeholt.', other: '# Datensätze zurückgeholt.' },
    },
    delete: {
      title: { one: '# Datensatz löschen?', other: '# Datensätze löschen?' },
      go: { one: '# Datensatz löschen', other: '# Datensätze löschen' },
      said: { one: '# Datensatz gelöscht.', other: '# Datensätze gelöscht.' },
    },
  },
  deleteText: 'Sie lassen sich nicht zurückholen. Um sie aus Listen zu nehmen, archivieren Sie sie.',
  progress: (done, of) => `${done} von ${of}`,
  stopped: (done, of) => `Nach ${done} von ${of} ging es nicht weiter.`,
  changedTitle: 'Hier haben andere gearbeitet',
  changedText: {
    one: '# der ausgewählten Datensätze wurde von jemand anderem geändert, nachdem Sie ihn ausgewählt hatten.',
    other:
      '# der ausgewählten Datensätze wurden von jemand anderem geändert, nachdem Sie sie ausgewählt hatten.',
  },
  goneText: { one: '# ist gelöscht.', other: '# sind gelöscht.' },
  nothingDone: 'Es ist noch nichts geschehen.',
  others: { one: 'Nur den anderen', other: 'Nur die anderen #' },
  allTheSame: { one: 'Diesen trotzdem', other: 'Trotzdem alle #' },
  exportTitle: { one: '# Datensatz exportieren', other: '# Datensätze exportieren' },
  exportText: 'Eine CSV-Datei mit einer Zeile für jeden Datensatz. Zeiten sind in UTC.',
  tooManyExported: (most) =>
    `Eine Datei enthält höchstens ${most} Datensätze. Grenzen Sie die Liste mit Bedingungen ein.`,
  externalId: 'Externe ID',
  externalIdHint: 'Externe ID, an der ein Import den Datensatz wiederfindet',
  databaseId: 'Datenbank-ID',
  exportNow: 'Datei speichern',
  import: 'Importieren',
  importTitle: (model) => `Import: ${model}`,
  importText:
    'Jede Zeile der Datei wird ein Datensatz oder ändert den mit ihrer externen oder Datenbank-ID. Datensätze, zu ' +
    'denen Felder führen, werden an ihrem Namen oder ihrer ID gefunden.',
  file: 'CSV-Datei',
  fileHint:
    'In UTF-8, mit Kommas, Strichpunkten oder Tabulatoren. Die erste Zeile benennt die Spalten. Tage als 2026-12-31, ' +
    'Zeiten als 2026-12-31 18:00:00 in Ihrer Zeitzone.',
  emptyFile: 'Die Datei enthält nichts.',
  columns: 'Was die Spalten enthalten',
  unnamed: '(ohne Namen)',
  example: (text) => `Zum Beispiel: ${text}`,
  leaveOut: 'Weglassen',
  byName: (field) => `${field} (nach Name)`,
  byExternalId: (field) => `${field} (nach externer ID)`,
  byDatabaseId: (field) => `${field} (nach Datenbank-ID)`,
  twice: (field) => `Zwei Spalten sind ${field}.`,
  noColumns: 'Wählen Sie, was wenigstens eine Spalte enthält.',
  check: 'Datei prüfen',
  importNow: { one: '# Zeile importieren', other: '# Zeilen importieren' },
  importProgress: 'Fortschritt',
  rowsOf: (done, of) => `${done} von ${of} Zeilen`,
  allRight: { one: 'Die Zeile lässt sich importieren.', other: 'Alle # Zeilen lassen sich importieren.' },
  wrongRows: {
    one: '# Fehler wurde gefunden. Berichtigen Sie die Datei, und wählen Sie sie erneut.',
    other: '# Fehler wurden gefunden. Berichtigen Sie die Datei, und wählen Sie sie erneut.',
  },
  moreErrors: 'Nur die ersten 1.000 sind aufgeführt.',
  imported: { one: '# Zeile wurde importiert.', other: '# Zeilen wurden importiert.' },
  notImported: {
    one: '# Zeile nicht: Importiert wird in Teilen, und ein Teil mit einem Fehler wird als Ganzes ausgelassen.',
    other:
      '# Zeilen nicht: Importiert wird in Teilen, und ein Teil mit einem Fehler wird als Ganzes ausgelassen.',
  },
  errors: 'Fehler',
  line: 'Zeile',
  why: 'Grund',
  toRecords: 'Zu den Datensätzen',
  keys: { choose: 'Auswählen' },
};
