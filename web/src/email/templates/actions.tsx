import { useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { ActionButton, ConfirmButton, DialogOpener } from '../../shell/action-buttons.tsx';
import { DialogForm } from '../../shell/dialogs/form-dialog.tsx';
import { Loading } from '../../shell/loading.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import {
  SendersDocument,
  TemplateDeleteDocument,
  TemplateDuplicateDocument,
  type TemplateFactsFragment,
  TemplateTestSendDocument,
} from './generated.ts';
import { templateStrings } from './strings.ts';

interface TemplateActionsProps {
  template: TemplateFactsFragment;
  isDirty: boolean;
  samples: Record<string, string>;
}

export function TemplateActions({ template, isDirty, samples }: TemplateActionsProps) {
  const { id, name } = template;
  const navigate = useNavigate();
  const duplicate = async () => {
    const { templateDuplicate } = await runMutation(TemplateDuplicateDocument, { id });
    showToast(templateStrings.duplicated(templateDuplicate.name));
    await navigate({ to: '/email/templates/$id', params: { id: templateDuplicate.id } });
  };
  const remove = async () => {
    await runWithToast(TemplateDeleteDocument, { id }, templateStrings.deleted(name));
    await navigate({ to: '/email/templates', ignoreBlocker: true });
  };
  return (
    <div className="buttons">
      <DialogOpener needs="templateTestSend" icon="send" label={templateStrings.testEmail}>
        {(onClose) => <TestSendDialog id={id} isDirty={isDirty} samples={samples} onClose={onClose} />}
      </DialogOpener>
      <ActionButton needs="templateDuplicate" icon="copy" onAct={duplicate}>
        {templateStrings.duplicate}
      </ActionButton>
      <ConfirmButton
        needs="templateDelete"
        icon="trash"
        label={templateStrings.delete}
        title={templateStrings.deleteTitle(name)}
        text={templateStrings.deleteText}
        onYes={remove}
      />
    </div>
  );
}

interface TestSendDialogProps extends Omit<TemplateActionsProps, 'template'> {
  id: string;
  onClose(): void;
}

function TestSendDialog({ id, isDirty, samples, onClose }: TestSendDialogProps) {
  const { viewer } = useViewer();
  const { data } = useGraphqlQuery(SendersDocument, {});
  const send = async (form: FormData) => {
    const [from, to] = [getText(form, 'from'), getText(form, 'to')];
    const variables = Object.fromEntries(Object.entries(samples).filter(([, value]) => value !== ''));
    await runWithToast(TemplateTestSendDocument, { id, from, to, variables }, emailStrings.testSent(to));
  };
  const domain = data?.sendingDomains.nodes[0]?.name;
  return (
    <Dialog title={templateStrings.testEmail} onClose={onClose}>
      <p>
        {templateStrings.testText} {isDirty && emailStrings.testUnsaved}
      </p>
      {data ? (
        <DialogForm submit={templateStrings.testEmail} icon="send" onSubmit={send} onClose={onClose}>
          <Field
            name="from"
            label={templateStrings.from}
            required
            defaultValue={domain && `test@${domain}`}
          />
          <Field
            name="to"
            type="email"
            label={templateStrings.to}
            required
            defaultValue={viewer.login?.includes('@') ? viewer.login : ''}
          />
        </DialogForm>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}
