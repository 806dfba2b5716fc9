export const strings = {
  columnMapping: 'Column mapping',
  csvFile: 'CSV file',
  emptyFile: 'The file is empty.',
  example: (text: string) => `For example: ${text}`,
  rowProgress: (completed: string, total: string) => `${completed} of ${total} rows`,
  skipColumn: 'Skip',
  unnamedColumn: '(unnamed)',
};
