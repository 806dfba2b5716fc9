import './templates.css';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { Timestamp } from '../../ui/layout/timestamp.tsx';
import { buildStarterDocument } from '../blocks/starter-document.ts';
import { emailStrings } from '../strings.ts';
import { TemplateCreateDocument, TemplatesDocument } from './generated.ts';
import { templateStrings } from './strings.ts';

export function Templates() {
  const { q } = useSearch({ from: '/email/templates' });
  const createButton = (
    <DialogOpener needs="templateCreate" look="primary" icon="plus" label={templateStrings.create}>
      {(onClose) => <CreateTemplateDialog onClose={onClose} />}
    </DialogOpener>
  );
  return (
    <Screen title={templateStrings.title} actions={createButton}>
      <TemplateList q={q} createButton={createButton} />
    </Screen>
  );
}

const MAX_TEMPLATES = 500;

function TemplateList({ q, createButton }: { q: string | undefined; createButton: ReactNode }) {
  const navigate = useNavigate({ from: '/email/templates' });
  const { data, refusal, reload } = useLiveQuery(
    TemplatesDocument,
    { name: q, first: MAX_TEMPLATES },
    'svc.template',
  );
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { nodes, totalCount } = data.templates;
  if (totalCount === 0 && !q)
    return (
      <EmptyState title={templateStrings.none} text={templateStrings.noneText}>
        {createButton}
      </EmptyState>
    );
  return (
    <>
      <search className="template-search">
        <Field
          type="search"
          label={templateStrings.search}
          placeholder={templateStrings.searchHint}
          defaultValue={q ?? ''}
          onChange={({ target }) =>
            navigate({ search: { q: target.value.trim() || undefined }, replace: true })
          }
        />
      </search>
      {totalCount === 0 && <EmptyState title={templateStrings.noMatches} />}
      <ul className="card-list">
        {nodes.map(({ id, name, subject, version, updatedAt }) => (
          <li key={id} className="card">
            <div>
              <Link to="/email/templates/$id" params={{ id }}>
                {name}
              </Link>
              <p className="quiet">{subject}</p>
            </div>
            <p className="quiet small">
              {templateStrings.version(version)} ·{' '}
              <Timestamp at={updatedAt} format={templateStrings.changedAt} />
            </p>
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p className="quiet small">{emailStrings.showingNewest(nodes.length, totalCount)}</p>
      )}
    </>
  );
}

function CreateTemplateDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const create = async (form: FormData) => {
    const { subject, html, ...strings } = templateStrings.starter;
    const body = form.get('kind') === 'html' ? { html } : { content: buildStarterDocument(strings) };
    const template = { name: getText(form, 'name'), subject, ...body };
    const { templateCreate } = await runMutation(TemplateCreateDocument, { template });
    await navigate({ to: '/email/templates/$id', params: { id: templateCreate.id } });
  };
  return (
    <FormDialog title={templateStrings.create} errorField="name" onSubmit={create} onClose={onClose}>
      <p>{templateStrings.createText}</p>
      <Field name="name" label={templateStrings.name} required />
      <Select name="kind" label={templateStrings.kind} options={Object.entries(templateStrings.kinds)} />
    </FormDialog>
  );
}
