import { useState } from 'react';
import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tick } from '../../ui/field.tsx';
import { sayWrong } from '../../ui/toasts.tsx';
import type { RecordsView } from '../address.ts';
import { RecordsStateDocument, RecordsStateSaveDocument } from '../generated.ts';
import { columnFields, type Described, fieldNamed, keyOf, usualColumns } from '../model.ts';
import { recordWords } from '../words.ts';

/** The columns of a list: of the address, else those that the person keeps for the model, else the usual ones. */
export function useColumns(model: Described, given: string[] | undefined) {
  const { data, reload } = useAnswer(RecordsStateDocument, {});
  const name = `records.columns.${model.name}`;
  const kept = (data?.uiState.values as Record<string, unknown> | undefined)?.[name];
  const isThere = (key: unknown): key is string =>
    typeof key === 'string' && fieldNamed(model, key) !== undefined;
  const own = (given ?? (Array.isArray(kept) ? kept : [])).filter(isThere);
  /** Null for the usual ones again. */
  const keep = async (columns: string[] | null) => {
    try {
      await change(RecordsStateSaveDocument, { values: { [name]: columns } });
      reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    }
  };
  return { columns: own.length > 0 ? own : usualColumns(model), keep };
}

interface ColumnsProps {
  model: Described;
  columns: string[];
  keep(columns: string[] | null): Promise<void>;
  show(changes: RecordsView): void;
}

/** Chooses the columns of a list. */
export function Columns({ model, columns, keep, show }: ColumnsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="ghost" icon="columns" onClick={() => setOpen(true)}>
        {recordWords.columns}
      </Button>
      {isOpen && (
        <Chooser
          model={model}
          columns={columns}
          onChoose={async (chosen) => {
            setOpen(false);
            await keep(chosen);
            show({ cols: undefined });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface ChooserProps {
  model: Described;
  columns: string[];
  onChoose(columns: string[] | null): Promise<void>;
  onClose(): void;
}

function Chooser({ model, columns, onChoose, onClose }: ChooserProps) {
  const [chosen, setChosen] = useState(columns);
  const others = columnFields(model)
    .map((field) => keyOf(field)!)
    .filter((key) => !chosen.includes(key));
  const label = (key: string) => (key === 'displayName' ? recordWords.name : fieldNamed(model, key)!.label);
  const up = (at: number) => setChosen(chosen.with(at - 1, chosen[at]!).with(at, chosen[at - 1]!));
  return (
    <Dialog title={recordWords.columns} onClose={onClose}>
      <p className="quiet">{recordWords.columnsText}</p>
      <ul className="columns">
        {chosen.map((key, at) => (
          <li key={key}>
            <Tick
              label={label(key)}
              checked
              disabled={chosen.length === 1}
              onChange={() => setChosen(chosen.filter((each) => each !== key))}
            />
            {at > 0 && <IconButton icon="up" label={recordWords.up(label(key))} onClick={() => up(at)} />}
          </li>
        ))}
        {others.map((key) => (
          <li key={key}>
            <Tick label={label(key)} checked={false} onChange={() => setChosen([...chosen, key])} />
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button look="primary" onClick={() => onChoose(chosen)}>
          {recordWords.save}
        </Button>
        <Button onClick={() => onChoose(null)}>{recordWords.usualColumns}</Button>
        <Button onClick={onClose}>{recordWords.cancel}</Button>
      </div>
    </Dialog>
  );
}
