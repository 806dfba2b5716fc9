import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { say, sayWrong } from '../../ui/toasts.tsx';
import {
  SendersDocument,
  TemplateDeleteDocument,
  TemplateDuplicateDocument,
  type TemplateFactsFragment,
  TemplateTestSendDocument,
} from './generated.ts';
import { templateWords } from './words.ts';

interface ActionsProps {
  template: TemplateFactsFragment;
  isDirty: boolean;
  samples: Record<string, string>;
}

/** What can be done with a template as it is saved. */
export function Actions({ template, isDirty, samples }: ActionsProps) {
  const { id, name } = template;
  const { can } = useViewer();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<'test' | 'delete'>();
  const close = () => setAsked(undefined);
  const act = async (what: () => Promise<void>) => {
    try {
      await what();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    }
  };
  const duplicate = () =>
    act(async () => {
      const { templateDuplicate } = await change(TemplateDuplicateDocument, { id });
      say(templateWords.duplicated(templateDuplicate.name));
      await navigate({ to: '/email/templates/$id', params: { id: templateDuplicate.id } });
    });
  const remove = () =>
    act(async () => {
      await change(TemplateDeleteDocument, { id });
      say(templateWords.deleted(name));
      await navigate({ to: '/email/templates', ignoreBlocker: true });
    });
  return (
    <div className="buttons">
      {can.has('templateTestSend') && (
        <Button icon="send" onClick={() => setAsked('test')}>
          {templateWords.test}
        </Button>
      )}
      {can.has('templateDuplicate') && (
        <Button icon="copy" onClick={duplicate}>
          {templateWords.duplicate}
        </Button>
      )}
      {can.has('templateDelete') && (
        <Button icon="trash" onClick={() => setAsked('delete')}>
          {templateWords.delete}
        </Button>
      )}
      {asked === 'test' && <TestSend id={id} isDirty={isDirty} samples={samples} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={templateWords.deleteOf(name)}
          yes={templateWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={close}
        >
          <p>{templateWords.deleteText}</p>
        </Confirm>
      )}
    </div>
  );
}

interface TestSendProps extends Omit<ActionsProps, 'template'> {
  id: string;
  onClose(): void;
}

function TestSend({ id, isDirty, samples, onClose }: TestSendProps) {
  const { viewer } = useViewer();
  const { data } = useAnswer(SendersDocument, {});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [from, to] = [String(form.get('from')).trim(), String(form.get('to')).trim()];
    const variables = Object.fromEntries(Object.entries(samples).filter(([, value]) => value !== ''));
    setBusy(true);
    try {
      await change(TemplateTestSendDocument, { id, from, to, variables });
      say(templateWords.tested(to));
      onClose();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefusal(error.refusal);
      setBusy(false);
    }
  };
  const about = (field: string) => (refusal?.argument === field ? refusal.message : null);
  const rest = refusal && !['from', 'to'].includes(refusal.argument ?? '') ? refusal.message : null;
  const domain = data?.sendingDomains.nodes[0]?.name;
  return (
    <Dialog title={templateWords.test} onClose={onClose}>
      <p>
        {templateWords.testText} {isDirty && templateWords.testUnsaved}
      </p>
      {data ? (
        <form className="template-form" onSubmit={send}>
          <Field
            name="from"
            label={templateWords.from}
            required
            defaultValue={domain && `test@${domain}`}
            error={about('from')}
          />
          <Field
            name="to"
            type="email"
            label={templateWords.to}
            required
            defaultValue={viewer.login?.includes('@') ? viewer.login : ''}
            error={about('to')}
          />
          {rest && (
            <p role="alert" className="template-wrong">
              {rest}
            </p>
          )}
          <div className="buttons">
            <Button type="submit" look="primary" icon="send" isBusy={isBusy}>
              {templateWords.test}
            </Button>
            <Button onClick={onClose}>{shellWords.close}</Button>
          </div>
        </form>
      ) : (
        <p role="status">{shellWords.loading}</p>
      )}
    </Dialog>
  );
}
