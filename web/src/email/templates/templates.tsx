import './templates.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useLiveChanges } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { formatInstant, formatWhen } from '../../i18n/format.ts';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
import { buildStarterDocument } from '../blocks/starter-document.ts';
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
      <TemplateList q={q} begin={begin} />
      {isCreating && <CreateTemplate onClose={() => setCreating(false)} />}
    </Screen>
  );
}

/** As many as one answer holds. */
const MAX_TEMPLATES = 500;

interface TemplateListProps {
  q: string | undefined;
  /** Creates the first one. */
  begin: ReactNode;
}

function TemplateList({ q, begin }: TemplateListProps) {
  const navigate = useNavigate({ from: '/email/templates' });
  const { data, refusal, reload } = useGraphqlQuery(TemplatesDocument, { name: q, first: MAX_TEMPLATES });
  useLiveChanges('svc.template', reload);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const { nodes, totalCount } = data.templates;
  if (totalCount === 0 && !q)
    return (
      <EmptyState title={templateWords.none}>
        <p>{templateWords.noneText}</p>
        {begin}
      </EmptyState>
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
      {totalCount === 0 && <EmptyState title={templateWords.noneFits} />}
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

function CreateTemplate({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<RequestFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name')).trim();
    setBusy(true);
    try {
      const { subject, html, ...words } = templateWords.starter;
      const body = form.get('kind') === 'html' ? { html } : { content: buildStarterDocument(words) };
      const template = { name, subject, ...body };
      const { templateCreate } = await runMutation(TemplateCreateDocument, { template });
      await navigate({ to: '/email/templates/$id', params: { id: templateCreate.id } });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRefusal(error.failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={templateWords.create} onClose={onClose}>
      <p>{templateWords.createText}</p>
      <form className="template-form" onSubmit={create}>
        <Field name="name" label={templateWords.name} required autoComplete="off" error={refusal?.message} />
        <Select name="kind" label={templateWords.kind} options={Object.entries(templateWords.kinds)} />
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
