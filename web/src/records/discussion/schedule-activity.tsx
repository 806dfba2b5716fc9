import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { RecordActivityDocument, RecordActivityTypesDocument } from '../generated.ts';
import { recordStrings } from '../strings.ts';

interface ScheduleActivityButtonProps {
  model: string;
  id: string;
  reload(): void;
}

export function ScheduleActivityButton(props: ScheduleActivityButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="plus" onClick={() => setIsOpen(true)}>
        {recordStrings.schedule}
      </Button>
      {isOpen && <ScheduleDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ScheduleDialog({ model, id, reload, onClose }: ScheduleActivityButtonProps & { onClose(): void }) {
  const { data } = useGraphqlQuery(RecordActivityTypesDocument, {});
  const { isBusy, refusal, act } = useFormAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    const getText = (name: string) => String(formData.get(name) ?? '').trim();
    const activity = {
      type: getText('type') || null,
      summary: getText('summary') || null,
      day: getText('day'),
    };
    void act(async () => {
      await runMutation(RecordActivityDocument, { model, id, ...activity });
      reload();
      onClose();
    });
  };
  const types = data?.mailActivityTypes.nodes.map(({ id: type, name }) => [type, name] as const) ?? [];
  return (
    <Dialog title={recordStrings.schedule} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {types.length > 0 && <Select label={recordStrings.type} name="type" options={types} />}
        <Field label={recordStrings.summary} name="summary" error={refusal?.message} autoComplete="off" />
        <Field label={recordStrings.dueDate} name="day" type="date" required />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {recordStrings.schedule}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
