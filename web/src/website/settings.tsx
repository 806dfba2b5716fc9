import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { Loading } from '../shell/loading.tsx';
import { LoadError } from '../shell/screen.tsx';
import { UnsavedGuard } from '../shell/unsaved-guard.tsx';
import { useFormAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, Select, TextArea } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { SiteSettingsDocument, type SiteSettingsQuery, SiteUpdateDocument } from './generated.ts';
import { type Site, SiteScreen } from './site-screen.tsx';
import { siteStrings } from './strings.ts';

/** Name, URL, language and features of a website. */
export function SiteSettings() {
  const { site } = useSearch({ from: '/website/settings' });
  const navigate = useNavigate({ from: '/website/settings' });
  return (
    <SiteScreen
      title={siteStrings.settings}
      needs="websiteUpdate"
      at={site}
      onSite={(id) => void navigate({ search: { site: id } })}
    >
      {(site) => <SiteSettingsLoader site={site} />}
    </SiteScreen>
  );
}

function SiteSettingsLoader({ site }: { site: Site }) {
  const { data, refusal, reload } = useGraphqlQuery(SiteSettingsDocument, { site: site.id });
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data?.website) return <Loading />;
  return <SiteSettingsForm key={data.website.updatedAt} site={site} facts={data.website} data={data} />;
}

interface SiteSettingsFormProps {
  site: Site;
  facts: NonNullable<SiteSettingsQuery['website']>;
  data: SiteSettingsQuery;
}

function SiteSettingsForm({ site, facts, data: { languages, websiteOutline } }: SiteSettingsFormProps) {
  const [isDirty, setIsDirty] = useState(false);
  const { isBusy, refusal, getFieldError, act } = useFormAction();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim() || null;
    const input = {
      name: text('name') ?? '',
      domain: text('domain'),
      homepageUrl: text('homepageUrl'),
      defaultLang: text('defaultLang') ?? facts.defaultLang,
      description: text('description'),
      formMailbox: text('formMailbox'),
      ...(facts.allowScripts !== null && { allowScripts: form.get('allowScripts') !== null }),
    };
    void act(async () => {
      await runMutation(SiteUpdateDocument, { site: site.id, input });
      setIsDirty(false);
      showToast(siteStrings.saved);
    });
  };
  const pages = websiteOutline.pages.map(({ url, name }) => [url, `${name} · ${url}`] as const);
  const pageUrls = new Set(pages.map(([url]) => url));
  const home = facts.homepageUrl;
  return (
    <form className="site-card" onSubmit={save} onChange={() => setIsDirty(true)}>
      <UnsavedGuard isDirty={isDirty} />
      <Field
        name="name"
        label={siteStrings.siteName}
        defaultValue={facts.name}
        required
        error={getFieldError('name')}
      />
      <Field
        name="domain"
        label={siteStrings.domain}
        hint={siteStrings.domainHint}
        defaultValue={facts.domain ?? ''}
        dir="ltr"
        autoCapitalize="none"
        spellCheck={false}
        error={getFieldError('domain')}
      />
      <p className="small">
        {siteStrings.alwaysAvailableAt}{' '}
        <a href={`${site.root}/`} target="_blank" rel="noreferrer" dir="ltr" className="site-address">
          {location.origin}
          {site.root}/
        </a>
      </p>
      <Select
        name="homepageUrl"
        label={siteStrings.homepage}
        defaultValue={home ?? ''}
        options={[
          ['', siteStrings.homepageDefault],
          ...pages.filter(([url]) => url !== '/' || home === '/'),
          ...(home && !pageUrls.has(home) ? [[home, home] as const] : []),
        ]}
        error={getFieldError('homepageUrl')}
      />
      <Select
        name="defaultLang"
        label={siteStrings.defaultLang}
        hint={siteStrings.defaultLangHint}
        defaultValue={facts.defaultLang}
        options={languages.nodes.map(({ code, name }) => [code, name] as const)}
        error={getFieldError('defaultLang')}
      />
      <TextArea
        name="description"
        label={siteStrings.description}
        hint={siteStrings.descriptionHint}
        defaultValue={facts.description ?? ''}
        error={getFieldError('description')}
      />
      <Field
        name="formMailbox"
        label={siteStrings.formMailbox}
        hint={siteStrings.formMailboxHint}
        defaultValue={facts.formMailbox ?? ''}
        dir="ltr"
        autoCapitalize="none"
        spellCheck={false}
        error={getFieldError('formMailbox')}
      />
      {facts.allowScripts !== null && (
        <Checkbox
          name="allowScripts"
          label={siteStrings.allowScripts}
          hint={siteStrings.allowScriptsHint}
          defaultChecked={facts.allowScripts}
        />
      )}
      {refusal && !FIELDS.some(getFieldError) && (
        <p className="wrong" role="alert">
          {refusal.message}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!isDirty}>
          {siteStrings.save}
        </Button>
        {isDirty && (
          <Button type="reset" onClick={() => setIsDirty(false)}>
            {siteStrings.discard}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Arguments whose errors are shown at the corresponding field. */
const FIELDS = ['name', 'domain', 'homepageUrl', 'defaultLang', 'description', 'formMailbox'];
