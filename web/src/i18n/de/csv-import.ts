import type { strings as english } from '../en/csv-import.ts';

export const strings: typeof english = {
  columnMapping: 'Spaltenzuordnung',
  csvFile: 'CSV-Datei',
  emptyFile: 'Die Datei ist leer.',
  example: (text) => `Zum Beispiel: ${text}`,
  rowProgress: (completed, total) => `${completed} von ${total} Zeilen`,
  skipColumn: 'Überspringen',
  unnamedColumn: '(ohne Namen)',
};
