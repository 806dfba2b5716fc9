import { runMutation } from '../../graphql/client.ts';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Field, Select } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { RecordActivityDocument, RecordActivityTypesDocument } from '../generated.ts';
import { recordStrings } from '../strings.ts';

interface ScheduleActivityDialogProps {
  model: string;
  id: string;
  reload(): void;
  onClose(): void;
}

export function ScheduleActivityDialog({ model, id, reload, onClose }: ScheduleActivityDialogProps) {
  const { data } = useGraphqlQuery(RecordActivityTypesDocument, {});
  const schedule = async (form: FormData) => {
    await runMutation(RecordActivityDocument, {
      model,
      id,
      type: getText(form, 'type') || null,
      summary: getText(form, 'summary') || null,
      day: getText(form, 'day'),
    });
    reload();
  };
  const types = data?.mailActivityTypes.nodes.map(({ id: type, name }) => [type, name] as const) ?? [];
  return (
    <FormDialog title={recordStrings.schedule} errorField="summary" onSubmit={schedule} onClose={onClose}>
      {types.length > 0 && <Select label={recordStrings.type} name="type" options={types} />}
      <Field label={recordStrings.summary} name="summary" />
      <Field label={recordStrings.dueDate} name="day" type="date" required />
    </FormDialog>
  );
}
