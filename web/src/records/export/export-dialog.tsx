import './export.css';
import { useState } from 'react';
import { ask } from '../../graphql/client.ts';
import { counted, formatNumber } from '../../i18n/format.ts';
import { useFormAct } from '../../shell/act.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { saveFile } from '../../ui/download.ts';
import { Tick } from '../../ui/field.tsx';
import { bulkWords } from '../bulk-words.ts';
import { STEP } from '../chosen.ts';
import { type Described, type DescribedField, fieldNamed, isBeside, keyOf } from '../model.ts';
import { recordWords } from '../words.ts';
import { RecordsTableDocument } from './generated.ts';
import { csvLines } from './table-text.ts';

/** Records of one file. */
export const MOST_EXPORTED = 20_000;

interface ExportDialogProps {
  model: Described;
  /** Columns of the list, by their keys: they are chosen at first. */
  columns: string[];
  /** How many records it is about. */
  count: number;
  /** Their ids, in the order of the file. @throws Refused */
  ids(): Promise<string[]>;
  onClose(): void;
}

/** The column by which an import finds the records again. */
const EXTERNAL_ID = 'id';

/** Asks for the columns of a file, and makes it piece by piece. */
export function ExportDialog({ model, columns, count, ids, onClose }: ExportDialogProps) {
  const shown = columns.flatMap((key) => fieldNamed(model, key) ?? []).filter(isExported);
  const others = model.fields.filter((field) => isExported(field) && !shown.includes(field));
  const [chosen, setChosen] = useState<readonly string[]>(shown.map(({ name }) => name));
  const [withId, setWithId] = useState(false);
  const [done, setDone] = useState(0);
  const { isBusy, act, refusal } = useFormAct();
  const tick = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  const run = () =>
    act(async () => {
      const fields = [...(withId ? [EXTERNAL_ID] : []), ...chosen];
      const label = (name: string) => [...shown, ...others].find((field) => field.name === name)!.label;
      const heads = [...(withId ? [bulkWords.externalId] : []), ...chosen.map(label)];
      const parts = [csvLines([heads])];
      const all = await ids();
      for (let at = 0; at < all.length; at += STEP) {
        const some = all.slice(at, at + STEP);
        const { recordExport } = await ask(RecordsTableDocument, { model: model.name, ids: some, fields });
        // Each row is JSON to GraphQL: a list of cells.
        parts.push(csvLines(recordExport.rows as unknown[][]));
        setDone(at + some.length);
      }
      saveFile(`${model.name}.csv`, parts.join(''));
      onClose();
    });
  return (
    <Dialog title={counted(count, bulkWords.exportTitle)} onClose={onClose}>
      <div className="records-export">
        {count > MOST_EXPORTED ? (
          <p role="alert">{bulkWords.tooManyExported(formatNumber(MOST_EXPORTED))}</p>
        ) : (
          <p className="quiet">{bulkWords.exportText}</p>
        )}
        <ul className="columns">
          <li>
            <Tick label={bulkWords.externalIdHint} checked={withId} onChange={() => setWithId(!withId)} />
          </li>
          {[...shown, ...others].map((field) => (
            <li key={field.name}>
              <Tick
                label={field.name === 'display_name' ? recordWords.name : field.label}
                checked={chosen.includes(field.name)}
                onChange={() => tick(field.name)}
              />
            </li>
          ))}
        </ul>
        {refusal && (
          <p role="alert" className="wrong">
            {refusal.message}
          </p>
        )}
        <p role="status">{isBusy && bulkWords.progress(formatNumber(done), formatNumber(count))}</p>
        <div className="buttons">
          <Button
            look="primary"
            isBusy={isBusy}
            disabled={count > MOST_EXPORTED || (chosen.length === 0 && !withId)}
            onClick={() => void run()}
          >
            {bulkWords.exportNow}
          </Button>
          <Button onClick={onClose}>{recordWords.cancel}</Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Whether a file can hold the field in one cell. Pure. */
const isExported = (field: DescribedField): boolean =>
  field.exportable &&
  keyOf(field) !== null &&
  field.type !== 'ONE2MANY' &&
  field.type !== 'BINARY' &&
  field.name !== EXTERNAL_ID &&
  !isBeside(field);
