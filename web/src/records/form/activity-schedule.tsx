import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { RecordActivityDocument, RecordActivityTypesDocument } from '../generated.ts';
import { recordWords } from '../words.ts';

interface ScheduleProps {
  model: string;
  id: string;
  reload(): void;
}

/** Plans something to be done about a record. */
export function ScheduleActivity(props: ScheduleProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        {recordWords.schedule}
      </Button>
      {isOpen && <Schedule {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function Schedule({ model, id, reload, onClose }: ScheduleProps & { onClose(): void }) {
  const { data } = useAnswer(RecordActivityTypesDocument, {});
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const of = (name: string) => String(given.get(name) ?? '').trim();
    setBusy(true);
    try {
      const activity = { type: of('type') || null, summary: of('summary') || null, day: of('day') };
      await change(RecordActivityDocument, { model, id, ...activity });
      reload();
      onClose();
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      setError(reason.refusal.message);
      setBusy(false);
    }
  };
  const types = data?.mailActivityTypes.nodes.map(({ id: type, name }) => [type, name] as const) ?? [];
  return (
    <Dialog title={recordWords.schedule} onClose={onClose}>
      <form className="facet-add" onSubmit={submit}>
        {types.length > 0 && <Choice label={recordWords.activityType} name="type" options={types} />}
        <Field label={recordWords.summary} name="summary" error={error} autoComplete="off" />
        <Field label={recordWords.due} name="day" type="date" required />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {recordWords.schedule}
          </Button>
          <Button onClick={onClose}>{recordWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
