import { useState } from 'react';
import { runQuery } from '../../graphql/client.ts';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/download.ts';
import { Checkbox } from '../../ui/form/field.tsx';
import { FormError } from '../../ui/form/form.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import {
  type FieldDescription,
  findField,
  getFieldKey,
  linksToMessages,
  type ModelDescription,
} from '../model.ts';
import { BATCH_SIZE } from '../selection/selection.ts';
import { recordStrings } from '../strings.ts';
import { toCsvLines } from './csv-lines.ts';
import { RecordsTableDocument } from './generated.ts';

const MAX_EXPORTED_RECORDS = 20_000;

interface ExportDialogProps {
  model: ModelDescription;
  /** Keys of the list columns, which are preselected. */
  columns: string[];
  count: number;
  /**
   * Returns the ids in the order of the exported rows.
   * @throws RequestError
   */
  ids(): Promise<string[]>;
  onClose(): void;
}

/** Column that identifies the records in a later import. */
const EXTERNAL_ID = 'id';

/** Downloads the records in batches as a CSV file with the selected columns. */
export function ExportDialog({ model, columns, count, ids, onClose }: ExportDialogProps) {
  const listed = columns.flatMap((key) => findField(model, key) ?? []).filter(isExportable);
  const others = model.fields.filter((field) => isExportable(field) && !listed.includes(field));
  const fields = [...listed, ...others];
  const [selected, setSelected] = useState<readonly string[]>(listed.map(({ name }) => name));
  const [withId, setWithId] = useState(false);
  const [done, setDone] = useState(0);
  const { isBusy, act, refusal } = useFormAction();
  const toggle = (name: string) =>
    setSelected(selected.includes(name) ? selected.filter((item) => item !== name) : [...selected, name]);
  const run = () =>
    act(async () => {
      const chosen = selected.map(
        (name): CsvColumn => [name, fields.find((field) => field.name === name)!.label],
      );
      const all = withId ? [ID_COLUMN, ...chosen] : chosen;
      saveFile(`${model.name}.csv`, await loadCsv(model, all, await ids(), setDone));
      onClose();
    });
  return (
    <Dialog title={formatCount(count, bulkStrings.exportTitle)} onClose={onClose}>
      <div className="stack">
        {count > MAX_EXPORTED_RECORDS ? (
          <p role="alert">{bulkStrings.tooManyExported(formatNumber(MAX_EXPORTED_RECORDS))}</p>
        ) : (
          <p>{bulkStrings.exportText}</p>
        )}
        <ul className="columns">
          <li>
            <Checkbox
              label={bulkStrings.externalIdHint}
              checked={withId}
              onChange={() => setWithId(!withId)}
            />
          </li>
          {fields.map((field) => (
            <li key={field.name}>
              <Checkbox
                label={field.name === 'display_name' ? recordStrings.name : field.label}
                checked={selected.includes(field.name)}
                onChange={() => toggle(field.name)}
              />
            </li>
          ))}
        </ul>
        <FormError message={refusal?.message} />
        <p role="status">{isBusy && bulkStrings.progress(formatNumber(done), formatNumber(count))}</p>
        <DialogButtons onClose={onClose}>
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={count > MAX_EXPORTED_RECORDS || (selected.length === 0 && !withId)}
            onClick={() => void run()}
          >
            {bulkStrings.exportNow}
          </Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

type CsvColumn = [name: string, header: string];

const ID_COLUMN: CsvColumn = [EXTERNAL_ID, bulkStrings.externalId];

/**
 * Loads records in batches and returns the content of a CSV file.
 * @param onProgress called with the number of loaded records
 * @throws RequestError
 */
async function loadCsv(
  model: ModelDescription,
  columns: CsvColumn[],
  ids: string[],
  onProgress: (count: number) => void,
): Promise<string> {
  const fields = columns.map(([name]) => name);
  const parts = [toCsvLines([columns.map(([, header]) => header)])];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE);
    const variables = { model: model.name, ids: batch, fields };
    const { recordExport } = await runQuery(RecordsTableDocument, variables);
    // The GraphQL schema declares each row as a JSON value. It is an array of cells.
    parts.push(toCsvLines(recordExport.rows as unknown[][]));
    onProgress(start + batch.length);
  }
  return parts.join('');
}

/** True if a CSV cell can contain the field. */
const isExportable = (field: FieldDescription): boolean =>
  field.exportable &&
  getFieldKey(field) !== null &&
  field.type !== 'ONE2MANY' &&
  field.type !== 'BINARY' &&
  field.name !== EXTERNAL_ID &&
  !linksToMessages(field);
