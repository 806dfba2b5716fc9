import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { ActionButton } from '../../shell/action-buttons.tsx';
import { Loading, LoadStatus } from '../../shell/loading.tsx';
import { LoadError } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import type { TemplateView } from './address.ts';
import {
  type TemplateFactsFragment,
  TemplatePreviewDocument,
  TemplateRestoreDocument,
  TemplateVersionDocument,
  type TemplateVersionQuery,
  TemplateVersionsDocument,
  type TemplateVersionsQuery,
} from './generated.ts';
import { PreviewFrame } from './preview-frame.tsx';
import { templateStrings } from './strings.ts';

interface VersionsProps {
  template: TemplateFactsFragment;
  isDirty: boolean;
  view: TemplateView;
  show(changes: TemplateView): void;
  onRestored(template: TemplateFactsFragment): void;
}

const MAX_VERSIONS = 100;

export function Versions({
  template: { id, version: current },
  isDirty,
  view,
  show,
  onRestored,
}: VersionsProps) {
  const { can } = useViewer();
  const { data, refusal, reload } = useGraphqlQuery(TemplateVersionsDocument, { id, first: MAX_VERSIONS });
  const restore = async (version: number) => {
    const { templateRestore } = await runMutation(TemplateRestoreDocument, { id, version });
    showToast(templateStrings.restored(templateRestore.version));
    onRestored(templateRestore);
    reload();
  };
  if (!data?.template) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const { nodes, totalCount } = data.template.versions;
  return (
    <div className="stack">
      <p className="quiet">{templateStrings.versionsText}</p>
      {isDirty && can.has('templateRestore') && <p>{templateStrings.saveFirst}</p>}
      <ul className="card-list">
        {nodes.map((version) => (
          <VersionItem
            key={version.id}
            version={version}
            isCurrent={version.number === current}
            isDirty={isDirty}
            onRestore={() => restore(version.number)}
            view={view}
            show={show}
          />
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p className="quiet small">{emailStrings.showingNewest(nodes.length, totalCount)}</p>
      )}
      {view.version && <Version id={id} version={view.version} view={view} show={show} />}
    </div>
  );
}

interface VersionItemProps extends Pick<VersionsProps, 'isDirty' | 'view' | 'show'> {
  version: NonNullable<TemplateVersionsQuery['template']>['versions']['nodes'][number];
  isCurrent: boolean;
  onRestore(): Promise<void>;
}

function VersionItem({ version, isCurrent, isDirty, onRestore, view, show }: VersionItemProps) {
  const { id, number, subject, createdAt } = version;
  const isOpen = view.version === id;
  return (
    <li className="card">
      <div>
        <strong>{templateStrings.version(number)}</strong>{' '}
        <time className="quiet small" dateTime={createdAt}>
          {formatInstant(createdAt)}
        </time>
        <p className="quiet">{subject}</p>
      </div>
      {isCurrent && <StatusBadge tone="good">{templateStrings.current}</StatusBadge>}
      {!isCurrent && !isDirty && (
        <ActionButton
          needs="templateRestore"
          aria-label={templateStrings.restoreVersion(number)}
          onAct={onRestore}
        >
          {templateStrings.restore}
        </ActionButton>
      )}
      <Button
        aria-pressed={isOpen}
        aria-label={templateStrings.viewVersion(number)}
        onClick={() => show({ version: isOpen ? undefined : id })}
      >
        {templateStrings.view}
      </Button>
    </li>
  );
}

interface VersionProps extends Pick<VersionsProps, 'view' | 'show'> {
  id: string;
  version: string;
}

function Version({ id, version, view, show }: VersionProps) {
  const { data, refusal, reload } = useGraphqlQuery(TemplateVersionDocument, { id: version });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  if (!data.templateVersion) return <EmptyState title={templateStrings.versionNotFound} />;
  return <VersionPreview id={id} version={data.templateVersion} view={view} show={show} />;
}

type VersionContent = NonNullable<TemplateVersionQuery['templateVersion']>;

function VersionPreview({
  id,
  version,
  view,
  show,
}: Omit<VersionProps, 'version'> & { version: VersionContent }) {
  const { number, subject, html, text, content, variables } = version;
  // An empty string means no HTML. Null would select the current HTML.
  const body = content ? { content } : { html: html ?? '' };
  const template = { subject, ...body, text: text ?? '', variables };
  const { data, refusal, reload } = useGraphqlQuery(TemplatePreviewDocument, { id, template });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  return (
    <section className="stack" aria-label={templateStrings.version(number)}>
      <h2>{templateStrings.version(number)}</h2>
      {data ? <PreviewFrame {...data.templatePreview} view={view} show={show} /> : <Loading />}
    </section>
  );
}
