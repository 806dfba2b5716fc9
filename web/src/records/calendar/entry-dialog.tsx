import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { toLocalInput } from '../../ui/input/local-input.ts';
import type { ModelDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';
import { getStartOfDay, toDayString } from './days.ts';
import type { CalendarEntry, DateFields } from './entries.ts';
import type { GridProps } from './grid.ts';
import { formatPeriod } from './titles.ts';

interface EntryDialogProps {
  model: ModelDescription;
  dates: DateFields;
  entry: CalendarEntry;
  move: GridProps['move'];
  onClose(): void;
}

/** Shows an entry's time and a link to its form. Can also move it, as an accessible alternative to dragging. */
export function EntryDialog({ model, dates, entry, move, onClose }: EntryDialogProps) {
  const { isWhole, start } = entry;
  const [to, setTo] = useState(isWhole ? toDayString(start) : toLocalInput(start.toISOString()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onClose();
    void move!(entry, isWhole ? getStartOfDay(to) : new Date(to));
  };
  return (
    <Dialog title={entry.name} onClose={onClose}>
      <p className="quiet">{formatPeriod(entry, viewStrings.allDay)}</p>
      {move && (
        <form className="calendar-move" onSubmit={submit}>
          <Field
            label={dates.on.label}
            type={isWhole ? 'date' : 'datetime-local'}
            required
            value={to}
            onChange={({ target }) => setTo(target.value)}
          />
          <Button type="submit">{viewStrings.move}</Button>
        </form>
      )}
      <DialogButtons leave={shellStrings.close} onClose={onClose}>
        <Link
          className="button primary"
          to="/records/$model/$id"
          params={{ model: model.name, id: entry.id }}
        >
          {viewStrings.open}
        </Link>
      </DialogButtons>
    </Dialog>
  );
}
