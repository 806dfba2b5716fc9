import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { localOf } from '../fields.ts';
import type { Described } from '../model.ts';
import { viewWords } from '../view-words.ts';
import { dayOf, startOf } from './days.ts';
import type { CalendarEntry, DateFields } from './entries.ts';
import type { GridProps } from './grid.ts';
import { whenOf } from './titles.ts';

interface EntryDialogProps {
  model: Described;
  dates: DateFields;
  entry: CalendarEntry;
  move: GridProps['move'];
  onClose(): void;
}

/** When an entry is, the way to its form, and what dragging does. */
export function EntryDialog({ model, dates, entry, move, onClose }: EntryDialogProps) {
  const { isWhole, start } = entry;
  const [to, setTo] = useState(isWhole ? dayOf(start) : localOf(start.toISOString()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onClose();
    void move!(entry, isWhole ? startOf(to) : new Date(to));
  };
  return (
    <Dialog title={entry.name} onClose={onClose}>
      <p className="quiet">{whenOf(entry, viewWords.wholeDay)}</p>
      {move && (
        <form className="calendar-move" onSubmit={submit}>
          <Field
            label={dates.on.label}
            type={isWhole ? 'date' : 'datetime-local'}
            required
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
          <Button type="submit">{viewWords.move}</Button>
        </form>
      )}
      <div className="buttons">
        <Link
          className="button primary"
          to="/records/$model/$id"
          params={{ model: model.name, id: entry.id }}
        >
          {viewWords.open}
        </Link>
        <Button onClick={onClose}>{viewWords.close}</Button>
      </div>
    </Dialog>
  );
}
