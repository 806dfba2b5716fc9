import './settings.css';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { Loading, LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/form/field.tsx';
import { isFeatureOn } from '../address.ts';
import { MailboxesDocument } from '../generated.ts';
import { MailExportPanel } from '../transfer/export-mail.tsx';
import { MailImportPanel } from '../transfer/import-mail.tsx';
import { SECTIONS, type Section } from './address.ts';
import { AutoReply } from './auto-reply.tsx';
import { BlockedSenders } from './blocked-senders.tsx';
import { LabelsAndFolders } from './labels-and-folders.tsx';
import { Rules } from './rules.tsx';
import { Sharing } from './sharing/sharing.tsx';
import { settingsStrings } from './strings.ts';

/** Loaded on demand, because it contains the text editor. */
const Signature = lazy(() => import('./signature.tsx'), 'Signature');

interface SectionProps {
  mailbox: string;
}

const PAGES: Record<Section, { Page: ComponentType<SectionProps>; feature?: string }> = {
  rules: { Page: Rules, feature: 'mail.rules' },
  'auto-reply': { Page: AutoReply, feature: 'mail.rules' },
  blocked: { Page: BlockedSenders, feature: 'mail.blocklist' },
  signature: { Page: Signature },
  labels: { Page: LabelsAndFolders, feature: 'mail.organize' },
  sharing: { Page: Sharing, feature: 'mail.shared' },
  import: { Page: MailImportPanel, feature: 'mail.import_export' },
  export: { Page: MailExportPanel, feature: 'mail.import_export' },
};

const isSection = (name: string): name is Section => Object.hasOwn(PAGES, name);

export function MailSettings() {
  const { section } = useParams({ from: '/mail/settings/$section' });
  const { mailbox: mailboxId } = useSearch({ from: '/mail/settings/$section' });
  const navigate = useNavigate({ from: '/mail/settings/$section' });
  const { data, refusal, reload } = useGraphqlQuery(MailboxesDocument, {});
  const accounts = data?.mailState.accounts ?? [];
  const mailbox =
    accounts.find(({ id }) => Number(id) === mailboxId) ?? (mailboxId ? undefined : accounts[0]);
  const isOpen = (name: Section) => {
    const { feature } = PAGES[name];
    return !feature || (data !== undefined && isFeatureOn(data.mailState, feature));
  };
  const Page = isSection(section) && isOpen(section) ? PAGES[section].Page : undefined;
  return (
    <Screen title={settingsStrings.mailSettings}>
      <div className="mail-settings-head">
        <Link to={mailbox ? '/mail/$mailbox' : '/mail'} params={{ mailbox: mailbox?.id ?? '' }}>
          {settingsStrings.back}
        </Link>
        {accounts.length > 1 && (
          <Select
            label={settingsStrings.mailbox}
            value={mailbox?.id}
            options={accounts.map(({ id, email }) => [id, email] as const)}
            onChange={({ target }) => void navigate({ search: { mailbox: Number(target.value) } })}
          />
        )}
      </div>
      <nav className="mail-settings-menu" aria-label={settingsStrings.mailSettings}>
        {SECTIONS.filter(isOpen).map((name) => (
          <Link
            key={name}
            to="/mail/settings/$section"
            params={{ section: name }}
            search={{ mailbox: mailboxId }}
            aria-current={name === section ? 'page' : undefined}
          >
            {settingsStrings.sections[name]}
          </Link>
        ))}
      </nav>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !mailbox && <EmptyState title={settingsStrings.mailboxNotFound} />}
      {data && !isSection(section) && <EmptyState title={shellStrings.pageNotFound} />}
      {data && isSection(section) && !Page && (
        <EmptyState title={settingsStrings.featureDisabled} text={settingsStrings.featureDisabledText} />
      )}
      {mailbox && Page && (
        <Suspense fallback={<Loading />}>
          <Page key={mailbox.id} mailbox={mailbox.id} />
        </Suspense>
      )}
    </Screen>
  );
}
