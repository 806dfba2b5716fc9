import { expect, it } from 'vitest';
import { formatCsvCell, parseCsvFile, splitCsv, unguardCell } from './csv-file.ts';

const FILE = 'Mail;"Name ""full"""\r\na@x.example;Ann\r\n\r\nb@x.example;"Bo\nb"\r\nc@x.example;C\r\n';

it('parses the column names, an example row and the number of rows', () => {
  expect(parseCsvFile(FILE)).toMatchObject({
    columns: ['Mail', 'Name "full"'],
    example: ['a@x.example', 'Ann'],
    rows: 3,
    delimiter: ';',
  });
  expect(parseCsvFile(' \n')).toBeNull();
});

it('splits a file into chunks with the header, and keeps line numbers consistent with the file', () => {
  const file = parseCsvFile(FILE)!;
  expect(splitCsv(file).map(({ rows, lines }) => ({ rows, lines }))).toEqual([{ rows: 3, lines: 0 }]);
  // Preserves the empty line, so that line numbers in the file and in the piece match.
  expect(splitCsv(file)[0]!.csv.split('\n')[3]).toBe('b@x.example;"Bo');
  const [, , last] = splitCsv(file, 1);
  expect(last).toEqual({ csv: 'Mail;"Name ""full"""\nc@x.example;C', rows: 1, lines: 4 });
});

it('treats a quote as a literal character in a cell that does not start with a quote', () => {
  expect(parseCsvFile('email,note\na@x.example,5" disk\nb@x.example,x\n')!.rows).toBe(2);
});

it('escapes formulas but not numbers, and parses escaped text back', () => {
  expect(['=1+1', '+49 30', '-12.5', '-cmd', '@x', 'a,b', 'a"b', ' x'].map(formatCsvCell)).toEqual([
    "'=1+1",
    "'+49 30",
    '-12.5',
    "'-cmd",
    "'@x",
    '"a,b"',
    '"a""b"',
    '" x"',
  ]);
  expect(["'=1+1", "it's", "''=x"].map(unguardCell)).toEqual(['=1+1', "it's", "'=x"]);
});
