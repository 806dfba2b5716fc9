import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { toLocalInput } from '../../ui/input/local-input.ts';
import { composerStrings } from './strings.ts';

export function ScheduleDialog({ onChoose, onClose }: { onChoose(time: Date): void; onClose(): void }) {
  const choose = (form: FormData) => onChoose(new Date(getText(form, 'time')));
  return (
    <FormDialog
      title={composerStrings.sendLater}
      submit={composerStrings.schedule}
      onSubmit={choose}
      onClose={onClose}
    >
      <Field
        type="datetime-local"
        name="time"
        label={composerStrings.sendTime}
        defaultValue={formatTomorrowMorning()}
        required
      />
    </FormDialog>
  );
}

/** Returns 8:00 tomorrow in the browser's time zone, as a `datetime-local` value. */
function formatTomorrowMorning(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  day.setHours(8, 0, 0, 0);
  return toLocalInput(day.toISOString());
}
