import type { FormEvent } from 'react';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { toLocalInput } from '../../ui/input/local-input.ts';
import { composerStrings } from './strings.ts';

interface ScheduleDialogProps {
  onChoose(time: Date): void;
  onClose(): void;
}

export function ScheduleDialog({ onChoose, onClose }: ScheduleDialogProps) {
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    event.stopPropagation();
    onChoose(new Date(String(new FormData(event.currentTarget).get('time'))));
  };
  return (
    <Dialog title={composerStrings.sendLater} onClose={onClose}>
      <form className="send-later" onSubmit={choose}>
        <Field
          type="datetime-local"
          name="time"
          label={composerStrings.sendAt}
          defaultValue={formatTomorrowMorning()}
          required
        />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary">
            {composerStrings.schedule}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** Returns 8:00 tomorrow in the browser's time zone, as a `datetime-local` value. */
function formatTomorrowMorning(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  day.setHours(8, 0, 0, 0);
  return toLocalInput(day.toISOString());
}
