import './templates.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useLive } from '../../graphql/live.ts';
import { type Refusal, Refused } from '../../graphql/refusal.ts';
import { formatInstant, formatWhen } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { beginning } from '../blocks/begin.ts';
import { TemplateCreateDocument, TemplatesDocument } from './generated.ts';
import { templateWords } from './words.ts';

/** Emails with places for values, by name. */
export function Templates() {
  const { can } = useViewer();
  const { q } = useSearch({ from: '/email/templates' });
  const [isCreating, setCreating] = useState(false);
  const begin = can.has('templateCreate') && (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {templateWords.create}
    </Button>
  );
  return (
    <Screen title={templateWords.title} needs="templates" measure="middle" actions={begin}>
      <List q={q} begin={begin} />
      {isCreating && <Create onClose={() => setCreating(false)} />}
    </Screen>
  );
}

/** As many as one answer holds. */
const MOST = 500;

interface ListProps {
  q: string | undefined;
  /** Creates the first one. */
  begin: ReactNode;
}

function List({ q, begin }: ListProps) {
  const navigate = useNavigate({ from: '/email/templates' });
  const { data, refusal, reload } = useAnswer(TemplatesDocument, { name: q, first: MOST });
  useLive('svc.template', reload);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { nodes, totalCount } = data.templates;
  if (totalCount === 0 && !q)
    return (
      <Empty title={templateWords.none}>
        <p>{templateWords.noneText}</p>
        {begin}
      </Empty>
    );
  return (
    <>
      <search className="template-search">
        <Field
          type="search"
          label={templateWords.search}
          placeholder={templateWords.searchHint}
          defaultValue={q ?? ''}
          onChange={({ target }) =>
            navigate({ search: { q: target.value.trim() || undefined }, replace: true })
          }
        />
      </search>
      {totalCount === 0 && <Empty title={templateWords.noneFits} />}
      <ul className="templates">
        {nodes.map(({ id, name, subject, version, updatedAt }) => (
          <li key={id} className="card">
            <div>
              <Link to="/email/templates/$id" params={{ id }}>
                {name}
              </Link>
              <p className="quiet">{subject}</p>
            </div>
            <p className="quiet small">
              {templateWords.version(version)} ·{' '}
              <time dateTime={updatedAt} title={formatInstant(updatedAt)}>
                {templateWords.changedAt(formatWhen(updatedAt))}
              </time>
            </p>
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p className="quiet small">{templateWords.oldest(nodes.length, totalCount)}</p>
      )}
    </>
  );
}

function Create({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name')).trim();
    setBusy(true);
    try {
      const { subject, html, ...words } = templateWords.starter;
      const body = form.get('kind') === 'html' ? { html } : { content: beginning(words) };
      const template = { name, subject, ...body };
      const { templateCreate } = await change(TemplateCreateDocument, { template });
      await navigate({ to: '/email/templates/$id', params: { id: templateCreate.id } });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      setRefusal(error.refusal);
      setBusy(false);
    }
  };
  return (
    <Dialog title={templateWords.create} onClose={onClose}>
      <p>{templateWords.createText}</p>
      <form className="template-form" onSubmit={create}>
        <Field name="name" label={templateWords.name} required autoComplete="off" error={refusal?.message} />
        <Choice name="kind" label={templateWords.kind} options={Object.entries(templateWords.kinds)} />
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {templateWords.create}
          </Button>
          <Button onClick={onClose}>{shellWords.close}</Button>
        </div>
      </form>
    </Dialog>
  );
}
