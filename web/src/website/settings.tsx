import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { ActionForm } from '../shell/action-form.tsx';
import { LoadStatus } from '../shell/loading.tsx';
import { SaveButtons } from '../shell/save-buttons.tsx';
import { UnsavedGuard } from '../shell/unsaved/unsaved-guard.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Checkbox, Field, Select, TextArea } from '../ui/form/field.tsx';
import { getText, isEditedSince } from '../ui/form/form.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SiteSettingsDocument, type SiteSettingsQuery, SiteUpdateDocument } from './generated.ts';
import { type Site, SiteScreen } from './site-screen.tsx';
import { siteStrings } from './strings.ts';
import { UrlField } from './url-field.tsx';

export function SiteSettings() {
  const { site } = useSearch({ from: '/website/settings' });
  const navigate = useNavigate({ from: '/website/settings' });
  return (
    <SiteScreen
      title={siteStrings.settings}
      at={site}
      onSite={(id) => void navigate({ search: { site: id } })}
    >
      {(site) => <SiteSettingsLoader site={site} />}
    </SiteScreen>
  );
}

function SiteSettingsLoader({ site }: { site: Site }) {
  const { data, refusal, reload } = useGraphqlQuery(SiteSettingsDocument, { site: site.id });
  if (!data?.website) return <LoadStatus refusal={refusal} onAgain={reload} />;
  return <SiteSettingsForm site={site} facts={data.website} data={data} />;
}

type SiteFacts = NonNullable<SiteSettingsQuery['website']>;

interface SiteSettingsFormProps {
  site: Site;
  facts: SiteFacts;
  data: SiteSettingsQuery;
}

function SiteSettingsForm({ site, facts, data: { languages, websiteOutline } }: SiteSettingsFormProps) {
  const [isDirty, setIsDirty] = useState(false);
  const save = async (form: FormData, expectedVersion: number | undefined, element: HTMLFormElement) => {
    const input = parseSettings(form, facts);
    const variables = { site: site.id, input, expectedVersion };
    const { websiteUpdate } = await runMutation(SiteUpdateDocument, variables);
    setIsDirty(isEditedSince(form, element));
    showToast(siteStrings.saved);
    return websiteUpdate?.version;
  };
  const bind = (name: keyof SiteFacts) => ({ name, defaultValue: String(facts[name] ?? '') });
  return (
    <ActionForm
      className="site-card"
      version={facts.version}
      buttons={(isBusy) => (
        <SaveButtons isBusy={isBusy} isDirty={isDirty} resetsFields onDiscard={() => setIsDirty(false)} />
      )}
      onSubmit={save}
      onChange={() => setIsDirty(true)}
    >
      <UnsavedGuard isDirty={isDirty} />
      <Field {...bind('name')} label={siteStrings.siteName} required />
      <UrlField {...bind('domain')} label={siteStrings.domain} hint={siteStrings.domainHint} />
      <p className="small">
        {siteStrings.alwaysAvailableAt}{' '}
        <a href={`${site.root}/`} target="_blank" rel="noreferrer" dir="ltr" className="site-address">
          {location.origin}
          {site.root}/
        </a>
      </p>
      <Select
        {...bind('homepageUrl')}
        label={siteStrings.homepage}
        options={getHomepageOptions(websiteOutline.pages, facts.homepageUrl)}
      />
      <Select
        {...bind('defaultLang')}
        label={siteStrings.defaultLang}
        hint={siteStrings.defaultLangHint}
        options={languages.nodes.map(({ code, name }) => [code, name] as const)}
      />
      <TextArea {...bind('description')} label={siteStrings.description} hint={siteStrings.descriptionHint} />
      <UrlField {...bind('formMailbox')} label={siteStrings.formMailbox} hint={siteStrings.formMailboxHint} />
      {facts.allowScripts !== null && (
        <Checkbox
          name="allowScripts"
          label={siteStrings.allowScripts}
          hint={siteStrings.allowScriptsHint}
          defaultChecked={facts.allowScripts}
        />
      )}
    </ActionForm>
  );
}

function parseSettings(form: FormData, { defaultLang, allowScripts }: SiteFacts) {
  const getValue = (name: string) => getText(form, name) || null;
  return {
    name: getText(form, 'name'),
    domain: getValue('domain'),
    homepageUrl: getValue('homepageUrl'),
    defaultLang: getValue('defaultLang') ?? defaultLang,
    description: getValue('description'),
    formMailbox: getValue('formMailbox'),
    ...(allowScripts !== null && { allowScripts: form.has('allowScripts') }),
  };
}

/**
 * Returns the homepage options. `/` is the default, so it is listed only if it is set explicitly. A URL without a page
 * is listed if it is set.
 */
function getHomepageOptions(pages: readonly { url: string; name: string }[], home: string | null) {
  const isPage = pages.some(({ url }) => url === home);
  return [
    ['', siteStrings.homepageDefault],
    ...pages
      .filter(({ url }) => url !== '/' || home === '/')
      .map(({ url, name }) => [url, `${name} · ${url}`] as const),
    ...(home && !isPage ? [[home, home] as const] : []),
  ] as const;
}
