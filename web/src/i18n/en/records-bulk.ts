export const strings = {
  selectedRecords: 'Selected records',
  selectAll: { one: 'Select # record', other: 'Select all #' },
  selectFirst: { one: 'Select the first record', other: 'Select the first #' },
  selectionLimit: { one: 'of # record, the most at a time', other: 'of #, the most at a time' },
  tooMany: 'You can select up to 5,000 records. Add filters to narrow the list.',
  edit: 'Edit field',
  editTitle: { one: 'Edit a field in # record', other: 'Edit a field in # records' },
  overwrites:
    'The new value replaces the current value in every selected record. You can undo this for one hour.',
  replaces:
    'The new values replace the current values in every selected record. You can undo this for one hour.',
  nothingToChange: 'No record was changed. The selected records already had this value.',
  undone: { one: '# record reverted.', other: '# records reverted.' },
  changedSince: {
    one: '# has changed since and was skipped.',
    other: '# have changed since and were skipped.',
  },
  unavailable: {
    one: '# was deleted or is no longer accessible.',
    other: '# were deleted or are no longer accessible.',
  },
  actions: {
    edit: {
      title: { one: 'Change # record', other: 'Change # records' },
      confirm: { one: 'Change # record', other: 'Change # records' },
      done: { one: '# record changed.', other: '# records changed.' },
    },
    archive: {
      title: { one: 'Archive # record', other: 'Archive # records' },
      confirm: { one: 'Archive # record', other: 'Archive # records' },
      done: { one: '# record archived.', other: '# records archived.' },
    },
    restore: {
      title: { one: 'Restore # record', other: 'Restore # records' },
      confirm: { one: 'Restore # record', other: 'Restore # records' },
      done: { one: '# record restored.', other: '# records restored.' },
    },
    delete: {
      title: { one: 'Delete # record?', other: 'Delete # records?' },
      confirm: { one: 'Delete # record', other: 'Delete # records' },
      done: { one: '# record deleted.', other: '# records deleted.' },
    },
  },
  deleteText: "You can't undo this. To hide the records from lists instead, archive them.",
  progress: (completed: string, total: string) => `${completed} of ${total}`,
  stopped: (completed: string, total: string) => `Stopped after ${completed} of ${total}.`,
  changedTitle: 'Some records have changed',
  changedText: {
    one: '# of the selected records was changed by someone else after you selected it.',
    other: '# of the selected records were changed by someone else after you selected them.',
  },
  deletedText: { one: '# was deleted.', other: '# were deleted.' },
  nothingChanged: 'No record has been changed yet.',
  skipChanged: { one: 'Continue with # unchanged record', other: 'Continue with # unchanged records' },
  continueAnyway: { one: 'Continue anyway', other: 'Continue with all #' },
  exportTitle: { one: 'Export # record', other: 'Export # records' },
  exportText: 'CSV file with one row per record. Times are in UTC.',
  tooManyExported: (limit: string) =>
    `An export is limited to ${limit} records. Add filters to narrow the list.`,
  externalId: 'External ID',
  externalIdHint: 'External ID. Imports use it to match existing records.',
  databaseId: 'Database ID',
  exportNow: 'Download file',
  importTitle: (model: string) => `Import: ${model}`,
  importText:
    'Each row creates a record, or updates the record with the same external or database ID. Linked records are ' +
    'matched by name or ID.',
  fileHint:
    'UTF-8, separated by commas, semicolons or tabs. The first line contains the column names. Enter dates as ' +
    '2026-12-31 and times as 2026-12-31 18:00:00, in your time zone.',
  chooseFormat: 'Some values can be read in two ways. Select the format of the file, then check it again.',
  selectFormat: 'Select a format',
  numberFormat: 'Numbers in the file',
  dateFormat: 'Dates in the file',
  formats: {
    numbers: { POINT: '1,234.50', COMMA: '1.234,50' },
    dates: { DMY: '31/12/2026', MDY: '12/31/2026' },
  },
  byName: (field: string) => `${field} (by name)`,
  byExternalId: (field: string) => `${field} (by external ID)`,
  byDatabaseId: (field: string) => `${field} (by database ID)`,
  mappedTwice: (field: string) => `Two columns are mapped to ${field}.`,
  noColumns: 'Map at least one column.',
  importNow: { one: 'Import # row', other: 'Import # rows' },
  importProgress: 'Progress',
  importStopped: 'Interrupted import',
  stoppedAt: (first: string, last: string) =>
    `The import was interrupted. Check whether lines ${first} to ${last} have been imported before you continue.`,
  repeatLines: 'Import these lines again',
  skipLines: 'Continue after these lines',
  allValid: { one: 'The row is valid.', other: 'All # rows are valid.' },
  invalidRows: {
    one: '# error found. Fix the file and upload it again.',
    other: '# errors found. Fix the file and upload it again.',
  },
  moreErrors: 'Only the first 1,000 errors are listed.',
  imported: { one: '# row imported.', other: '# rows imported.' },
  notImported: {
    one: '# row was skipped. Rows are imported in batches, and a batch with an error is skipped entirely.',
    other:
      '# rows were skipped. Rows are imported in batches, and a batch with an error is skipped entirely.',
  },
  errors: 'Errors',
  viewRecords: 'View records',
  keys: { choose: 'Select' },
};
